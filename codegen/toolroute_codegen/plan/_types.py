"""The types that a table names, and the imports that bring them in."""

from collections.abc import Iterable
from typing import Final, final

_LONGEST: Final = 40
"""Characters of a class's name that the module uses as it is."""

_CONTAINERS: Final = {
    **dict.fromkeys(("frozenset", "list", "set", "type"), "{0}"),
    "dict": "{0}, {0}",
    "tuple": "{0}, ...",
}
"""What stands between the brackets of each."""


@final
class Types:
    """Each `package.module:Class` under a name that is free in the module."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken: Final = set(taken)
        self._locals: Final[dict[tuple[str, str], str]] = {}

    def local(self, written: str) -> str:
        """How the module writes this type; it is imported from now on."""
        module, _, path = written.partition(":")
        outer, dot, inner = path.partition(".")
        if module == "builtins":
            return self._of_anything(path)
        if (module, outer) not in self._locals:
            self._locals[module, outer] = self._free(outer)
        return f"{self._locals[module, outer]}{dot}{inner}"

    def _of_anything(self, builtin: str) -> str:
        """A type of Python's own; a container is one of anything, for the checkers."""
        if builtin not in _CONTAINERS:
            return builtin
        return f"{builtin}[{_CONTAINERS[builtin].format(self.local('typing:Any'))}]"

    def imports(self) -> Iterable[tuple[str, str]]:
        """Modules, and what is imported from each, one by one."""
        for (module, outer), local in self._locals.items():
            yield (module, outer if local == outer else f"{outer} as {local}")

    def _free(self, outer: str) -> str:
        local, number = outer, 1
        while local in self._taken or len(local) > _LONGEST:
            number += 1
            local = f"_{outer[: _LONGEST - 8].strip('_')}_{number}"
        self._taken.add(local)
        return local
