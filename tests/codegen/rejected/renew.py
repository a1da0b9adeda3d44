"""Writes the report that each table here gets beside it."""

from pathlib import Path

from toolroute_codegen.check import check
from toolroute_codegen.diagnostics import Rejected
from toolroute_codegen.load import load
from toolroute_codegen.parse import parse
from toolroute_codegen.report import report

HERE = Path(__file__).parent


def report_of(path: Path) -> str:
    """What a person is told of the table at `path`; nothing where it's fine."""
    text = path.read_bytes().decode("utf-8")
    try:
        check(parse(load(text, path.name)))
    except Rejected as rejected:
        return report(rejected.found, rejected.source, path.name, colour=False)
    return ""


if __name__ == "__main__":
    for table in sorted(HERE.glob("*.yaml")):
        table.with_suffix(".txt").write_text(report_of(table), encoding="utf-8")
