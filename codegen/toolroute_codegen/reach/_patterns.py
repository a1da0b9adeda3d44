from typing import Literal, TypeAlias

from toolroute_codegen.shapes import ALPHABET, LONGEST_NAME, sendable
from toolroute_codegen.table import Route, Within

PatternKey: TypeAlias = Literal["prefix", "glob", "split"]


def pattern_of(written: Route | Within) -> tuple[PatternKey, str] | None:
    """The key and the text of a pattern that is written here, if one is."""
    if written.prefix is not None:
        return ("prefix", written.prefix)
    if written.glob is not None:
        return ("glob", written.glob)
    return None if written.split is None else ("split", written.split)


def why_nothing_fits(key: PatternKey, text: str) -> str | None:
    """Why there's no name of this pattern, to end a sentence; None where there is."""
    plain = text.replace("*", "", 1) if key == "glob" else text
    if key == "glob" and text.count("*") != 1:
        return f"has {text.count('*') or 'no'} `*`, and a glob has one"
    if not plain and key != "glob":
        return "is empty"
    strange = next((each for each in plain if each not in ALPHABET), None)
    if strange is not None:
        return f"has {_shown(strange)} in it, which no name has"
    if len(plain) > LONGEST_NAME - (2 if key == "split" else 1):
        return "leaves no room for a name, which has 128 characters at most"
    return None


def fits_nothing(route: Route) -> bool:
    """Whether no name has the shape of this route, whatever the other routes are."""
    if route.names is not None:
        return not any(map(sendable, route.names))
    written = route.within if route.lookup is not None else route
    pattern = None if written is None else pattern_of(written)
    return pattern is not None and why_nothing_fits(*pattern) is not None


def _shown(character: str) -> str:
    if character == " ":
        return "a space"
    return f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"
