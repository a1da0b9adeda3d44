"""What a rule matches, quickly, and what is no rule."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroute_host._glob import Glob
from toolroute_host._rules import RuleError, read
from toolroute_host.events import Event

from .gating import ALWAYS, HELLO

MATCHES: list[tuple[Mapping[str, Any], bool]] = [
    ({}, True),
    ({"scope": ["message"]}, True),
    ({"scope": "deadline"}, False),
    ({"source": "ch?t"}, True),
    ({"source": "CHAT"}, False),
    ({"channel": ["attic", "lobby"]}, True),
    ({"channel": "lob"}, False),
    ({"tagsAny": ["chat:mention", "chat:*"]}, True),
    ({"tagsAll": ["chat:ambient", "chat:mention"]}, False),
    ({"tagsNone": ["chat:ambient"]}, False),
    ({"tagsNone": ["chat:mention"]}, True),
    ({"text": "HELLO"}, True),
    ({"text": "goodbye"}, False),
    ({"channel": "lobby", "text": "goodbye"}, False),
]


@pytest.mark.parametrize(("match", "expected"), MATCHES, ids=str)
def test_all_that_a_match_says_must_hold(
    match: Mapping[str, Any], *, expected: bool
) -> None:
    assert read("r", {"match": match, **ALWAYS}).matches(HELLO) is expected


def test_a_glob_that_a_backtracking_matcher_would_die_of_is_quick() -> None:
    event = Event("message", "chat", "a" * 100_000)
    rule = read("r", {"match": {"channel": "*a" * 90 + "*b"}, **ALWAYS})
    assert rule.matches(event) is False


BROKEN: list[tuple[Mapping[str, Any], str]] = [
    (
        {},
        "exactly one of behavior, debounceMs, rateLimit, passiveSample must be given",
    ),
    (
        {"behavior": "always", "debounceMs": 1},
        "exactly one of behavior, debounceMs, rateLimit, passiveSample must be given",
    ),
    ({"behavior": "sometimes"}, '`behavior` must be "always", or "defer"'),
    ({"debounceMs": 0}, "`debounceMs` must be a positive number"),
    ({"debounceMs": True}, "`debounceMs` must be a positive number"),
    ({"debounceMs": float("nan")}, "`debounceMs` must be a positive number"),
    ({"rateLimit": 3}, "`rateLimit` must be an object"),
    ({"rateLimit": {}}, "`rateLimit.tokens` must be a positive number"),
    (
        {"passiveSample": {"every": 1.5}},
        "`passiveSample.every` must be a positive whole number",
    ),
    ({"match": [], **ALWAYS}, "`match` must be an object"),
    (
        {"debounceMs": 1e300},
        "`debounceMs` can be at most 31622400000 (a year)",
    ),
    (
        {"match": {"scope": ["a"] * 30, "tagsNone": ["a"] * 21}, **ALWAYS},
        "`match` must be at most 50 patterns in all",
    ),
    (
        {"match": {"regex": "a+"}, **ALWAYS},
        "`match` knows channel, scope, source, tagsAll, tagsAny, tagsNone, text",
    ),
    (
        {"match": {"channel": 3}, **ALWAYS},
        "`match.channel` must be at most 50 patterns",
    ),
    (
        {"match": {"channel": [""]}, **ALWAYS},
        "`match.channel` must hold patterns of 1 to 200 characters",
    ),
    (
        {"match": {"text": "x" * 201}, **ALWAYS},
        "`match.text` must be at most 200 characters",
    ),
]


@pytest.mark.parametrize(("written", "words"), BROKEN, ids=lambda each: str(each)[:40])
def test_what_is_no_rule_is_refused_in_words(
    written: Mapping[str, Any], words: str
) -> None:
    with pytest.raises(RuleError) as refused:
        read("r", written)
    assert str(refused.value) == words


GLOBS = st.text("ab*?", max_size=8)


@given(GLOBS, st.text("abc", max_size=8))
def test_a_glob_takes_what_the_same_regular_expression_takes(
    pattern: str, text: str
) -> None:
    meaning = {"*": ".*", "?": "."}
    same = "".join(meaning.get(each, each) for each in pattern)
    assert Glob.of(pattern).matches(text) is bool(re.fullmatch(same, text))


@pytest.mark.parametrize("pattern", ["[ab]", "a.c", "a+", "(", "[", "\\", "é*"])
def test_a_glob_has_no_other_signs(pattern: str) -> None:
    assert Glob.of(pattern).matches(pattern)
    assert not Glob.of(pattern).matches("abc")
