"""Who makes a call and what is present, as a command's options say it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from toolroute import ToolCall
from toolroute_codegen.cli._assume import Outcome, assumptions
from toolroute_codegen.cli._named import must_be_in
from toolroute_codegen.table import Table


@final
@dataclass(frozen=True, slots=True)
class Asking:
    """A call, who makes it, what is present, and what is assumed of the host."""

    table: Table
    call: ToolCall
    caller: str
    present: tuple[str, ...]
    in_turn: bool
    assumed: Mapping[str, Outcome]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The same, as it was typed."""

    name: str = ""
    caller: str
    present: tuple[str, ...]
    in_turn: bool | None = None
    assumed: tuple[str, ...] = ()


def asking(table: Table, said: Said) -> Asking:
    """What is asked, in the table's own names; `Trouble` where one isn't."""
    written = table.written
    must_be_in("caller", said.caller, written.callers)
    for capability in said.present:
        must_be_in("capability", capability, written.capabilities)
    in_turn = said.in_turn
    if in_turn is None:
        in_turn = written.callers[said.caller].road in {"turn", "script"}
    return Asking(
        table=table,
        call=ToolCall("", said.name),
        caller=said.caller,
        present=tuple(each for each in written.capabilities if each in said.present),
        in_turn=in_turn,
        assumed=assumptions(said.assumed, written),
    )
