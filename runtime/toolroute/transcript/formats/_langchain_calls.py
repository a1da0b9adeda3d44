"""Where a LangChain message holds its calls, and which of them are one."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolroute.transcript._json import is_record
from toolroute.transcript._model import Call
from toolroute.transcript._wire import Reader, not_json

BLOCKS: Final[Mapping[str, tuple[str, str]]] = {
    "tool_use": ("id", "input"),
    "function_call": ("call_id", "arguments"),
    "custom_tool_call": ("call_id", "input"),
    "tool_call": ("id", "args"),
    "invalid_tool_call": ("id", "args"),
}
"""Content blocks that are calls: the fields of their ids and of their arguments."""


def calls_of(reader: Reader, message: Any) -> Iterator[Call]:
    found: dict[tuple[str | None, int], Call] = {}
    known: dict[str | None, int] = {}
    for where, listed in _lists(reader, message):
        nth: dict[str | None, int] = {}
        for block, raw in enumerate(listed):
            if where == "content" and not _is_call(raw):
                continue
            call = _call(reader, where, block, raw)
            number = nth[call.id] = nth.get(call.id, -1) + 1
            if where == "tool_calls":
                known[call.id] = number
            same = found.setdefault((call.id, min(number, known.get(call.id, 0))), call)
            if same is not call:
                same.raw += call.raw
    for index, call in enumerate(found.values()):
        call.index = index
        yield call


def function_in(where: str, raw: Any) -> bool:
    """Whether a call has OpenAI's form, which `convert_to_messages` takes as well."""
    return where == "additional_kwargs" or (where == "tool_calls" and "function" in raw)


def _is_call(raw: Any) -> bool:
    kind = raw.get("type") if is_record(raw) else None
    return isinstance(kind, str) and kind in BLOCKS


def _lists(reader: Reader, message: Any) -> Iterator[tuple[str, list[Any]]]:
    for where in ("tool_calls", "invalid_tool_calls", "content"):
        listed = message.get(where)
        if listed is not None and not isinstance(listed, str):
            yield where, reader.items(listed, f"a list under `{where}`")
    extra = message.get("additional_kwargs")
    if is_record(extra) and extra.get("tool_calls") is not None:
        calls = reader.items(extra["tool_calls"], "a list under `tool_calls`")
        yield "additional_kwargs", calls


def _call(reader: Reader, where: str, block: int, raw: Any) -> Call:
    reader.record(raw, f"a call, an object, in `{where}`", block)
    named = raw
    id_key, input_key = BLOCKS[raw["type"]] if where == "content" else ("id", "args")
    if function_in(where, raw):
        named = reader.record(raw.get("function"), "an object under `function`", block)
        input_key = "arguments"
    given = named.get(input_key)
    bad = where == "invalid_tool_calls" or raw.get("type") == "invalid_tool_call"
    text = isinstance(given, str) and raw.get("type") != "custom_tool_call"
    name = reader.maybe(named, "name", block) or ""
    return Call(
        reader.message,
        block,
        0,
        reader.maybe(raw, id_key, block),
        name,
        given,
        [((where, block), raw)],
        cut=bad or (text and not_json(given)),
    )
