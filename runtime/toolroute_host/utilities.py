"""`utils`: small things that are seldom needed, behind one name."""

import hashlib
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast, final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute._text import one_line
from toolroute_host._arguments import LONGEST_TEXT, one_of
from toolroute_host._kept import Clock, moment

__all__ = ["Utilities", "Utility", "usual"]

ACTIONS: Final = ("list", "describe", "run")
Arguments: TypeAlias = Mapping[str, str]


@final
@dataclass(frozen=True, slots=True)
class Utility:
    """A function of texts: what each argument is, by name. All of them are required."""

    name: str
    doc: str
    run: Callable[[Arguments], Any]
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])


@final
class Utilities:
    """The utilities by name."""

    def __init__(self, utilities: Iterable[Utility]) -> None:
        self._by_name = {utility.name: utility for utility in utilities}

    def tool(self, call: ToolCall) -> ToolResult:
        """Answer `utils`."""
        match call.input.get("action"):
            case "list":
                listed = {each.name: each.doc for each in self._by_name.values()}
                return ToolResult({"utilities": listed})
            case "describe":
                utility = self._named(call)
                return ToolResult(
                    {
                        "name": utility.name,
                        "doc": utility.doc,
                        "args": dict(utility.arguments),
                    }
                )
            case "run":
                utility = self._named(call)
                return ToolResult({"result": utility.run(_arguments(call, utility))})
            case _:
                raise ToolError(
                    f"action must be {one_of(ACTIONS)}", retry="with-changes"
                )

    def _named(self, call: ToolCall) -> Utility:
        name = call.input.get("name")
        utility = self._by_name.get(name) if isinstance(name, str) else None
        if utility is None:
            shown = one_line(name) if isinstance(name, str) else "that name"
            raise ToolError(
                f"{call.name}: there is no utility {shown}. "
                f"There is {', '.join(self._by_name) or 'none'}.",
                retry="with-changes",
            )
        return utility


def usual(now: Clock) -> list[Utility]:
    """The utilities that every host can have."""
    text = {"text": "the text"}
    return [
        Utility("time", "the time now, in UTC", lambda _: moment(now())),
        Utility("uuid", "a new random UUID", lambda _: str(uuid.uuid4())),
        Utility(
            "sha256",
            "the SHA-256 of a text's UTF-8 bytes, in hexadecimal",
            lambda given: hashlib.sha256(
                given["text"].encode("utf-8", "surrogatepass")
            ).hexdigest(),
            text,
        ),
        Utility(
            "count",
            "the characters, words and lines of a text",
            lambda given: {
                "characters": len(given["text"]),
                "words": len(given["text"].split()),
                "lines": len(given["text"].splitlines()),
            },
            text,
        ),
    ]


def _arguments(call: ToolCall, utility: Utility) -> Arguments:
    given: object = call.input.get("args")
    if given is None:
        given = {}
    if not isinstance(given, dict) or not _fits(cast("dict[str, Any]", given), utility):
        wanted = ", ".join(utility.arguments) or "nothing in it"
        raise ToolError(
            f"{call.name}: {utility.name} takes `args` with {wanted}: strings of at "
            f"most {LONGEST_TEXT:,} characters",
            retry="with-changes",
        )
    return cast("Arguments", given)


def _fits(given: Mapping[str, Any], utility: Utility) -> bool:
    return given.keys() == utility.arguments.keys() and all(
        isinstance(value, str) and len(value) <= LONGEST_TEXT
        for value in given.values()
    )
