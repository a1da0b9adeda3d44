"""The compiler: the list of its stages."""

from toolroute_codegen.check import check
from toolroute_codegen.load import load
from toolroute_codegen.parse import parse
from toolroute_codegen.plan import plan
from toolroute_codegen.render import render


def compile_table(text: str, filename: str) -> str:
    """routes.yaml in, one Python module out. Raises `Rejected`; touches no file."""
    document = load(text, filename)
    table = parse(document)
    check(table)
    return render(plan(table))
