from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from toolroute._record import Record

if TYPE_CHECKING:
    from toolroute._calls import ToolCall


class Matched(Record):
    """A decision that a call is this route's, with all that its handler needs.

    A generated class a kind; read-only, and equal where class and fields are.
    `call` is the effective call: the inner one, where the route's call carried another.
    """

    __slots__ = ("_call",)

    kind: ClassVar[str]
    ends_turn: ClassVar[bool] = False
    plane: ClassVar[Literal["server", "client"]]

    _call: ToolCall

    def __init__(self, call: ToolCall) -> None:
        self._call = call

    @property
    def call(self) -> ToolCall:
        """The call that the handler is for."""
        return self._call

    def __hash__(self) -> int:
        return hash((type(self), self.call.id, self.call.name))


class ServerPlane(Matched):
    """A route whose handler runs here."""

    __slots__ = ()

    plane: ClassVar[Literal["server", "client"]] = "server"


class ClientPlane(Matched):
    """A route whose call is handed out, to be run elsewhere: in a page, say."""

    __slots__ = ()

    plane: ClassVar[Literal["server", "client"]] = "client"
