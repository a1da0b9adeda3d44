"""A fingerprint is of what a table means: of that, all, and of nothing else."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from goldens import ACCEPTED
from modules import table_of

from toolroute_codegen.fingerprint import fingerprint
from toolroute_codegen.load import load
from toolroute_codegen.parse import parse

TABLE: dict[str, Any] = {
    "version": 1,
    "callers": {
        "turn": {"road": "turn", "doc": "x"},
        "second": {"road": "turn"},
        "host": {"road": "host"},
        "puppet": {"road": "puppet"},
    },
    "capabilities": {"gate": {"doc": "x"}, "doc": {"type": "pathlib:Path"}},
    "lookups": {"owner": {"type": "pathlib:Path", "refuses": ["no", "gone"]}},
    "guards": {"check": {"sees": "agent", "refuses": ["no"]}},
    "unwraps": {"inner": {"doc": "x"}},
    "refusals": {
        "no": {"code": "NOPE", "retry": "no", "text": "{name}"},
        "gone": {"code": "GONE", "retry": "yes", "text": "gone"},
    },
    "normalise": ["trim", "case"],
    "guard": "check",
    "routes": [
        {
            "kind": "one",
            "doc": "x",
            "names": ["a", "b"],
            "requires": ["gate", "doc"],
            "refuse": [
                {"callers": ["host"], "with": "no"},
                {"when": ["gate"], "with": "gone"},
            ],
        },
        {"kind": "two", "lookup": "owner", "within": {"split": "--"}},
        {"kind": "three", "prefix": "x_", "unwrap": "inner", "when_missing": "gone"},
    ],
    "otherwise": "no",
}

Change = Callable[[dict[str, Any]], Any]


def of(written: dict[str, Any]) -> str:
    """The fingerprint of this table."""
    return fingerprint(table_of(written).written)


def changed(change: Change) -> dict[str, Any]:
    """The table, with this change."""
    written = copy.deepcopy(TABLE)
    change(written)
    return written


def _turned(mapping: dict[str, Any]) -> None:
    entries = list(mapping.items())
    mapping.clear()
    mapping.update(reversed(entries))


SAME: dict[str, Change] = {
    "docs": lambda t: (
        t["callers"]["turn"].pop("doc"),
        t["routes"][0].update(doc="other"),
        t["unwraps"]["inner"].update(doc="other"),
        t["capabilities"]["gate"].pop("doc"),
    ),
    "the order of capabilities": lambda t: _turned(t["capabilities"]),
    "the order of refusals": lambda t: _turned(t["refusals"]),
    "the order of a route's keys": lambda t: _turned(t["routes"][0]),
    "the order of the top's keys": _turned,
    "what is said and would be so": lambda t: t["routes"][0].update(
        plane="server", ends_turn=False, advertise=[]
    ),
}

OTHER: dict[str, Change] = {
    "the order of routes": lambda t: t["routes"].reverse(),
    "the order of names": lambda t: t["routes"][0]["names"].reverse(),
    "the order of what is required": lambda t: t["routes"][0]["requires"].reverse(),
    "the order of refuse": lambda t: t["routes"][0]["refuse"].reverse(),
    "a letter of a text": lambda t: t["refusals"]["gone"].update(text="gonf"),
    "a code": lambda t: t["refusals"]["gone"].update(code="GONF"),
    "a retry": lambda t: t["refusals"]["gone"].update(retry="no"),
    "a type": lambda t: t["lookups"]["owner"].update(type="pathlib:PurePath"),
    "a type that is gone": lambda t: t["capabilities"]["doc"].pop("type"),
    "what a guard sees": lambda t: t["guards"]["check"].update(sees="input"),
    "a road": lambda t: t["callers"]["host"].update(road="module"),
    "a form": lambda t: t["normalise"].pop(),
    "the order of forms": lambda t: t["normalise"].reverse(),
    "a guard": lambda t: t.pop("guard"),
    "a plane": lambda t: t["routes"][1].update(plane="client"),
    "an end": lambda t: t["routes"][1].update(ends_turn=True),
    "advertise": lambda t: t["routes"][1].update(advertise="never"),
    "within": lambda t: t["routes"][1].update(within={"split": "-"}),
    "a matcher": lambda t: t["routes"][1].pop("within"),
    "a capability named doc": lambda t: t["capabilities"].pop("doc"),
    "otherwise": lambda t: t.update(otherwise="gone"),
    "whose surface a puppet's is": lambda t: _turned(t["callers"]),
}


@pytest.mark.parametrize("what", SAME)
def test_what_means_nothing_doesnt_count(what: str) -> None:
    assert of(changed(SAME[what])) == of(TABLE)


@pytest.mark.parametrize("what", OTHER)
def test_what_means_something_counts(what: str) -> None:
    assert of(changed(OTHER[what])) != of(TABLE)


def test_all_that_means_something_means_something_else() -> None:
    prints = [of(TABLE), *(of(changed(change)) for change in OTHER.values())]
    assert len(set(prints)) == len(prints)


@pytest.mark.parametrize("table", sorted(ACCEPTED.glob("*.yaml")), ids=lambda t: t.stem)
def test_comments_and_line_ends_dont_count(table: Path) -> None:
    text = table.read_text(encoding="utf-8")
    noisy = "# noise\r\n" + text.replace("\n", "  # noise\r\n", 1).replace("\n", "\r\n")
    noisy = noisy.replace("\r\r", "\r")
    first, second = (parse(load(each, "x.yaml")).written for each in (text, noisy))
    assert fingerprint(first) == fingerprint(second)


def test_it_is_64_hexadecimal_digits() -> None:
    assert len(of(TABLE)) == 64
    assert int(of(TABLE), 16) > 0
