import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, assert_never, final

from toolroute_codegen.cli import _options as options
from toolroute_codegen.cli._findings import tell
from toolroute_codegen.cli._fresh import difference, same_lines
from toolroute_codegen.cli._project import Work, work
from toolroute_codegen.cli._read import LARGEST_MODULE, read_text, shown
from toolroute_codegen.cli._say import colour_on, err, out, out_json, visible
from toolroute_codegen.cli._stages import compiled

State: TypeAlias = Literal["fresh", "stale", "missing"]


@final
@dataclass(frozen=True, slots=True)
class Beside:
    """A module's file, what is in it and what its table compiles to."""

    path: Path
    state: State
    old: str
    new: str

    def difference(self, *, colour: bool = False) -> str:
        """What a build would change in the file."""
        return difference(self.old, self.new, shown(self.path), colour=colour)


@options.command(
    "check", "toolroute check", "toolroute check routes.yaml --output-format json"
)
@options.table
@options.output
@options.findings_format
def command(table: str | None, output: str | None, output_format: str) -> int:
    """Say what is wrong with the table, and whether its module is up to date.

    Writes nothing. Findings, and the difference that a build would make, go to standard
    output; each means exit status 1.
    """
    asked = work(table, output)
    module = compiled(asked.table)
    if not isinstance(module, str):
        tell(module, output_format)
        return 1
    beside = _beside(asked, module)
    renew = _renew(table, output)
    match output_format:
        case "json":
            out_json({"version": 1, "findings": [], "module": _json(beside, renew)})
        case "github" | "sarif":
            _mark(asked, beside, renew, output_format)
        case _:
            _tell(asked, beside, renew)
    return 0 if beside is None or beside.state == "fresh" else 1


def _beside(asked: Work, module: str) -> Beside | None:
    path = asked.output
    if path is None:
        return None
    if not path.exists():
        return Beside(path, "missing", "", module)
    old = read_text(path, LARGEST_MODULE)
    return Beside(path, "fresh" if same_lines(old, module) else "stale", old, module)


def _renew(table: str | None, output: str | None) -> str:
    """The command that renews the module, with the arguments of this one."""
    named = [] if table is None else [table]
    where = [] if output is None else ["--output", output]
    return shlex.join(["toolroute", "build", *named, *where])


def _tell(asked: Work, beside: Beside | None, renew: str) -> None:
    name = shown(asked.table)
    if beside is None:
        err(f"{name} is in order. (With --output FILE, its module is looked at too.)")
        return
    module = shown(beside.path)
    match beside.state:
        case "fresh":
            err(f"{name} is in order, and {module} is up to date.")
        case "missing":
            out(f"{module} isn't there yet. Write it with: {visible(renew)}")
        case "stale":
            out(beside.difference(colour=colour_on(sys.stdout)))
            out("")
            out(f"{module} isn't what {name} compiles to.")
            out(f"Renew it with: {visible(renew)}")
        case _:
            assert_never(beside.state)


def _mark(asked: Work, beside: Beside | None, renew: str, output_format: str) -> None:
    """A module that isn't fresh, as a finding in it."""
    from toolroute_codegen import report  # noqa: PLC0415 - for these formats alone
    from toolroute_codegen.diagnostics import Diagnostic, Place  # noqa: PLC0415

    found: list[Diagnostic] = []
    name = shown(asked.table if beside is None else beside.path)
    if beside is not None and beside.state != "fresh":
        stale = beside.state == "stale"
        seen = "what the table compiles to" if stale else "there yet"
        found.append(
            Diagnostic(
                Place(1, 1),
                f"{beside.state}-module",
                f"this module isn't {seen}",
                f"Write it with: {visible(renew)}",
            )
        )
    if output_format == "sarif":
        out_json(report.sarif(found, name))
    elif found:
        out(report.github(found, name))


def _json(beside: Beside | None, renew: str) -> dict[str, Any] | None:
    if beside is None:
        return None
    stale = beside.state == "stale"
    return {
        "file": str(beside.path),
        "state": beside.state,
        "difference": beside.difference() if stale else None,
        "renew": None if beside.state == "fresh" else renew,
    }
