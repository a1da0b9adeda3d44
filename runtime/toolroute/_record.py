"""Small values with slots of their own: equal by class and slots, read-only outside.

A dataclass that is frozen and has slots says the same in fewer words, but takes about
four times as long to make, and these are made for every call.
"""

from typing import Any


class Record:
    """A value whose slots are private, each behind a property of the same name."""

    __slots__ = ()

    def _values(self) -> tuple[Any, ...]:
        slots = (
            slot for cls in reversed(type(self).__mro__) for slot in _slots_of(cls)
        )
        return tuple(getattr(self, slot) for slot in slots)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or type(self) is not type(other):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._values()))})"


def _slots_of(cls: type) -> tuple[str, ...]:
    return tuple(cls.__dict__.get("__slots__", ()))
