"""Windows: each agent's stored messages, in the shape that a model's provider takes.

Calls and their results go in together or not at all, so whatever stops the host, no
window holds a call without its result. A round that was begun is stored once, by who
began it, or by who finds that they are dead. An id that a provider wouldn't take, since
it isn't one or stands in the window already, is stored as a new one.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Any, Final, final

from toolroute import ToolCall
from toolroute.runtime import IDLE, Answer, Exchange
from toolroute_host._kept import Clock, Kept
from toolroute_host.agents import Agents
from toolroute_host.store import Store

__all__ = ["Begun", "Unfinished", "Windows"]

USE: Final = "tool_use"
RESULT: Final = "tool_result"
ID: Final = re.compile(r"[A-Za-z0-9_-]{1,256}")
ELSEWHERE: Final = "in a round that another process runs"


@final
class Windows(Kept):
    """What the runtime stores exchanges in, and what an agent's next request shows."""

    def __init__(
        self,
        store: Store,
        now: Clock,
        agents: Agents,
        shown: Callable[[str, Any], object] | None = None,
    ) -> None:
        """`shown` is told of each message that comes from elsewhere, and to whom."""
        super().__init__(store, now)
        self._agents = agents
        self._shown = shown

    def status(self, agent: str, /) -> str | None:
        """Idle, unless a round runs elsewhere; `None` for an agent it doesn't have."""
        if self._agents.get(agent) is None:
            return None
        keys = self._store.read(
            "SELECT key FROM unfinished_rounds WHERE owner = ?", agent
        )
        others = {_host(key) for (key,) in keys} - {self._store.owner}
        return IDLE if all(map(self._store.gone, others)) else ELSEWHERE

    def begin(self, agent: str, message: Any, calls: Sequence[ToolCall]) -> "Begun":
        """Keep a round that is about to run; gives what to hand over with it.

        Its messages aren't in the window before it's stored, which ends it.
        """
        kept = [[call.id, call.name, dict(call.input)] for call in calls]
        key = f"{self._store.owner}/{token_hex(8)}"
        with self._store.change() as db:
            db.execute(
                "INSERT INTO unfinished_rounds VALUES (?, ?, ?, ?)",
                (key, agent, json.dumps(message), json.dumps(kept)),
            )
        return Begun(key, message)

    def unfinished(self) -> list["Unfinished"]:
        """The rounds that weren't stored by hosts that are no more."""
        rows = self._store.read(
            "SELECT key, owner, message, calls FROM unfinished_rounds ORDER BY key"
        )
        dead = {
            host for host in {_host(key) for key, *_ in rows} if self._store.gone(host)
        }
        return [
            Unfinished(
                owner,
                Begun(key, json.loads(message)),
                tuple(ToolCall(*call) for call in json.loads(calls)),
            )
            for key, owner, message, calls in rows
            if _host(key) in dead
        ]

    def forget(self, begun: "Begun") -> None:
        """A round didn't begin after all."""
        with self._store.change() as db:
            _finish(db, begun)

    def store(self, agent: str, exchange: Exchange, /) -> None:
        """Append an assistant message's calls and their results, all or nothing."""
        given: Any = exchange.message
        said = given.message if isinstance(given, Begun) else given
        with self._store.change() as db:
            if isinstance(given, Begun) and not _finish(db, given):
                return
            calls = [_with_an_id(db, agent, call) for call in exchange.calls]
            made = _with_ids(said, calls) if said else assistant_message(calls)
            _append(db, agent, made, results_message(calls, exchange.answers))

    def deliver(self, agent: str, message: Any, /) -> None:
        """Append a message that came from elsewhere."""
        if self._shown is not None:
            self._shown(agent, message)
        with self._store.change() as db:
            _append(db, agent, message)

    def messages(self, agent: str, most: int | None = None) -> list[Any]:
        """The last messages, oldest first; never from between a call and its result."""
        rows = self._store.read(
            "SELECT message FROM messages WHERE owner = ? ORDER BY id DESC LIMIT ?",
            agent,
            -1 if most is None else most,
        )
        shown = [json.loads(message) for (message,) in reversed(rows)]
        while shown and _holds_results(shown[0]):
            shown.pop(0)
        return shown


@final
@dataclass(frozen=True, slots=True)
class Begun:
    """A round's name, and the assistant message that made its calls."""

    key: str
    message: Any


@final
@dataclass(frozen=True, slots=True)
class Unfinished:
    """A round that began and wasn't stored."""

    agent: str
    begun: Begun
    calls: tuple[ToolCall, ...]


def _host(key: str) -> str:
    """Who had the store open that began this round."""
    return key.partition("/")[0]


def _finish(db: sqlite3.Connection, begun: Begun) -> bool:
    """A round is begun no more; whether it was until now."""
    deleted = db.execute("DELETE FROM unfinished_rounds WHERE key = ?", (begun.key,))
    return deleted.rowcount == 1


def _with_an_id(db: sqlite3.Connection, agent: str, call: ToolCall) -> ToolCall:
    """The call with an id that stands nowhere else in the window."""
    if ID.fullmatch(call.id) and _is_new(db, agent, call.id):
        return call
    fresh = f"call_{token_hex(12)}"
    _is_new(db, agent, fresh)
    return replace(call, id=fresh)


def _is_new(db: sqlite3.Connection, agent: str, id: str) -> bool:  # noqa: A002
    row = (agent, id)
    return db.execute("INSERT OR IGNORE INTO call_ids VALUES (?, ?)", row).rowcount == 1


def _with_ids(message: Any, calls: Sequence[ToolCall]) -> Any:
    """The message, each call in it with the id that it's stored under."""
    match message:
        case {"content": [*blocks]}:
            ids = iter([call.id for call in calls])
            named = [_named(each, ids) if _is_a(each, USE) else each for each in blocks]
            return message if named == blocks else {**message, "content": named}
        case _:
            return message


def _named(use: Any, ids: Iterator[str]) -> Any:
    return {**use, "id": next(ids, use.get("id"))}


def _append(db: sqlite3.Connection, agent: str, *messages: Any) -> None:
    rows = [(agent, json.dumps(message)) for message in messages]
    db.executemany("INSERT INTO messages (owner, message) VALUES (?, ?)", rows)


def user_message(text: str) -> dict[str, Any]:
    """A message that somebody sent the agent."""
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def assistant_message(calls: Sequence[ToolCall]) -> dict[str, Any]:
    """A message of the agent's that makes these calls and says nothing besides."""
    return {"role": "assistant", "content": [_use(call) for call in calls]}


def results_message(
    calls: Sequence[ToolCall], answers: Sequence[Answer]
) -> dict[str, Any]:
    """The message that answers these calls, in their order."""
    pairs = zip(calls, answers, strict=True)
    return {"role": "user", "content": [_result(call, each) for call, each in pairs]}


def _use(call: ToolCall) -> dict[str, Any]:
    return {
        "type": USE,
        "id": call.id,
        "name": call.name,
        "input": dict(call.input),
    }


def _result(call: ToolCall, answer: Answer) -> dict[str, Any]:
    result: dict[str, Any] = {
        "type": RESULT,
        "tool_use_id": call.id,
        "content": answer.content if isinstance(answer.content, str) else answer.json,
    }
    return {**result, "is_error": True} if answer.is_error else result


def _holds_results(message: Any) -> bool:
    match message:
        case {"content": [*blocks]}:
            return any(_is_a(block, RESULT) for block in blocks)
        case _:
            return False


def _is_a(block: Any, kind: str) -> bool:
    match block:
        case {"type": str(each)}:
            return each == kind
        case _:
            return False
