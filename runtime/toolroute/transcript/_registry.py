"""The formats and targets there are, found by their files."""

import importlib
import pkgutil
from dataclasses import replace
from functools import cache
from typing import Final

from toolroute.transcript import formats
from toolroute.transcript._rules import PROVIDER_RULES, VARIANTS, Rules
from toolroute.transcript._types import FormatUnknown
from toolroute.transcript._wire import Wire

_ALIKE: Final = frozenset({"mistral", "openai_chat"})


def format_names() -> tuple[str, ...]:
    """The names of the formats, sorted: those of the files in `formats`."""
    modules = pkgutil.iter_modules(formats.__path__)
    return tuple(sorted(m.name for m in modules if not m.name.startswith("_")))


@cache
def wire(name: str) -> Wire:
    """The adapter of a format."""
    names = format_names()
    if name not in names:
        raise FormatUnknown(
            f"There is no format named {name!r}. The formats are {', '.join(names)}."
        )
    module = importlib.import_module(f"toolroute.transcript.formats.{name}")
    found = module.FORMAT
    assert isinstance(found, Wire)  # noqa: S101
    return found


def rules_for(found: Wire, target: str | None) -> Rules:
    """The rules of a target; without one, the format's own, which leave names alone."""
    if target is None:
        return replace(found.rules, names=None)
    provider = target.partition(":")[0]
    if target in VARIANTS:
        rules = VARIANTS[target]
    elif target in PROVIDER_RULES:
        rules = PROVIDER_RULES[target]
    elif target == found.name:
        rules = found.rules
    else:
        raise FormatUnknown(
            f"There is no target named {target!r}. The targets are "
            f"{', '.join(target_names())}."
        )
    return rules if provider == found.name else _both(found.rules, rules)


def in_shape_of(target: str | None, name: str) -> str:
    """The format to write: a target's own, where messages of both look alike."""
    provider = (target or "").partition(":")[0]
    return provider if provider in _ALIKE and name in _ALIKE else name


def _both(own: Rules, other: Rules) -> Rules:
    """Another provider's rules, and what the format itself can't be without."""
    strict = ("never", "present", "apart", "always")
    scopes = ("none", "batch", "request")
    ids = replace(
        other.ids,
        required=max(own.ids.required, other.ids.required, key=strict.index),
        unique=max(own.ids.unique, other.ids.unique, key=scopes.index),
    )
    return replace(other, ids=ids, loose=frozenset[str]())


def target_names() -> tuple[str, ...]:
    """The names of the targets, sorted."""
    return tuple(sorted({*PROVIDER_RULES, *VARIANTS}))
