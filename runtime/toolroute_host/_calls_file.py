"""A file of calls to make, one JSON object a line.

    {"name": "think", "input": {"content": "hm"}, "as": "turn", "agent": "ada"}

`as` is a caller or a list of them, and every caller when it's left out; `agent` is whom
it is made as, or for whom a module says that it calls; without one, a host's or a
module's call is nobody's. `without` names capabilities that aren't there for this one.
A file that can't be read whole is not run in part.
"""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast, final, get_args

from toolroute import ToolCall
from toolroute._text import one_line
from toolroute_host.dispatch import Caller

LARGEST: Final = 10_000_000
"""Bytes of a file."""

CALLERS: Final[tuple[Caller, ...]] = get_args(Caller)
KEYS: Final = frozenset({"agent", "as", "input", "name", "without"})
ABSENT: Final = frozenset(
    {
        *("channel_registry", "code_execution", "event_gate", "focus", "heartbeat"),
        *("mcpl_registry", "tune_out", "utilities", "workspace"),
    }
)
"""The capabilities of the host itself: what a line can be without."""


@final
@dataclass(frozen=True, slots=True)
class Planned:
    """A call to make, by whom, and what isn't there meanwhile."""

    call: ToolCall
    caller: Caller
    agent: str | None
    without: frozenset[str]


@final
class UnreadableCalls(Exception):  # noqa: N818  (it reads as what it says)
    """The file can't be used: one sentence a finding, each with its place."""

    def __init__(self, *findings: str) -> None:
        super().__init__(*findings)
        self.findings = findings


def load(path: Path, agents: Collection[str]) -> list[Planned]:
    """The calls of a file, in order; a line for several callers is a call for each."""
    return parse(_text(path), str(path), agents)


def parse(text: str, filename: str, agents: Collection[str]) -> list[Planned]:
    """The calls that the text of a file says, made as one of these agents or nobody."""
    planned: list[Planned] = []
    findings: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            planned.extend(_line(line, number, agents))
        except _LineError as bad:
            findings.append(f"{filename}:{number}: {bad}")
    if findings:
        raise UnreadableCalls(*findings)
    return planned


class _LineError(Exception):
    """What's wrong with a line, and what it should hold."""


def _text(path: Path) -> str:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise UnreadableCalls(f"{path}: isn't a file")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        reason = (error.strerror or "the system refused it").lower()
        raise UnreadableCalls(f"{path}: can't be read: {reason}") from error
    if len(data) > LARGEST:
        raise UnreadableCalls(f"{path}: holds over {LARGEST:,} bytes of calls")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableCalls(f"{path}:{line}: isn't text in UTF-8") from error


def _line(line: str, number: int, agents: Collection[str]) -> Iterator[Planned]:
    read = _object(line)
    for key in read:
        if key not in KEYS:
            raise _LineError(
                f"a call has no key {one_line(key)!r}. It has {', '.join(sorted(KEYS))}"
            )
    name, arguments = read.get("name"), read.get("input", {})
    if not isinstance(name, str):
        raise _LineError('`name` must be there, and a string: {"name": "think"}')
    if not isinstance(arguments, dict):
        raise _LineError("`input` must be an object, or be left out")
    agent = read.get("agent")
    if agent is not None and agent not in agents:
        raise _LineError(f"`agent` must be one of {', '.join(agents)}, or null")
    without = frozenset(_strings(read, "without", ABSENT))
    for caller in _strings(read, "as", frozenset(CALLERS)) or CALLERS:
        if agent is None and caller in {"turn", "script", "puppet"}:
            raise _LineError(f"`agent` must name whose {caller} call it is")
        call = ToolCall(f"call-{number}", name, cast("dict[str, Any]", arguments))
        yield Planned(call, cast("Caller", caller), agent, without)


def _object(line: str) -> dict[str, Any]:
    try:
        read: object = json.loads(line, object_pairs_hook=_once_each)
    except json.JSONDecodeError as error:
        raise _LineError(f"isn't JSON: {error.msg} at column {error.colno}") from error
    except (RecursionError, ValueError) as error:
        raise _LineError(
            "is JSON that's nested too deep or holds too long a number"
        ) from error
    if not isinstance(read, dict):
        raise _LineError('must be an object: {"name": "think"}')
    return cast("dict[str, Any]", read)


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in read:
            raise _LineError(
                f"names `{one_line(key)}` twice, so it can't be told which is meant"
            )
        read[key] = value
    return read


def _strings(read: dict[str, Any], key: str, known: frozenset[str]) -> list[str]:
    value: object = read.get(key, [])
    listed = cast("list[object]", value if isinstance(value, list) else [value])
    for each in listed:
        if not isinstance(each, str) or each not in known:
            raise _LineError(f"`{key}` must name some of {', '.join(sorted(known))}")
    return cast("list[str]", listed)
