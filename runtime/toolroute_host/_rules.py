"""Wake rules: which events they are about, and what becomes of those.

A rule is data. It is read from a call's arguments or from the store by one function, so
what is kept is what was checked. Patterns are globs, never regular expressions: a model
writes them. An event is judged by all of an agent's rules, so what they can hold is
bounded, and one that was read is read no more.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast, final

from toolroute_host._arguments import A_YEAR, is_positive, one_of
from toolroute_host._glob import Glob
from toolroute_host.events import Event

LONGEST_PATTERN: Final = 200
MOST_PATTERNS: Final = 50
SIMPLE: Final = ("always", "defer")
BEHAVIOURS: Final = ("behavior", "debounceMs", "rateLimit", "passiveSample")
PARTS: Final = ("match", *BEHAVIOURS)
Patterns: TypeAlias = tuple[Glob, ...]


class RuleError(ValueError):
    """A rule isn't one: which part, and what it must be."""


@final
@dataclass(frozen=True, slots=True)
class Always:
    """The event wakes the agent."""


@final
@dataclass(frozen=True, slots=True)
class Defer:
    """The event is kept, and wakes nobody."""


@final
@dataclass(frozen=True, slots=True)
class Debounce:
    """One wake for a burst, when nothing more came for so long."""

    milliseconds: float


@final
@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most so many wakes at once; one more is allowed after each interval."""

    tokens: float
    refill_ms: float


@final
@dataclass(frozen=True, slots=True)
class PassiveSample:
    """Every so many-th event wakes."""

    every: int


Behaviour: TypeAlias = Always | Defer | Debounce | RateLimit | PassiveSample


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. No patterns say nothing; all that say something must agree."""

    name: str
    behaviour: Behaviour
    written: Mapping[str, Any]
    kinds: Patterns
    sources: Patterns
    channels: Patterns
    any_tags: Patterns
    all_tags: Patterns
    no_tags: Patterns
    words: str

    def matches(self, event: Event) -> bool:
        """Whether the event is one that this rule is about."""
        return (
            _any(self.kinds, event.kind)
            and _any(self.sources, event.source)
            and _any(self.channels, event.channel or "")
            and (not self.any_tags or any(_tagged(event, p) for p in self.any_tags))
            and all(_tagged(event, pattern) for pattern in self.all_tags)
            and not any(_tagged(event, pattern) for pattern in self.no_tags)
            and self.words.casefold() in event.content.casefold()
        )

    @property
    def patterns(self) -> int:
        """How many it has."""
        named = (self.kinds, self.sources, self.channels)
        tags = (self.any_tags, self.all_tags, self.no_tags)
        return sum(map(len, (*named, *tags)))

    def as_json(self) -> str:
        """The rule as it is stored, and `kept` reads it."""
        return json.dumps(self.written)


def read(name: str, written: Mapping[str, Any]) -> Rule:
    """A rule from what was written: `match`, and one of the four behaviours."""
    match = _object(written.get("match", {}), "match")
    known = {"scope", "source", "channel", "tagsAny", "tagsAll", "tagsNone", "text"}
    for key in match:
        if key not in known:
            raise RuleError(f"`match` knows {', '.join(sorted(known))}")
    kept = {key: written[key] for key in PARTS if key in written}
    rule = Rule(
        name=name,
        behaviour=_behaviour(written),
        written=kept,
        kinds=_patterns(match, "scope"),
        sources=_patterns(match, "source"),
        channels=_patterns(match, "channel"),
        any_tags=_patterns(match, "tagsAny"),
        all_tags=_patterns(match, "tagsAll"),
        no_tags=_patterns(match, "tagsNone"),
        words=_words(match),
    )
    if rule.patterns > MOST_PATTERNS:
        raise RuleError(f"`match` must be at most {MOST_PATTERNS} patterns in all")
    return rule


@lru_cache(maxsize=2_000)
def kept(name: str, text: str) -> Rule:
    """A rule as it is in the store."""
    return read(name, json.loads(text))


def _behaviour(written: Mapping[str, Any]) -> Behaviour:
    given = [key for key in BEHAVIOURS if written.get(key) is not None]
    if len(given) != 1:
        raise RuleError(f"exactly one of {', '.join(BEHAVIOURS)} must be given")
    value: object = written[given[0]]
    match given[0]:
        case "behavior":
            return _simple(value)
        case "debounceMs":
            milliseconds = _number(value, "debounceMs")
            if milliseconds > A_YEAR * 1000:
                raise RuleError(f"`debounceMs` can be at most {A_YEAR * 1000} (a year)")
            return Debounce(milliseconds)
        case "rateLimit":
            limit = _object(value, "rateLimit")
            return RateLimit(
                _number(limit.get("tokens"), "rateLimit.tokens"),
                _number(limit.get("refillIntervalMs"), "rateLimit.refillIntervalMs"),
            )
        case _:
            every = _object(value, "passiveSample").get("every")
            return PassiveSample(int(_number(every, "passiveSample.every", whole=True)))


def _simple(value: object) -> Behaviour:
    if value == "always":
        return Always()
    if value == "defer":
        return Defer()
    raise RuleError(f"`behavior` must be {one_of(SIMPLE)}")


def _object(value: object, key: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise RuleError(f"`{key}` must be an object")
    return cast("Mapping[str, Any]", value)


def _number(value: object, key: str, *, whole: bool = False) -> float:
    if not is_positive(value) or (whole and not float(value).is_integer()):
        kind = "whole number" if whole else "number"
        raise RuleError(f"`{key}` must be a positive {kind}")
    return float(value)


def _words(match: Mapping[str, Any]) -> str:
    words: object = match.get("text") or ""
    if not isinstance(words, str) or len(words) > LONGEST_PATTERN:
        raise RuleError(f"`match.text` must be at most {LONGEST_PATTERN} characters")
    return words


def _patterns(match: Mapping[str, Any], key: str) -> Patterns:
    value: object = match.get(key)
    if value is None:
        return ()
    listed = [value] if isinstance(value, str) else value
    if (
        not isinstance(listed, list)
        or len(cast("list[object]", listed)) > MOST_PATTERNS
    ):
        raise RuleError(f"`match.{key}` must be at most {MOST_PATTERNS} patterns")
    patterns = cast("list[object]", listed)
    for pattern in patterns:
        if not isinstance(pattern, str) or not 0 < len(pattern) <= LONGEST_PATTERN:
            raise RuleError(
                f"`match.{key}` must hold patterns of 1 to {LONGEST_PATTERN} characters"
            )
    return tuple(map(Glob.of, cast("list[str]", patterns)))


def _any(patterns: Patterns, value: str) -> bool:
    return not patterns or any(pattern.matches(value) for pattern in patterns)


def _tagged(event: Event, pattern: Glob) -> bool:
    return any(map(pattern.matches, event.tags))
