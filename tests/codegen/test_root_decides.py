"""The root table's module against the interpreter, as near to everything as there is.

Every name of the table and names near them, every caller, every set of the nine
capabilities that decide, a call in a turn, off it and by default, and hosts whose
lookup, guards and unwrap answer, refuse, raise and answer what nobody declared.

Both are functions of what they read. So sets that agree on it are one case, and one of
them is tried, until no set is left.
"""

import logging
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from modules import root_table
from worlds import RAISES, ROGUE, AHost, Answers, AWorld, read, refusal_of, seen

from toolroute import ToolCall
from toolroute_codegen import interpreter
from toolroute_host import dispatch

TABLE = root_table()
WORDS = TABLE.written
DECIDING = (
    *("mcpl_registry", "channel_registry", "event_gate", "tune_out", "focus"),
    *("code_execution", "heartbeat", "primary", "fork"),
)
MOMENTS = (None, True, False)

EXACT = [name for route in WORDS.routes for name in route.names or ()]
NEAR = [
    *("think ", " think", "Think", "thin", "thinkk", "think\n", "sleep--", "--sleep"),
    *(
        "",
        "utils\0",
        "functions.utils",
        "focus:",
        "toolsets",
        "toolsets--",
        "wake-rule",
    ),
    *(
        "unknown",
        "x" * 128,
        "x" * 129,
        "x" * 1_000_000,
        "\ud800",
        "\u202eutils",
        "ut\u0131ls",
    ),
]
CHANNELS = ["channel_", "channel_\n", "channel_open", "channel_x", "channel_a--b"]
SPLIT = [
    *("a--b", "server--tool", "a--", "--b", "a--\x1b[2J", "a--b--c", "toolsets--close"),
    "channel_a--b",
]
NAMES = [*EXACT, *NEAR, *CHANNELS, *SPLIT]
CARRIED = [
    *(
        "think",
        "skip_reply",
        "channel_open",
        "server--tool",
        "toolsets--act",
        "nowhere",
    ),
    *("toolsets--open", "", "x" * 1_000_000, "\ud800"),
]


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Iterator[None]:
    """Hosts raise here by the thousand, and each time that is logged."""
    logging.getLogger("toolroute").disabled = True
    yield
    logging.getLogger("toolroute").disabled = False


def _said(refusal: str) -> Any:
    return refusal_of(WORDS, refusal, home="home", channel="channel")


GUARD = [None, _said("not_allowed"), RAISES, ROGUE, True]
LOOKUP = [None, "target", RAISES, ROGUE, True]
POLICY = [None, _said("server_policy"), RAISES, _said("not_allowed")]
FORK = [
    None,
    *map(_said, ("fork_cannot_open", "fork_cannot_publish", "fork_cannot_close")),
    *(RAISES, ROGUE),
]
ACT = [
    None,
    RAISES,
    "no call",
    *(ToolCall("inner", name, {"x": 1}) for name in CARRIED),
]
PLAIN = dict.fromkeys([*WORDS.guards, *WORDS.unwraps], (None,))


def _worlds(name: str) -> Iterator[dict[str, tuple[Any, ...]]]:
    """What the host may answer, as far as it's asked about `name`."""
    for guard in GUARD:
        yield {**PLAIN, "allowed_tools": (guard,), "mcpl_server": ("target",)}
    if "--" in name:
        for lookup, policy in product(LOOKUP, POLICY):
            yield {**PLAIN, "mcpl_server": (lookup,), "tool_policy": (policy,)}
    if name.startswith("channel_"):
        for fork in FORK:
            yield {**PLAIN, "mcpl_server": (None,), "fork_channel": (fork,)}
    if name in ("toolsets--open", "toolsets--act"):
        for act, lookup in product(ACT, (None, "target", RAISES)):
            yield {**PLAIN, "mcpl_server": (lookup,), "toolset_act": (act,)}


class _Cases(Answers):
    """Answers that note which capabilities were read: the case that they are of."""

    def __init__(self, present: frozenset[str], members: dict[str, Any]) -> None:
        super().__init__(present, members=members)
        object.__setattr__(self, "found", {})

    found: dict[str, bool]

    def has(self, capability: str) -> bool:
        """Whether it is present."""
        self.found[capability] = super().has(capability)
        return self.found[capability]


def _decides_the_same(
    call: ToolCall,
    caller: Any,
    moment: bool | None,  # noqa: FBT001 - as `decide` has it
    answers: _Cases,
) -> None:
    host: Any = AHost(answers, WORDS)
    world = AWorld(answers)
    decided = seen(dispatch.decide(call, caller, host, moment), TABLE)
    assert decided == read(interpreter.decide(TABLE, call, caller, world, moment))
    assert host.asked == world.asked
    assert len(host.reads) == len(set(host.reads))


@pytest.mark.parametrize("caller", WORDS.callers)
def test_the_root_module_decides_as_the_interpreter_does(caller: Any) -> None:
    for name, moment in product(NAMES, MOMENTS):
        call = ToolCall("id", name, {"of": "the call"})
        for members in _worlds(name):
            left = [*SETS]
            while left:
                answers = _Cases(left[0], members)
                _decides_the_same(call, caller, moment, answers)
                left = [each for each in left if not _agrees(each, answers.found)]


def _agrees(present: frozenset[str], found: dict[str, bool]) -> bool:
    """Whether this set is of the case in which these were found present or absent."""
    return all((capability in present) == had for capability, had in found.items())


@pytest.mark.parametrize("caller", WORDS.callers)
def test_it_does_on_every_single_set_where_the_host_answers(caller: Any) -> None:
    members = {**PLAIN, "mcpl_server": ("target",)}
    for name, present in product(NAMES, SETS):
        call = ToolCall("id", name, {"of": "the call"})
        _decides_the_same(call, caller, None, _Cases(present, members))


SETS = [
    frozenset(each for at, each in enumerate(DECIDING) if chosen >> at & 1)
    for chosen in range(1 << len(DECIDING))
]
