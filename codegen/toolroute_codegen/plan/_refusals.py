"""One typed function a refusal, and how the module calls it."""

from collections.abc import Mapping
from typing import Final

from toolroute_codegen.module import Function
from toolroute_codegen.plan._layout import (
    INDENT,
    Filled,
    Group,
    call,
    f_string,
    laid_out,
    literal,
    signature,
)
from toolroute_codegen.table import RefusalText
from toolroute_codegen.texts import Placeholder, StrayBrace, pieces, placeholders

_GIVEN: Final = {"name": "call.name", "caller": "caller"}
"""The placeholders that every decision can fill in, and with what."""


def function_of(refusal_id: str, words: RefusalText) -> Function:
    """The function that makes this refusal, from what its text leaves open."""
    made = call(
        "Refusal",
        literal(refusal_id),
        literal(words.code),
        literal(words.retry),
        _text(words.text),
    )
    needs = placeholders(words.text)
    parameters = ("*", *(f"{each}: str" for each in needs)) if needs else ()
    head = signature(refusal_id, parameters, "Refusal")
    return Function(laid_out(head), (laid_out(made, INDENT, "return "),))


def made(
    refusal_id: str, words: RefusalText, given: Mapping[str, str] | None = None
) -> Group:
    """The call that makes this refusal; `given` adds to what is always at hand."""
    at_hand = {**_GIVEN, **(given or {})}
    needs = placeholders(words.text)
    return call(refusal_id, *(f"{each}={at_hand[each]}" for each in needs))


def words_of(refusals: Mapping[str, RefusalText]) -> str:
    """The assignment of `REFUSALS`."""
    each = (
        call(
            key, *(f"{name}={literal(f'{{{name}}}')}" for name in placeholders(w.text))
        )
        for key, w in refusals.items()
    )
    return laid_out(call("by_id", *each), before="REFUSALS: Final = ")


def _text(text: str) -> str:
    parts = [
        Filled(f"one_line({part.name})") if isinstance(part, Placeholder) else part
        for part in pieces(text)
        if not isinstance(part, StrayBrace)
    ]
    if any(isinstance(part, Filled) for part in parts):
        return f_string(parts)
    return literal("".join(part for part in parts if isinstance(part, str)))
