"""The shapes of names that a route can take without naming them."""

from bisect import insort
from collections.abc import Iterable
from typing import Final, Protocol, final


class Shape(Protocol):
    """Which names: `head` is what each of them begins with."""

    @property
    def head(self) -> str: ...

    def takes(self, name: str) -> bool: ...


@final
class Prefix:
    """Names with something after `head`."""

    __slots__ = ("head",)

    def __init__(self, head: str) -> None:
        self.head: Final = head

    def takes(self, name: str) -> bool:
        return len(name) > len(self.head) and name.startswith(self.head)


@final
class Glob:
    """Names with something between `head` and `tail`: the pattern has one `*`."""

    __slots__ = ("head", "tail")

    def __init__(self, pattern: str) -> None:
        head, _, tail = pattern.partition("*")
        self.head: Final = head
        self.tail: Final = tail

    def takes(self, name: str) -> bool:
        return (
            len(name) > len(self.head) + len(self.tail)
            and name.startswith(self.head)
            and name.endswith(self.tail)
        )


@final
class Split:
    """Names with something on both sides of the first separator."""

    __slots__ = ("head", "separator")

    def __init__(self, separator: str) -> None:
        self.head: Final = ""
        self.separator: Final = separator

    def takes(self, name: str) -> bool:
        before, _, after = name.partition(self.separator)
        return before != "" and after != ""


@final
class AnyName:
    """Every name: that of a lookup without bounds."""

    __slots__ = ("head",)

    def __init__(self) -> None:
        self.head: Final = ""

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
        self._by_head: Final[dict[str, list[tuple[int, Shape]]]] = {}
        for position, shape in shapes:
            self._by_head.setdefault(shape.head, []).append((position, shape))
        self._lengths: Final = sorted({len(head) for head in self._by_head})

    def taking(self, name: str) -> list[int]:
        """The positions of those that take `name`, in order."""
        positions: list[int] = []
        for length in self._lengths:
            for position, shape in self._by_head.get(name[:length], ()):
                if shape.takes(name):
                    insort(positions, position)
        return positions
