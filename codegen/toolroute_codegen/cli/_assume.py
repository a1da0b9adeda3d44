"""What only a running host knows, and what a person assumes of it.

`--assume NAME=OUTCOME`: a lookup is `found` or `nothing`, a guard `allows`, an unwrap
reads `nothing` or the tool that is named; lookups and guards refuse with a refusal that
they declare; each may be `raises`. `refuses:ID` and `call:TOOL` say the same of a
refusal or a tool that has one of these words as its name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, final

from toolroute_codegen.cli._named import quoted, unknown
from toolroute_codegen.cli._trouble import Trouble
from toolroute_codegen.table import Written

Asked: TypeAlias = Literal["lookup", "guard", "unwrap"]

WORDS: Final[Mapping[Asked, tuple[str, ...]]] = {
    "lookup": ("found", "nothing", "raises"),
    "guard": ("allows", "raises"),
    "unwrap": ("nothing", "raises"),
}

GOES_ON: Final[Mapping[Asked, str]] = {
    "lookup": "nothing",
    "guard": "allows",
    "unwrap": "nothing",
}
"""The outcome of each with which the search for a route goes on."""


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What the host answers: one of `WORDS`, or `refuses` or `call` and of what."""

    word: str
    of: str = ""

    def __str__(self) -> str:
        return f"{self.word} {self.of}" if self.of else self.word


def outcomes(asked: Asked, name: str, written: Written) -> tuple[Outcome, ...]:
    """All that may come of it, but that it raises; what goes on is last."""
    refuses = tuple(Outcome("refuses", each) for each in refusals(asked, name, written))
    match asked:
        case "lookup":
            return (Outcome("found"), *refuses, Outcome("nothing"))
        case "guard":
            return (*refuses, Outcome("allows"))
        case "unwrap":
            return (Outcome("call"), Outcome("nothing"))


def refusals(asked: Asked, name: str, written: Written) -> tuple[str, ...]:
    """What this lookup or guard may refuse with."""
    match asked:
        case "lookup":
            return written.lookups[name].refuses
        case "guard":
            return written.guards[name].refuses
        case "unwrap":
            return ()


def assumptions(said: Iterable[str], written: Written) -> dict[str, Outcome]:
    """Each `NAME=OUTCOME`, understood."""
    assumed: dict[str, Outcome] = {}
    for each in said:
        name, equals, value = each.partition("=")
        if not equals:
            raise Trouble(
                f"--assume {quoted(each)}: what comes of it? Write "
                f"{quoted(name)}=OUTCOME."
            )
        asked = _asked(name, written)
        if name in assumed:
            raise Trouble(f"--assume says twice what comes of {quoted(name)}.")
        assumed[name] = _outcome(asked, name, value, written)
    return assumed


def _asked(name: str, written: Written) -> Asked:
    if name in written.lookups:
        return "lookup"
    if name in written.guards:
        return "guard"
    if name in written.unwraps:
        return "unwrap"
    every = (*written.lookups, *written.guards, *written.unwraps)
    raise Trouble(f"--assume: {unknown('lookup, guard or unwrap', name, every)}")


def _outcome(asked: Asked, name: str, value: str, written: Written) -> Outcome:
    if value in WORDS[asked]:
        return Outcome(value)
    refuses = refusals(asked, name, written)
    refusal = value.removeprefix("refuses:")
    if refusal in refuses:
        return Outcome("refuses", refusal)
    if asked == "unwrap" and value:
        return Outcome("call", value.removeprefix("call:"))
    some = ["TOOL"] if asked == "unwrap" else refuses
    choices = ", ".join((*WORDS[asked], *some))
    raise Trouble(
        f"--assume {quoted(name)}={quoted(value)}: the {asked} {quoted(name)} has no "
        f"such outcome. It's one of {choices}."
    )
