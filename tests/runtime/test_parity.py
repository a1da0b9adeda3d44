"""Every road answers what the table says: word for word, and by the same handler."""

import itertools
from collections.abc import Callable
from typing import Any, get_args

import pytest
from made_up_time import run
from root_host import DECIDING, NAMES, OBJECTS, RootHost, said
from runtime_house import Desk

from toolroute import Refusal, ToolCall, error_answer
from toolroute.runtime import Answer, PuppetError
from toolroute.runtime._who import AsModule
from toolroute_host import dispatch

CALLS = [
    *(ToolCall(f"id_{name}", name) for names in NAMES.values() for name in names),
    ToolCall("inner", "toolsets--act", {"tool": "think"}),
    ToolCall("inner", "toolsets--act", {"tool": "skip_reply"}),
    ToolCall("nested", "toolsets--act", {"tool": "toolsets--act"}),
    ToolCall("unknown", "no_such_tool"),
]
SETS = [
    frozenset(present)
    for size in range(len(DECIDING) + 1)
    for present in itertools.combinations(DECIDING, size)
]
FEW = [present for present in SETS if not 3 < len(present) < 7]
"""Few are present or few absent: a puppet's surface takes long to list."""

Told = tuple[str, Any, bool, str]
"""The answer's kind, what the model sees, whether it's an error, and its status."""


def _told(answer: Answer) -> Told:
    return answer.kind, answer.content, answer.is_error, answer.status


def _host(present: frozenset[str]) -> RootHost:
    return RootHost(
        present=present & frozenset(OBJECTS),
        agents={"ada": present - frozenset(OBJECTS)},
    )


def _expected(host: RootHost, call: ToolCall, caller: str, agent: Any) -> Told:
    """What `decide` says, put together without the runtime."""
    view: Any = host.view(agent)
    if caller == "module":
        guards = host.bound().guards
        view = AsModule(host.view(None), host.view(agent), guards)
    decision = dispatch.decide(call, caller, view)  # type: ignore[arg-type]
    if isinstance(decision, Refusal):
        status = "refused" if caller == "turn" else "error"
        content = error_answer(decision.code, decision.text, decision.retry)
        return "refused", content, True, status
    given: Any = said(decision, None)  # type: ignore[arg-type]
    return "returned", given.content, False, "ok"


def _off_surface(call: ToolCall) -> Told:
    text = (
        f"puppet refused: tool {call.name} is not on ada's surface, "
        "so nothing was done."
    )
    return "refused", error_answer("TOOL_REFUSED", text, "no"), True, "error"


async def _turn(host: RootHost) -> list[Told]:
    async with host.runtime().turn("ada") as turn:
        return [_told(answer) for answer in await turn.run(CALLS)]


async def _script(host: RootHost) -> list[Told]:
    async with host.runtime().turn("ada") as turn:
        return [_told(await turn.script().call(call)) for call in CALLS]


async def _host_as_agent(host: RootHost) -> list[Told]:
    handle = host.runtime().host("ada")
    return [_told(await handle.call(call)) for call in CALLS]


async def _host_as_nobody(host: RootHost) -> list[Told]:
    handle = host.runtime().host()
    return [_told(await handle.call(call)) for call in CALLS]


async def _module(host: RootHost) -> list[Told]:
    handle = host.runtime().module("m")
    return [_told(await handle.call(call, agent="ada")) for call in CALLS]


async def _puppet(host: RootHost) -> list[Told]:
    handle = host.runtime(window=Desk()).puppet("ada")
    answers: list[Told] = []
    for call in CALLS:
        try:
            answers.append(_told(await handle.call(call)))
        except PuppetError as refused:
            answers.append(_told(refused.answer))
    return answers


ROADS: dict[str, tuple[str, str | None, Callable[[RootHost], Any]]] = {
    "turn": ("turn", "ada", _turn),
    "script": ("script", "ada", _script),
    "host as an agent": ("host", "ada", _host_as_agent),
    "host as nobody": ("host", None, _host_as_nobody),
    "module": ("module", "ada", _module),
    "puppet": ("puppet", "ada", _puppet),
}


@pytest.mark.parametrize("road", ROADS)
def test_a_road_answers_what_the_table_says(road: str) -> None:
    caller, agent, make = ROADS[road]
    succeeded: set[str] = set()

    async def main() -> None:
        for present in FEW if road == "puppet" else SETS:
            host = _host(present)
            expected = [_expected(host, call, caller, agent) for call in CALLS]
            if road == "puppet":
                surface = dispatch.surface("puppet", host.view("ada"))  # type: ignore[arg-type]
                expected = [
                    one if call.name in surface else _off_surface(call)
                    for call, one in zip(CALLS, expected, strict=True)
                ]
            assert await make(host) == expected, sorted(present)
            succeeded.update(one[1]["kind"] for one in expected if one[0] == "returned")

    run(main())
    never = {
        "turn": set[str](),
        "script": {"code_execution"},
        "host as an agent": {"skip_reply"},
        "host as nobody": {"skip_reply", "focus"},
        "module": {"agent_verb", "skip_reply", "drafts", "focus"},
        "puppet": {"skip_reply"},
    }
    assert succeeded == {*NAMES} - never[road]


def test_the_roads_are_all_of_the_tables_callers() -> None:
    assert {caller for caller, _, _ in ROADS.values()} == {*get_args(dispatch.Caller)}


def test_the_names_are_of_all_kinds() -> None:
    assert list(NAMES) == list(dispatch.ORDER)
