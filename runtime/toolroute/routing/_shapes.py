"""The shapes of names that a route can take without naming them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, final

if TYPE_CHECKING:
    from collections.abc import Iterable


class Shape(Protocol):
    """Which names: each begins with `head` and has `part` in it somewhere."""

    @property
    def head(self) -> str: ...

    @property
    def part(self) -> str: ...

    def takes(self, name: str) -> bool: ...


@final
class Prefix:
    """Names with something after `head`."""

    __slots__ = ("head", "part")

    def __init__(self, head: str) -> None:
        self.head: Final = head
        self.part: Final = head

    def takes(self, name: str) -> bool:
        return len(name) > len(self.head) and name.startswith(self.head)


@final
class Glob:
    """Names with something where the pattern has its one `*`."""

    __slots__ = ("head", "part")

    def __init__(self, pattern: str) -> None:
        head, _, tail = pattern.partition("*")
        self.head: Final = head
        self.part: Final = tail

    def takes(self, name: str) -> bool:
        return (
            len(name) > len(self.head) + len(self.part)
            and name.startswith(self.head)
            and name.endswith(self.part)
        )


@final
class Split:
    """Names with something on both sides of the first separator."""

    __slots__ = ("head", "part")

    def __init__(self, separator: str) -> None:
        self.head: Final = ""
        self.part: Final = separator

    def takes(self, name: str) -> bool:
        before, _, after = name.partition(self.part)
        return before != "" and after != ""


@final
class AnyName:
    """Every name: that of a lookup without bounds."""

    __slots__ = ("head", "part")

    def __init__(self) -> None:
        self.head: Final = ""
        self.part: Final = ""

    def takes(self, name: str) -> bool:  # noqa: ARG002 - whatever it is
        return True


@final
class Shapes:
    """Which of many shapes take a name, in their order.

    The time it takes grows with the shapes whose `head` the name begins with, not with
    all of them.
    """

    __slots__ = ("_by_head", "_lengths")

    def __init__(self, shapes: Iterable[tuple[int, Shape]]) -> None:
        self._by_head: Final[dict[str, list[tuple[int, str, Shape]]]] = {}
        for position, shape in shapes:
            row = (position, shape.part, shape)
            self._by_head.setdefault(shape.head, []).append(row)
        self._lengths: Final = sorted({len(head) for head in self._by_head})

    def taking(self, name: str) -> list[int]:
        """The positions of those that take `name`, in order."""
        positions: list[int] = []
        for length in self._lengths:
            if length > len(name):
                break
            for position, part, shape in self._by_head.get(name[:length], ()):
                if part in name and shape.takes(name):
                    positions.append(position)
        positions.sort()
        return positions
