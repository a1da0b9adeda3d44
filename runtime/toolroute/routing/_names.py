"""Names as models send them: whether any provider would, and what they may mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Form: TypeAlias = Literal["trim", "control_tokens", "functions_prefix", "case"]

LONGEST_NEAR: Final = 200
"""Characters that the names of `near` take together at most."""

_SENDABLE: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")

_INVENTED: Final = r"[:./]|--|__"
"""What ends a namespace that a model puts before a name: `default_api:view`."""

sendable: Final = _SENDABLE.fullmatch
"""Whether some provider would send this name: if not, no route takes it."""


def forms_of(
    name: str, forms: Iterable[Form], by_case: Callable[[str], str | None]
) -> Iterator[str]:
    """`name` as sent, then each of `forms` applied to the one before."""
    yield name
    for form in forms:
        name = _applied(form, name, by_case)
        yield name


def _applied(form: Form, name: str, by_case: Callable[[str], str | None]) -> str:
    match form:
        case "trim":
            return name.strip()
        case "control_tokens":
            return name.partition("<|")[0]
        case "functions_prefix":
            return name.removeprefix("functions.")
        case "case":
            return by_case(name) or name


def cases_of(names: Iterable[str]) -> dict[str, str | None]:
    """Each name by its lower case; `None` where several names share one."""
    found: dict[str, str | None] = {}
    for name in names:
        lower = name.lower()
        found[lower] = name if found.get(lower, name) == name else None
    return found


def near(name: str, names: Iterable[str]) -> str:
    """At most three of `names` that `name` may have meant, or `nothing`.

    What stands behind a namespace, if it's one of them, is what was meant.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - for tables that use it only

    known = list(names)
    *namespace, meant = re.split(_INVENTED, name[:LONGEST_NEAR])
    if namespace and meant in known:
        return meant
    close = get_close_matches(name[:LONGEST_NEAR], known, n=3, cutoff=0.6)
    while close and len(", ".join(close)) > LONGEST_NEAR:
        close.pop()
    return ", ".join(close) or "nothing"
