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

_NAMES: Final = tuple(
    sorted(
        module.name
        for module in pkgutil.iter_modules(formats.__path__)
        if not module.name.startswith("_")
    )
)


def format_names() -> tuple[str, ...]:
    """The names of the formats, sorted."""
    return _NAMES


@cache
def wire(name: str) -> Wire:
    """The adapter of a format."""
    if name not in _NAMES:
        raise FormatUnknown(
            f"There is no format named {name!r}. The formats are {', '.join(_NAMES)}."
        )
    module = importlib.import_module(f"toolroute.transcript.formats.{name}")
    found = module.FORMAT
    assert isinstance(found, Wire)  # noqa: S101
    return found


def rules_for(found: Wire, target: str | None) -> Rules:
    """The rules of a target; without one, the format's own, which leave names alone."""
    if target is None:
        return replace(found.rules, names=None)
    provider, _, version = target.partition(":")
    own = provider == found.name
    if own and target in VARIANTS:
        return VARIANTS[target]
    if version and target in VARIANTS:
        return VARIANTS[target]
    if not version and (own or provider in PROVIDER_RULES):
        return PROVIDER_RULES.get(provider, found.rules)
    known = sorted({*PROVIDER_RULES, *VARIANTS})
    raise FormatUnknown(
        f"There is no target named {target!r}. The targets are {', '.join(known)}."
    )
