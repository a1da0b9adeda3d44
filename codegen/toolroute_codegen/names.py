"""The names that the table's words become in the generated module, and those it needs.

The rules refuse a table whose words clash with these; the plan then relies on it.
"""

import builtins
import keyword
from typing import Final

LONGEST_IDENTIFIER: Final = 64
"""Characters of a kind, a refusal, a placeholder, a caller or a member of the host."""

MODULE_NAMES: Final = frozenset(
    {
        # what it defines
        *("Caller", "ClientRoute", "FINGERPRINT", "Handlers", "Host", "ORDER"),
        *("REFUSALS", "Route", "ServerRoute", "bind", "decide", "dispatch", "surface"),
        # what it imports from Python
        *("Final", "Iterable", "Literal", "Never", "Protocol", "TYPE_CHECKING"),
        *("TypeAlias", "TypeVar", "annotations", "assert_never", "final"),
        # what it imports from toolroute
        *("Answering", "AnyName", "Bound", "ClientPlane", "Context", "Glob", "Named"),
        *("Prefix", "Refusal", "Road", "Routes", "ServerPlane", "Shaped", "Split"),
        *("ToolCall", "by_id", "check_failed", "declared", "found", "in_turn_by"),
        *("inside", "is_inside", "near", "offered_by", "once", "one_line", "speaks"),
        *("surface_of", "unwrapped"),
    }
)
"""What the module defines or imports: no kind's class and no refusal is named so."""

FUNCTION_NAMES: Final = frozenset(
    {
        *(
            "after",
            "before",
            "call",
            "caller",
            "context",
            "decided",
            "handlers",
            "host",
        ),
        *("in_turn", "inner", "made_in_turn", "offered_as", "refused", "route", "step"),
        "target",
    }
)
"""What its functions call their own: a refusal, which they call, isn't named so."""

KIND_MEMBERS: Final = frozenset(
    {"after", "before", "call", "ends_turn", "kind", "plane", "self", "target"}
)
"""What every kind's class may have: no capability is named so."""

PYTHON_NAMES: Final = frozenset({*keyword.kwlist, *dir(builtins)})
"""Python's own: keywords can't be names, and hiding a builtin breaks what uses it."""

PLACEHOLDERS: Final = frozenset({"name", "caller", "capability", "near"})
"""The placeholders that the module fills in; a guard or a lookup fills the rest."""


def class_name(kind: str) -> str:
    """The class that a handler of this kind gets: `agent_settings`, `AgentSettings`."""
    return "".join(part[:1].upper() + part[1:] for part in kind.split("_"))


def lister_name(kind: str) -> str:
    """The host's member that lists a kind's names for the surface."""
    return f"list_{kind}"
