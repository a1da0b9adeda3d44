"""A value isn't one of the words that its key takes.

What it finds: another word than those listed for `road`, `retry`, `sees`, `plane` and
`normalise`, or another `version` than 1.

Why it matters: these words decide how a call is treated; a word that isn't known can't
be guessed at.

For example:

    callers:
      turn: {road: turns}

Write one of them:

    callers:
      turn: {road: turn}
"""

from collections.abc import Sequence
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.rules._words import did_you_mean, quoted

CODE: Final = "TR104"


def unknown_word(
    where: str, word: str, words: Sequence[str], place: Place
) -> Diagnostic:
    """`word` stands where only `words` can."""
    if len(words) == 1:
        choice = f"Write `{words[0]}`."
    else:
        choice = f"It is one of {', '.join(words)}."
    return Diagnostic(
        place,
        CODE,
        f"{where} can't be {quoted(word)}",
        f"{did_you_mean(word, words)}{choice}",
    )
