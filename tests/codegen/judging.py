"""What the tests of reading and judging share: findings, and a table to start from."""

import re

from toolroute_codegen.check import check
from toolroute_codegen.diagnostics import Diagnostic, Rejected
from toolroute_codegen.load import load
from toolroute_codegen.parse import parse

BASE = {
    "version": "version: 1\n",
    "callers": "callers:\n  turn: {road: turn}\n  host: {road: host}\n",
    "refusals": (
        "refusals:\n  unknown_tool: "
        '{code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}\n'
    ),
    "routes": "routes:\n  - {kind: think, names: [think]}\n",
    "otherwise": "otherwise: unknown_tool\n",
}
"""A table that breaks no rule, section by section."""


def judged(text: str, filename: str = "routes.yaml") -> tuple[Diagnostic, ...]:
    """What is found in a table."""
    try:
        check(parse(load(text, filename)))
    except Rejected as rejected:
        return rejected.found
    return ()


def codes(text: str) -> list[str]:
    """The codes of what is found, in the order of their places."""
    return [found.code for found in judged(text)]


def completed(part: str) -> str:
    """A table with this part of it written, and the rest as it is in the base."""
    there = set(re.findall(r"^(\w+):", part, re.MULTILINE))
    return "".join(text for key, text in BASE.items() if key not in there) + part
