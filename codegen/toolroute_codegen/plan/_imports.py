"""The imports of a generated module: each of what it uses, and nothing else."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from toolroute_codegen.plan._layout import INDENT, import_line
from toolroute_codegen.plan._types import Types

_TYPING: Final = ("TYPE_CHECKING", "Final", "Literal", "Protocol", "TypeAlias")
_ROUTING: Final = (
    *("Bound", "Routes", "by_id", "check_failed", "in_turn_by", "offered_by"),
    *("speaks", "surface_of"),
)


@final
@dataclass(frozen=True, slots=True)
class Imports:
    """The lines: what runs, and what only type checkers read."""

    typing: str
    toolroute: tuple[str, ...]
    for_types: tuple[str, ...]


def imports_of(
    typing: Iterable[str],
    routing: Iterable[str],
    for_types: Iterable[tuple[str, str]],
    types: Types,
) -> Imports:
    """The imports of these names, besides those that every module has."""
    by_module: dict[str, set[str]] = {"toolroute": {"Road"}}
    for module, name in (*for_types, *types.imports()):
        by_module.setdefault(module, set()).add(name)
    return Imports(
        typing=import_line("typing", {*_TYPING, *typing}),
        toolroute=(
            import_line("toolroute", ("Refusal", "ToolCall")),
            import_line("toolroute.routing", {*_ROUTING, *routing}),
        ),
        for_types=tuple(_in_groups(by_module)),
    )


def _in_groups(by_module: dict[str, set[str]]) -> Iterable[str]:
    """The imports of the standard library, a blank line, and the others."""
    python = sorted(module for module in by_module if _is_python(module))
    others = sorted(module for module in by_module if not _is_python(module))
    for module in python:
        yield import_line(module, by_module[module], INDENT)
    if python:
        yield ""
    for module in others:
        yield import_line(module, by_module[module], INDENT)


def _is_python(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names
