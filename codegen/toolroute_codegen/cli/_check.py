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
@options.output_format
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
    if output_format == "json":
        out_json({"version": 1, "findings": [], "module": _json(beside, renew)})
    else:
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
