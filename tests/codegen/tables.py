"""Random tables that a person could have written, for Hypothesis."""

from random import Random
from typing import Any

from hypothesis import strategies as st
from modules import table_of
from worlds import RAISES, ROGUE, Answers, refusal_of

from toolroute import ToolCall

NAMES = [
    *("a", "b", "ab", "a_b", "a_", "A_b", "Ab", "a--b", "a--b--c", "b--", "x-a", "x-"),
    *("think", "Think", "thinks", "_", "a-b", "functions"),
]
HEADS = ["a", "a_", "x-", "ab", "think", "_"]
GLOBS = ["a*", "*b", "a*b", "*", "x-*a", "*--"]
SEPARATORS = ["--", "-", "_", "."]
CAPABILITIES = ["gate", "host_", "registry", "primary"]
FORMS = ["trim", "control_tokens", "functions_prefix", "case"]
ROADS = ["turn", "script", "host", "puppet", "module"]

SENT = [
    *NAMES,
    *("abc", "a_bc", "x-1a", "b--c", "-a", "--a", "a.b", "q", "thinkx", "A--B", "thin"),
    *(" a", "a\n", "functions.a", "functions.", "a<|channel|>b", "<|x|>", "THINK"),
    *(
        " functions.THINK<|x|>",
        "channel_\n",
        "a--\x1b[2J",
        "\ud800",
        "",
        "\u212aa",
        "a" * 129,
    ),
    *("x" * 100_000, "a\u2028b", "th\u0131nk"),
]


def _subset(values: list[str], least: int = 0) -> st.SearchStrategy[list[str]]:
    return (
        st.lists(st.sampled_from(values), unique=True, min_size=least)
        if values
        else st.just([])
    )


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """A table whose words are declared; its routes may cover each other."""
    roads = draw(st.lists(st.sampled_from(ROADS), min_size=1, max_size=5))
    callers = {f"caller_{at}": {"road": road} for at, road in enumerate(roads)}
    typed = draw(st.lists(st.booleans(), min_size=4, max_size=4))
    capabilities: dict[str, Any] = {
        name: {"type": f"somewhere.else_:{name.title()}"} if is_typed else {}
        for name, is_typed in zip(CAPABILITIES, typed, strict=True)
    }
    written: dict[str, Any] = {
        "version": 1,
        "callers": callers,
        "capabilities": capabilities,
        "lookups": {
            "owner": {"type": "somewhere.else_:Target", "refuses": ["busy"]},
            "finder": {"type": "another.place:Target"},
        },
        "guards": {
            "policy": {"sees": "agent", "refuses": ["no_policy"]},
            "inspect_": {"sees": "input", "refuses": ["no_input", "no_policy"]},
        },
        "unwraps": {"opener": {}},
        "refusals": {
            "unknown": {
                "code": "NO_SUCH_TOOL",
                "retry": "no",
                "text": draw(st.sampled_from(OTHERWISE)),
            },
            "gone": {
                "code": "X",
                "retry": "yes",
                "text": "{name} by {caller}: {{gone}}",
            },
            "no_way": {"code": "X", "retry": "no", "text": "never"},
            "missing": {
                "code": "X",
                "retry": "after-delay",
                "text": "{name} needs {capability}, and {caller} hasn't",
            },
            "busy": {
                "code": "BUSY",
                "retry": "after-delay",
                "text": "busy with {what}",
            },
            "no_policy": {"code": "X", "retry": "no", "text": "not by policy"},
            "no_input": {"code": "X", "retry": "with-changes", "text": "{a} {b} {a}"},
        },
        "normalise": draw(st.permutations(FORMS).flatmap(_beginning)),
        "otherwise": "unknown",
    }
    if draw(st.booleans()):
        written["guard"] = draw(st.sampled_from(["policy", "inspect_"]))
    kinds = draw(st.lists(_kind(), min_size=1, max_size=4))
    written["routes"] = draw(
        st.lists(
            st.integers(0, len(kinds) - 1).flatmap(
                lambda at: _route(f"kind_{at}", kinds[at], list(callers))
            ),
            min_size=1,
            max_size=8,
        )
    )
    return written


OTHERWISE = [
    "no {name}",
    "no {name} for {caller}",
    "no {name}; perhaps {near}",
    "nothing",
]


def _beginning(forms: list[str]) -> st.SearchStrategy[list[str]]:
    return st.integers(0, len(forms)).map(lambda length: forms[:length])


@st.composite
def _kind(draw: st.DrawFn) -> dict[str, Any]:
    """What all routes of one kind have in common."""
    plane = draw(st.sampled_from(["server", "server", "client"]))
    return {
        "requires": draw(_subset(CAPABILITIES)),
        "plane": plane,
        "ends_turn": draw(st.booleans()),
        "learns": draw(st.sampled_from(["names", "names", "split", "owner", "finder"])),
    }


@st.composite
def _route(
    draw: st.DrawFn, kind: str, shared: dict[str, Any], callers: list[str]
) -> dict[str, Any]:
    route: dict[str, Any] = {
        "kind": kind,
        "requires": shared["requires"],
        "plane": shared["plane"],
        "ends_turn": shared["ends_turn"],
        **draw(_matcher(shared["learns"])),
        "refuse": [
            entry
            for entry in draw(st.lists(_refuse(callers), max_size=3))
            if not _never_holds(entry, shared["requires"])
        ],
        "advertise": draw(st.just("never") | _subset(CAPABILITIES)),
    }
    if shared["ends_turn"] or shared["plane"] == "client" or draw(st.booleans()):
        route["off_turn"] = "gone"
    if shared["requires"] and "lookup" not in route and draw(st.booleans()):
        route["when_missing"] = "missing"
    if draw(st.booleans()):
        route["guard"] = draw(st.sampled_from(["policy", "inspect_"]))
    if draw(st.booleans()):
        route["unwrap"] = "opener"
    return route


def _matcher(learns: str) -> st.SearchStrategy[dict[str, Any]]:
    bounds = st.one_of(
        st.sampled_from(HEADS).map(lambda head: {"prefix": head}),
        st.sampled_from(GLOBS).map(lambda glob: {"glob": glob}),
        st.sampled_from(SEPARATORS).map(lambda split: {"split": split}),
    )
    match learns:
        case "split":
            return st.sampled_from(SEPARATORS).map(lambda split: {"split": split})
        case "names":
            return st.one_of(
                _subset(NAMES, 1).map(lambda names: {"names": names}),
                _subset(NAMES, 1).map(lambda names: {"names": names}),
                st.sampled_from(HEADS).map(lambda head: {"prefix": head}),
                st.sampled_from(GLOBS).map(lambda glob: {"glob": glob}),
            )
        case _:
            return st.one_of(
                st.just({"lookup": learns}),
                bounds.map(lambda within: {"lookup": learns, "within": within}),
            )


def _never_holds(entry: dict[str, Any], requires: list[str]) -> bool:
    """Whether only the required may be absent: a finding, and no question to a host."""
    return "unless" in entry and set(entry["unless"]) <= {*requires}


@st.composite
def _refuse(draw: st.DrawFn, callers: list[str]) -> dict[str, Any]:
    parts = {
        "callers": _subset(callers, 1),
        "names": _subset(NAMES, 1),
        "when": _subset(CAPABILITIES, 1),
        "unless": _subset(CAPABILITIES, 1),
    }
    entry = {
        key: draw(values)
        for key, values in parts.items()
        if draw(st.sampled_from([True, False, False]))
    }
    return {**entry, "with": draw(st.sampled_from(["gone", "no_way"]))}


def answers(written: dict[str, Any], random: Random) -> Answers:
    """What a host may say to the questions of a table that `tables` drew."""
    model = table_of(written).written
    busy = refusal_of(model, "busy", what="everything")
    policy = refusal_of(model, "no_policy")
    odd: list[Any] = [RAISES, ROGUE, True, False, 7, policy, busy]
    inner = [ToolCall("inner", name, {"deep": 1}) for name in SENT]
    usual: dict[str, list[Any]] = {
        "owner": ["target", "target", None, busy],
        "finder": ["target", "another", None],
        "policy": [None, None, None, policy],
        "inspect_": [None, None, refusal_of(model, "no_input")],
        "opener": [None, None, *random.sample(inner, 4), ToolCall("", "a", {})],
    }
    return Answers(
        present=frozenset(c for c in CAPABILITIES if random.random() < 0.7),
        raising=frozenset(c for c in CAPABILITIES if random.random() < 0.05),
        members={
            name: [
                random.choice(odd) if random.random() < 0.15 else random.choice(some)
                for _ in range(4)
            ]
            for name, some in usual.items()
        },
        listed={
            f"kind_{at}": RAISES
            if random.random() < 0.1
            else [random.choice([*SENT, 7, None]) for _ in range(6)]
            for at in range(4)
        },
    )
