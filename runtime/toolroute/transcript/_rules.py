"""What a provider accepts as a call's id and name, and how others are rewritten.

A rewritten id or name depends on the one it comes from and on nothing else, so that it
stays the same while a conversation grows; what would collide is told apart by a digest.
"""

import hashlib
import re
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, final

Scope: TypeAlias = Literal["request", "batch", "none"]
"""Where a call's id may stand only once."""

Required: TypeAlias = Literal["never", "present", "apart", "always"]
"""Whether a call needs an id. It may be empty when only its presence is asked for, and
for one call of a batch when no more than telling them apart is."""

_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@final
@dataclass(frozen=True, slots=True)
class IdRule:
    """`pattern` is what the whole id matches; the others say how to fit it.

    `letters` is a class of the characters that may stay; with `exactly`, an id is that
    many letters and digits, made of a digest alone.
    """

    pattern: re.Pattern[str]
    longest: int
    letters: str = "a-zA-Z0-9_-"
    exactly: int | None = None
    unique: Scope = "request"
    required: Required = "always"

    def fits(self, text: str) -> bool:
        """Whether the provider takes this id."""
        return self.pattern.fullmatch(text) is not None

    def fit(self, text: str) -> str:
        """`text` if it fits, else an id made from it that does."""
        if self.fits(text):
            return text
        if self.exactly is not None:
            return _letters(text, self.exactly)
        kept = re.sub(f"[^{self.letters}]", "_", text)
        end = f"_{_letters(text, 10)}"
        return f"{kept[: min(self.longest, 48) - len(end)]}{end}"


@final
@dataclass(frozen=True, slots=True)
class NameRule:
    """What a tool's name looks like to a provider."""

    pattern: re.Pattern[str]
    letters: str = "a-zA-Z0-9_-"
    longest: int = 64

    def fits(self, name: str) -> bool:
        """Whether the provider takes this name."""
        return self.pattern.fullmatch(name) is not None

    def fit(self, name: str) -> str:
        """`name` if it fits, else a name made from it that does."""
        if self.fits(name):
            return name
        kept = re.sub(f"[^{self.letters}]", "_", name)
        kept = kept if re.match(r"[a-zA-Z_]", kept) else f"_{kept}"
        end = f"_{_letters(name, 6)}"
        return f"{kept[: self.longest - len(end)]}{end}"


@final
@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that hold for one run: the format's own, or a target's."""

    ids: IdRule
    names: NameRule | None = None
    """Looked at only when a target was named."""
    loose: frozenset[str] = field(default_factory=frozenset[str])
    """What a target doesn't insist on, in the words of the format's adapter."""


def _letters(text: str, count: int) -> str:
    """So many letters and digits that stand for `text`."""
    number = int.from_bytes(
        hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest(), "big"
    )
    letters: list[str] = []
    for _ in range(count):
        number, digit = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[digit])
    return "".join(letters)


SAFE_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""The names that Anthropic, OpenAI, Bedrock and Mistral all take."""

_ANY: Final = re.compile(r"(?s).+")

PROVIDER_RULES: Final[dict[str, Rules]] = {
    "anthropic": Rules(
        IdRule(re.compile(r"[a-zA-Z0-9_-]+"), 64),
        NameRule(SAFE_NAME),
    ),
    "openai_chat": Rules(
        IdRule(re.compile(r"(?s).{1,40}"), 40, unique="batch"), NameRule(SAFE_NAME)
    ),
    "openai_responses": Rules(
        IdRule(re.compile(r"(?s).{1,64}"), 64), NameRule(SAFE_NAME)
    ),
    "gemini": Rules(
        IdRule(_ANY, 64, unique="none", required="never"),
        NameRule(re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}"), "a-zA-Z0-9_.:-"),
    ),
    "bedrock": Rules(
        IdRule(re.compile(r"[a-zA-Z0-9_-]{1,64}"), 64, unique="batch"),
        NameRule(SAFE_NAME),
    ),
    "mistral": Rules(
        IdRule(re.compile(r"[a-zA-Z0-9]{9}"), 9, exactly=9, unique="batch"),
        NameRule(SAFE_NAME),
    ),
}
"""The strictest reading of each provider's rules."""

FREE_IDS: Final = Rules(IdRule(_ANY, 64, unique="batch", required="apart"))
"""For frameworks, which leave ids to the provider behind them."""

ONE_PART: Final = Rules(IdRule(_ANY, 64, unique="batch", required="present"))
"""Where a call and its result are one thing, and nothing but the provider behind it
goes by the id."""

VARIANTS: Final[dict[str, Rules]] = {
    "openai_chat:strict": Rules(IdRule(re.compile(r"[a-zA-Z0-9_-]{1,40}"), 40)),
    "openai_responses:openai": Rules(
        IdRule(re.compile(r"(?s).{1,64}"), 64),
        loose=frozenset({"position", "output_by_name"}),
    ),
    "openai_responses:realtime": Rules(IdRule(re.compile(r"(?s).{1,32}"), 32)),
    "bedrock:2026": Rules(
        IdRule(re.compile(r"[a-zA-Z0-9_.:-]{1,64}"), 64, unique="batch")
    ),
    "mistral:v13": Rules(
        IdRule(re.compile(r"(?!null$)(?s:.+)"), 64, unique="batch"),
        loose=frozenset({"content_with_calls", "user_after_tool"}),
    ),
}
"""Versions of a provider's rules that are looser, or stricter, than its default."""
