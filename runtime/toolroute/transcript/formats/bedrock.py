"""Bedrock Converse: results are the first blocks of the next user message.

Roles alternate, so messages of one role that follow each other become one.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import LIST, is_list, is_record
from toolroute.transcript._model import Call, Other, Out, Result, Turn, Unit
from toolroute.transcript._types import Kind
from toolroute.transcript._wire import (
    DOUBT,
    Answer,
    Peek,
    Reader,
    Wire,
    as_text,
    is_own,
    orphan_text,
    turn_of,
)
from toolroute.transcript._work import Work
from toolroute.transcript.formats._bedrock_contents import (
    peek_calls,
    peek_results,
    taken,
    unfit,
    wordless,
)
from toolroute.transcript.formats._fields import (
    ROLES,
    call_fields,
    no_words,
    role_in,
    with_call_id,
)

_SHOWABLE: Final = {"text", "image", "document", "video"}


@final
class _Bedrock(Wire):
    name = "bedrock"
    layout = "blocks"
    neighbours = True
    says: ClassVar[Mapping[Kind, str]] = {
        "unanswered_call": (
            "Expected toolResult blocks at messages.{message}.content for the "
            "following Ids: {id}"
        ),
        "misplaced_result": (
            "Expected toolResult blocks for the following Ids: {id}, in the message "
            "right behind their toolUse blocks, in front of its other content"
        ),
        "orphan_result": (
            "The number of toolResult blocks at messages.{message}.content exceeds the "
            "number of toolUse blocks of previous turn."
        ),
        "duplicate_result": (
            "The number of toolResult blocks at messages.{message}.content exceeds the "
            "number of toolUse blocks of previous turn."
        ),
        "duplicate_call_id": "toolUse blocks of one message have the same Id: {id}",
        "missing_call_id": "Missing required parameter: toolUseId",
        "empty_call_id": (
            "Value at toolUse.toolUseId failed to satisfy constraint: Member must have "
            "length greater than or equal to 1"
        ),
        "invalid_call_id": (
            "Value at toolUse.toolUseId failed to satisfy constraint: 1 to 64 "
            "characters that match [a-zA-Z0-9_-]+"
        ),
        "partial_call": "toolUse.input must be a JSON object",
        "empty_error_content": (
            "The content of a toolResult can't be empty when its status is error"
        ),
        "invalid_result_content": (
            "A toolResult has a list as content, in which text isn't blank and json is "
            "an object"
        ),
        "invalid_name": (
            "Value at toolUse.name failed to satisfy constraint: 1 to 64 characters "
            "that match [a-zA-Z0-9_-]+"
        ),
        "role_order": "roles must alternate between user and assistant",
    }

    def peek(self, message: Any) -> Peek:
        try:
            content, role = message["content"], message["role"]
            if type(content) is not LIST:
                return DOUBT
            if role == "assistant":
                return peek_calls(content)
            return peek_results(content) if role == "user" else DOUBT
        except (KeyError, TypeError):
            return DOUBT

    def good_neighbours(self, messages: Sequence[Any], before: Any) -> bool:
        last = None if before is None else before["role"]
        for message in messages:
            role = message["role"]
            if role == last:
                return False
            last = role
        return True

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        return [_turn(place, message) for place, message in enumerate(messages)]

    def answer(self, call: Call, answer: Answer) -> Any:
        content = answer.content
        if is_record(content) and not answer.is_error:
            blocks: list[Any] = [{"json": content}]
        else:
            blocks = [{"text": answer.text or no_words(call.name)}]
        result = {"toolUseId": call.new_id or call.id, "content": blocks}
        if answer.is_error:
            result["status"] = "error"
        return {"toolResult": result}

    def call_again(self, call: Call) -> Any:
        use = call_fields(
            call.raw["toolUse"], call, call_id="toolUseId", name="name", given="input"
        )
        return {**call.raw, "toolUse": use}

    def result_again(self, result: Result, call: Call) -> Any:
        inside = result.raw["toolResult"]
        inside = with_call_id(inside, "toolUseId", result, call)
        if result.empty_error:
            inside = {**inside, "content": [{"text": no_words(call.name)}]}
        if result.unfit:
            content: Any = inside.get("content")
            inside = {**inside, "content": taken(content)}
        if inside is result.raw["toolResult"]:
            return result.raw
        return {**result.raw, "toolResult": inside}

    def plain(self, result: Result) -> list[Any]:
        blocks: list[Any] = [{"text": orphan_text(None, "")}]
        content: list[Any] = result.raw["toolResult"].get("content") or []
        for block in content:
            if is_record(block) and len(blocks) == 1 and block.get("text"):
                blocks[0] = {"text": orphan_text(None, as_text(block["text"]))}
            elif is_record(block) and "json" in block and len(blocks) == 1:
                blocks[0] = {"text": orphan_text(None, as_text(block["json"]))}
            elif is_record(block) and _SHOWABLE & block.keys():
                if block.get("text") != "":
                    blocks.append(block)
            else:
                blocks.append({"text": as_text(block)})
        return blocks

    def note(self, text: str) -> Any:
        return {"text": text}

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        return {**(raw or {"role": "user"}), "content": list(units)}

    def finish(self, work: Work) -> None:
        groups: list[list[Out]] = []
        for out in work.outs:
            if groups and out.role != "aside" and groups[-1][-1].role == out.role:
                groups[-1].append(out)
            else:
                groups.append([out])
        work.outs = [_merged(work, group) for group in groups]


FORMAT = _Bedrock()


def _merged(work: Work, group: list[Out]) -> Out:
    first = group[0]
    if len(group) == 1:
        return first
    for before, out in pairwise(group):
        place = out.source
        if (
            place
            and before.source is not None
            and work.turns[place - 1].role == out.role
        ):
            remedy = "joined to the message in front, which has the same role"
            work.report("role_order", place, remedy=remedy)
        work.note("merged", place, "Two messages of one role are one message now.")
    content = [block for out in group for block in out.message["content"]]
    if first.role == "user":
        content.sort(key=lambda block: "toolResult" not in block)
    calls = [call for out in group for call in out.calls]
    return Out({**first.message, "content": content}, first.role, first.source, calls)


def _turn(place: int, message: Any) -> Turn:
    reader = Reader("bedrock", place)
    reader.record(message, "an object with `role` and `content`")
    role = role_in(reader, message, "`user` or `assistant` under `role`")
    content = reader.items(message.get("content"), "a list of blocks under `content`")
    units: list[Unit] = []
    index = 0
    other = False
    for block, raw in enumerate(content):
        reader.record(raw, "a block, an object", block)
        if "toolUse" in raw and not _of_server(reader, block, raw["toolUse"]):
            if role != "assistant":
                reader.stop(f"no `toolUse` block in a {role} message", raw, block=block)
            units.append(_call(reader, block, index, raw))
            index += 1
        elif "toolResult" in raw and not _of_server(reader, block, raw["toolResult"]):
            result = _result(reader, block, raw)
            result.disordered = other
            units.append(result)
        else:
            other = True
            units.append(Other(place, block, raw))
    return turn_of(place, ROLES[role], message, units)


def _of_server(reader: Reader, block: int, inside: Any) -> bool:
    reader.record(inside, "an object inside the block", block)
    kind = inside.get("type")
    if kind is not None and not isinstance(kind, str):
        reader.stop("text under `type`", kind, block=block)
    return kind is not None and (
        kind == "server_tool_use" or kind.endswith("_tool_result")
    )


def _call(reader: Reader, block: int, index: int, raw: Any) -> Call:
    use = raw["toolUse"]
    given = use.get("input")
    return Call(
        reader.message,
        block,
        index,
        reader.maybe(use, "toolUseId", block),
        reader.text(use, "name", block),
        given,
        raw,
        partial=not is_record(given),
    )


def _result(reader: Reader, block: int, raw: Any) -> Result:
    inside = raw["toolResult"]
    content = inside.get("content")
    if content is not None and not is_list(content):
        reader.stop("a list of blocks under `content`", content, block=block)
    only = content[0] if content and len(content) == 1 else None
    empty = wordless(content) and inside.get("status") == "error"
    text = (only.get("text") or only.get("json")) if is_record(only) else None
    return Result(
        reader.message,
        block,
        reader.maybe(inside, "toolUseId", block),
        None,
        raw,
        own=is_own(text),
        empty_error=empty,
        unfit=not empty and unfit(content),
    )
