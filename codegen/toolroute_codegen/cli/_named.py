"""Names that a person gave, looked up among the table's."""

import difflib
from collections.abc import Collection

from toolroute._text import one_line
from toolroute_codegen.cli._trouble import Trouble


def quoted(name: str) -> str:
    """A name for a sentence: one line, visible, bounded."""
    return f"`{one_line(name)}`"


def unknown(what: str, name: str, among: Collection[str]) -> str:
    """The sentences that say so of a name, with a near one or all that there are."""
    near = difflib.get_close_matches(name, among, n=1)
    if near:
        hint = f"Did you mean {quoted(near[0])}?"
    elif among:
        hint = f"There is {', '.join(map(quoted, among))}."
    else:
        hint = "The table declares none."
    return f"there is no {what} named {quoted(name)}. {hint}"


def must_be_in(what: str, name: str, among: Collection[str]) -> None:
    """`Trouble` where `name` isn't one of `among`."""
    if name not in among:
        raise Trouble(unknown(what, name, among))
