from typing import Any, ClassVar, Literal

from toolroute._calls import ToolCall


class Matched:
    """A decision that a call is this route's, with all that its handler needs.

    A generated class a kind; read-only, and equal where class and fields are.
    `call` is the effective call: the inner one, where the route's call carried another.
    """

    __slots__ = ("_call",)

    kind: ClassVar[str]
    ends_turn: ClassVar[bool] = False
    plane: ClassVar[Literal["server", "client"]]

    def __init__(self, call: ToolCall) -> None:
        self._call = call

    @property
    def call(self) -> ToolCall:
        """The call that the handler is for."""
        return self._call

    def _fields(self) -> tuple[Any, ...]:
        slots = (
            slot for cls in reversed(type(self).__mro__) for slot in _slots_of(cls)
        )
        return tuple(getattr(self, slot) for slot in slots)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matched) or type(self) is not type(other):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), self.call.id, self.call.name))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._fields()))})"


class ServerPlane(Matched):
    """A route whose handler runs here."""

    __slots__ = ()

    plane: ClassVar[Literal["server", "client"]] = "server"


class ClientPlane(Matched):
    """A route whose call is handed out, to be run elsewhere: in a page, say."""

    __slots__ = ()

    plane: ClassVar[Literal["server", "client"]] = "client"


def _slots_of(cls: type) -> tuple[str, ...]:
    return tuple(cls.__dict__.get("__slots__", ()))
