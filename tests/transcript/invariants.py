"""What must hold of a case, whatever its outcome: one function a statement."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

from toolroute.transcript import Settled

Messages: TypeAlias = list[Any]
Invariant: TypeAlias = Callable[[Messages, Settled], bool]

INVARIANTS: dict[str, dict[str, Invariant]] = {}
"""By case, and then by the statement's own words."""


def holds(case: str, statement: str) -> Callable[[Invariant], Invariant]:
    def keep(invariant: Invariant) -> Invariant:
        INVARIANTS.setdefault(case, {})[statement] = invariant
        return invariant

    return keep


def blocks(message: Any) -> list[Any]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content or []


def found(settled: Settled, kind: str) -> list[Any]:
    return [b for m in settled.messages for b in blocks(m) if b.get("type") == kind]


def texts(settled: Settled) -> list[str]:
    return [block["text"] for block in found(settled, "text")]


def did(settled: Settled, call_id: str | None) -> list[str]:
    return [change.did for change in settled.changes if change.call_id == call_id]


def never_synthesised(settled: Settled) -> bool:
    written = str(settled.messages)
    return "TOOL_OUTCOME_UNKNOWN" not in written and "NOT_EXECUTED" not in written


# Anthropic


@holds("001", "the string content of the following user message becomes a block list")
def _(_before: Messages, settled: Settled) -> bool:
    return isinstance(settled.messages[2]["content"], list)


@holds("001", "tool_result stands before the text")
def _(_before: Messages, settled: Settled) -> bool:
    kinds = [block["type"] for block in settled.messages[2]["content"]]
    return kinds == ["tool_result", "text"]


@holds("003", "a new user message is appended that holds only the tool_result")
def _(before: Messages, settled: Settled) -> bool:
    *same, last = settled.messages
    kinds = [block["type"] for block in last["content"]]
    return same == before and (last["role"], kinds) == ("user", ["tool_result"])


@holds("004", "exactly one tool_result for each of toolu_a1..a3, all in messages[2]")
def _(_before: Messages, settled: Settled) -> bool:
    ids = [block["tool_use_id"] for block in settled.messages[2]["content"]]
    return sorted(ids) == ["toolu_a1", "toolu_a2", "toolu_a3"] and (
        len(found(settled, "tool_result")) == len(ids)
    )


@holds("004", "the two real results are unchanged")
def _(before: Messages, settled: Settled) -> bool:
    return all(
        block in settled.messages[2]["content"] for block in before[2]["content"]
    )


@holds("004", "order among tool_result blocks is free (call order preferred)")
def _(_before: Messages, settled: Settled) -> bool:
    ids = [block["tool_use_id"] for block in settled.messages[2]["content"]]
    return ids == ["toolu_a1", "toolu_a2", "toolu_a3"]


@holds("006", "stable partition: tool_result blocks first, others keep their order")
def _(before: Messages, settled: Settled) -> bool:
    was = before[2]["content"]
    return settled.messages[2]["content"] == sorted(
        was, key=lambda block: block["type"] != "tool_result"
    )


@holds("006", "nothing synthesised")
def _(_before: Messages, settled: Settled) -> bool:
    return never_synthesised(settled)


@holds("007", "results form one contiguous leading run")
def _(_before: Messages, settled: Settled) -> bool:
    kinds = [block["type"] for block in settled.messages[2]["content"]]
    return kinds == ["tool_result", "tool_result", "text"]


@holds("007", "reversed result order (a2 before a1) is legal and need not be changed")
def _(_before: Messages, settled: Settled) -> bool:
    ids = [block.get("tool_use_id") for block in settled.messages[2]["content"]]
    return ids[:2] == ["toolu_a2", "toolu_a1"]


@holds("009", "no tool_result with id toolu_gone remains")
def _(_before: Messages, settled: Settled) -> bool:
    return found(settled, "tool_result") == []


@holds("009", "the text 'Please continue.' remains")
def _(_before: Messages, settled: Settled) -> bool:
    return "Please continue." in texts(settled)


@holds(
    "009",
    "whether the payload '27%' is dropped or kept as plain text is a policy, but it "
    "must be reported",
)
def _(_before: Messages, settled: Settled) -> bool:
    kept = any("27%" in text for text in texts(settled))
    return kept and did(settled, "toolu_gone") == ["kept_as_text"]


@holds("010", "no orphan tool_result remains")
def _(_before: Messages, settled: Settled) -> bool:
    return found(settled, "tool_result") == []


@holds("010", "no message is left with empty content")
@holds("014", "no message with empty content is left behind")
def _(_before: Messages, settled: Settled) -> bool:
    return all(message["content"] for message in settled.messages)


@holds(
    "010",
    "the first message still has role user (drop the leading assistant message too, or "
    "keep the payload as plain user text)",
)
def _(_before: Messages, settled: Settled) -> bool:
    return bool(settled.messages[0]["role"] == "user")


@holds("010", "the last user message is unchanged")
def _(before: Messages, settled: Settled) -> bool:
    return settled.messages[-1] is before[-1]


@holds("012", "all tool_use ids in the transcript are distinct")
@holds("019", "both calls get distinct non-empty ids")
def _(_before: Messages, settled: Settled) -> bool:
    ids = [block["id"] for block in found(settled, "tool_use")]
    return len(set(ids)) == len(ids) and all(ids)


@holds("012", "the first pair keeps call_0")
def _(before: Messages, settled: Settled) -> bool:
    return list(settled.messages[:3]) == before[:3]


@holds("012", "the second call and its own result get the same fresh id")
def _(_before: Messages, settled: Settled) -> bool:
    use = settled.messages[3]["content"][0]["id"]
    return use == settled.messages[4]["content"][0]["tool_use_id"] != "call_0"


@holds("012", "result '31%' stays with bed 1 and '30%' with bed 2")
@holds("019", "results are paired by position: 31% with bed 1, 30% with bed 2")
def _(_before: Messages, settled: Settled) -> bool:
    beds = {b["id"]: b["input"]["bed"] for b in found(settled, "tool_use")}
    results = found(settled, "tool_result")
    said = {beds[b["tool_use_id"]]: b["content"] for b in results}
    return said == {1: "31%", 2: "30%"}


@holds(
    "014",
    "the real result is moved into messages[2], before 'Hurry up.'; nothing is "
    "synthesised",
)
def _(before: Messages, settled: Settled) -> bool:
    text = {"type": "text", "text": "Hurry up."}
    wanted = [before[4]["content"][0], text]
    return settled.messages[2]["content"] == wanted and never_synthesised(settled)


@holds(
    "014",
    "the transcript ends with a user message (if the emptied last message is removed, "
    "the assistant text would be last: then the settler must report it)",
)
def _(_before: Messages, settled: Settled) -> bool:
    end = "The transcript ends with the assistant's message now."
    return any(end in change.text for change in settled.changes)


@holds(
    "015",
    "unchanged: a pending server_tool_use in the last assistant message is not a "
    "violation and must never get a client tool_result",
)
def _(before: Messages, settled: Settled) -> bool:
    return settled.messages is before


@holds(
    "016",
    "toolu_a1 is answered with the error result as first block of the next user "
    "message",
)
def _(_before: Messages, settled: Settled) -> bool:
    first = settled.messages[2]["content"][0]
    return (first["tool_use_id"], first["is_error"]) == ("toolu_a1", True)


@holds("016", "srvtoolu_s1 never gets a tool_result")
def _(_before: Messages, settled: Settled) -> bool:
    return "srvtoolu_s1" not in [
        b["tool_use_id"] for b in found(settled, "tool_result")
    ]


@holds(
    "016",
    "either (a) the request is cut so that the user message holds ONLY tool_result "
    "blocks and the text is handed back to the caller to send after the turn "
    "completes, or (b) the unresolved server_tool_use block is removed and the text "
    "may stay",
)
def _(before: Messages, settled: Settled) -> bool:
    kinds = [block["type"] for block in settled.messages[-1]["content"]]
    return kinds == ["tool_result"] and settled.send_later == (before[2],)


@holds("016", "plain 'result then text' with the server_tool_use kept is a 400")
def _(_before: Messages, settled: Settled) -> bool:
    return "Never mind, only the gauge." not in str(settled.messages)


@holds("018", "tool_use.id == tool_result.tool_use_id")
def _(_before: Messages, settled: Settled) -> bool:
    (use,), (result,) = found(settled, "tool_use"), found(settled, "tool_result")
    return bool(use["id"] == result["tool_use_id"])


@holds("018", "id matches ^[a-zA-Z0-9_-]+$")
def _(_before: Messages, settled: Settled) -> bool:
    return bool(re.fullmatch("[a-zA-Z0-9_-]+", found(settled, "tool_use")[0]["id"]))


@holds(
    "018",
    "mapping is deterministic and collision-free (functions.a:0 and functions_a_0 must "
    "not become the same id)",
)
def _(_before: Messages, settled: Settled) -> bool:
    return found(settled, "tool_use")[0]["id"] != "functions_read_gauge_0"


@holds("019", "nothing is synthesised")
@holds("041", "nothing is synthesised")
def _(_before: Messages, settled: Settled) -> bool:
    return never_synthesised(settled)


# Chat Completions


def tools(settled: Settled) -> list[Any]:
    return [message for message in settled.messages if message.get("role") == "tool"]


def asked(message: Any) -> list[str]:
    return [call["id"] for call in message.get("tool_calls") or []]


def every_batch_is_followed_by_its_own(settled: Settled) -> bool:
    waiting: list[str] = []
    for message in settled.messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return False
            waiting.remove(message["tool_call_id"])
        elif waiting:
            return False
        else:
            waiting = asked(message)
    return not waiting


@holds("032", "no role=tool message without a call before it")
@holds("044", "no orphan remains; payload dropped or kept as text, reported")
@holds(
    "041",
    "each assistant message with tool_calls is directly followed by its own tool "
    "messages",
)
def _(_before: Messages, settled: Settled) -> bool:
    return every_batch_is_followed_by_its_own(settled)


@holds(
    "032", "the system message at index 0 must not hide the orphan (it is at index 1)"
)
def _(before: Messages, settled: Settled) -> bool:
    return settled.messages[0] is before[0] and did(settled, "call_gone") != []


@holds("033", "exactly one tool message for tool_0_list")
def _(_before: Messages, settled: Settled) -> bool:
    return len(tools(settled)) == 1


@holds(
    "033",
    "policy fixed and documented; recommended: if one of the two is a result that the "
    "settler itself synthesised (its code is TOOL_OUTCOME_UNKNOWN or "
    "TOOL_NOT_EXECUTED), keep the other one; for foreign placeholders keep the last",
)
def _(before: Messages, settled: Settled) -> bool:
    return tools(settled)[0] is before[3]


@holds("035", "two distinct ids")
def _(_before: Messages, settled: Settled) -> bool:
    return len(set(asked(settled.messages[1]))) == 2


@holds("035", "first result belongs to the first call, second to the second (FIFO)")
def _(_before: Messages, settled: Settled) -> bool:
    said = {tool["tool_call_id"]: tool["content"] for tool in tools(settled)}
    return [said[call] for call in asked(settled.messages[1])] == ["31%", "30%"]


@holds("035", "no result is treated as a duplicate and dropped")
def _(_before: Messages, settled: Settled) -> bool:
    return [tool["content"] for tool in tools(settled)] == ["31%", "30%"]


@holds("037", "tool_calls[].id == tool_call_id")
@holds("081", "deterministic, collision-checked, same on both sides")
def _(_before: Messages, settled: Settled) -> bool:
    return asked(settled.messages[1]) == [tools(settled)[0]["tool_call_id"]]


@holds("037", "length <= 40")
def _(_before: Messages, settled: Settled) -> bool:
    return len(asked(settled.messages[1])[0]) <= 40


@holds(
    "037",
    "distinct long ids with a common prefix stay distinct (hash, no plain truncation)",
)
def _(before: Messages, settled: Settled) -> bool:
    new = asked(settled.messages[1])[0]
    return new not in before[1]["tool_calls"][0]["id"]


@holds("039", "the settler does not need to know whether the tool exists")
def _(_before: Messages, settled: Settled) -> bool:
    return len(tools(settled)) == 1


@holds("041", "either form in example_messages / alternatives is right")
def _(before: Messages, settled: Settled) -> bool:
    order = [before[place] for place in (0, 1, 3, 2, 4)]
    return list(settled.messages) == order


@holds(
    "044",
    "the second tool message is NOT a duplicate of the first (there was an assistant "
    "text in between): it is an orphan whose call was lost",
)
def _(before: Messages, settled: Settled) -> bool:
    kept = did(settled, "search_web:0") == ["kept_as_text"]
    return tools(settled) == [before[2]] and kept


# Responses


@holds("050", "call_id is copied; the item id fc_1 is not reused for the output item")
def _(_before: Messages, settled: Settled) -> bool:
    output = settled.messages[2]
    return output["call_id"] == "call_1" and "id" not in output


@holds(
    "052",
    "no function_call_output without its function_call in the same input (no "
    "previous_response_id here)",
)
def _(_before: Messages, settled: Settled) -> bool:
    return "function_call_output" not in [item["type"] for item in settled.messages]


@holds(
    "053",
    "unchanged: with previous_response_id (or a conversation id) an output without a "
    "call in the input is not an orphan",
)
def _(before: Messages, settled: Settled) -> bool:
    return settled.messages is before


@holds("054", "a reasoning item is followed by the item it belongs to, or is not sent")
def _(_before: Messages, settled: Settled) -> bool:
    return "reasoning" not in [item["type"] for item in settled.messages]


@holds("058", "not answered by inventing a call")
def _(_before: Messages, settled: Settled) -> bool:
    return "function_call" not in [item["type"] for item in settled.messages]


@holds(
    "058",
    "strict target: payload becomes an ordinary user message; OpenAI target: may stay "
    "(SDK types call_id as optional; error text says a name is then required)",
)
def _(_before: Messages, settled: Settled) -> bool:
    last = settled.messages[1]
    text = last["content"][0]["text"]
    return last["role"] == "user" and "automation_update] beds watered" in text


# Gemini


def parts(settled: Settled, key: str) -> list[Any]:
    return [p[key] for c in settled.messages for p in c["parts"] if key in p]


@holds("060", "response order equals call order (no ids: order is the only key)")
def _(_before: Messages, settled: Settled) -> bool:
    said = [r["response"]["output"] for r in parts(settled, "functionResponse")]
    return said == ["31%", "30%"]


@holds("062", "exactly one functionResponse for g1")
def _(_before: Messages, settled: Settled) -> bool:
    return [r["id"] for r in parts(settled, "functionResponse")] == ["g1"]


@holds("062", "the later one is the newer state (recommended: keep last)")
def _(_before: Messages, settled: Settled) -> bool:
    (response,) = parts(settled, "functionResponse")
    return bool(response["response"] == {"output": "done"})


@holds(
    "063",
    "every content with functionCall comes right after a user content or a "
    "functionResponse content",
)
def _(_before: Messages, settled: Settled) -> bool:
    return [content["role"] for content in settled.messages][:2] == ["user", "model"]


@holds(
    "063",
    "either a user content is put in front, or the leading call+response pair is "
    "removed together; never one half",
)
def _(before: Messages, settled: Settled) -> bool:
    return list(settled.messages[1:]) == before


@holds(
    "065",
    "without ids the pairing is by order per name: first response answers first call",
)
def _(before: Messages, settled: Settled) -> bool:
    return bool(settled.messages[2]["parts"][0] == before[2]["parts"][0])


@holds("067", "no functionResponse part without a call in the content directly before")
def _(_before: Messages, settled: Settled) -> bool:
    return [r["id"] for r in parts(settled, "functionResponse")] == ["g1"]


# Bedrock


@holds("070", "same user message (roles must alternate)")
def _(_before: Messages, settled: Settled) -> bool:
    roles = [message["role"] for message in settled.messages]
    return roles == ["user", "assistant", "user"]


@holds("070", "status error with non-empty content")
def _(_before: Messages, settled: Settled) -> bool:
    result = settled.messages[2]["content"][0]["toolResult"]
    return result["status"] == "error" and bool(result["content"][0]["text"])


@holds("073", "1-64 characters of [a-zA-Z0-9_-] (safe set)")
def _(_before: Messages, settled: Settled) -> bool:
    new = settled.messages[1]["content"][0]["toolUse"]["toolUseId"]
    return re.fullmatch("[a-zA-Z0-9_-]{1,64}", new) is not None


@holds("073", "call and result get the same new id")
def _(_before: Messages, settled: Settled) -> bool:
    use = settled.messages[1]["content"][0]["toolUse"]
    result = settled.messages[2]["content"][0]["toolResult"]
    return bool(use["toolUseId"] == result["toolUseId"])


# Mistral


@holds(
    "080",
    "an assistant message with non-empty content stands between the tool message and "
    "the user message",
)
def _(_before: Messages, settled: Settled) -> bool:
    roles = [message["role"] for message in settled.messages]
    between = roles == ["user", "assistant", "tool", "assistant", "user"]
    return between and bool(settled.messages[3]["content"])


@holds("080", "the tool result is unchanged")
def _(before: Messages, settled: Settled) -> bool:
    return settled.messages[2] is before[2]


@holds("081", "id matches ^[a-zA-Z0-9]{9}$")
def _(_before: Messages, settled: Settled) -> bool:
    return re.fullmatch("[a-zA-Z0-9]{9}", asked(settled.messages[1])[0]) is not None


# AI SDK


@holds("090", "same part, only state and errorText change")
def _(before: Messages, settled: Settled) -> bool:
    was, now = before[1]["parts"][1], settled.messages[1]["parts"][1]
    changed = {key for key in was | now if was.get(key) != now.get(key)}
    return changed == {"state", "errorText"}


@holds(
    "090",
    "after convertToModelMessages every tool-call has a tool-result; no "
    "AI_MissingToolResultsError",
)
@holds("092", "the call does not stay input-available")
def _(_before: Messages, settled: Settled) -> bool:
    return bool(settled.messages[1]["parts"][1]["state"] == "output-error")


@holds(
    "092",
    "no tool message (role tool) is made for it: provider-executed results live in the "
    "assistant content",
)
def _(before: Messages, settled: Settled) -> bool:
    return [m["role"] for m in settled.messages] == [m["role"] for m in before]


# LangChain


@holds("100", "ToolMessage for call_b has status error")
def _(_before: Messages, settled: Settled) -> bool:
    tool = settled.messages[3]
    return (tool["tool_call_id"], tool["status"]) == ("call_b", "error")


@holds("100", "the rejection is not overwritten")
def _(before: Messages, settled: Settled) -> bool:
    return settled.messages[2] is before[2]


@holds(
    "102",
    "langgraph's own _validate_chat_history does NOT notice this (it only looks for "
    "calls without results)",
)
def _(_before: Messages, settled: Settled) -> bool:
    return "tool" not in [message["type"] for message in settled.messages]


@holds(
    "104",
    "calls are looked for in tool_calls, invalid_tool_calls AND provider content "
    "blocks (tool_use, function_call, custom_tool_call); same id in two places is one "
    "call",
)
def _(_before: Messages, settled: Settled) -> bool:
    answered = [m["tool_call_id"] for m in settled.messages if m["type"] == "tool"]
    return Counter(answered) == {"call_1": 1}


@holds(
    "106",
    "this is the normal LangChain shape for Anthropic: one call, not a duplicate id",
)
def _(before: Messages, settled: Settled) -> bool:
    return settled.messages is before


# pydantic-ai


@holds("110", "tool-return stands before the user-prompt in the same request")
def _(_before: Messages, settled: Settled) -> bool:
    kinds = [part["part_kind"] for part in settled.messages[2]["parts"]]
    return kinds == ["tool-return", "user-prompt"]


@holds(
    "110",
    "outcome is 'failed' (native error channel) or 'interrupted' (ordinary result); "
    "'success' is wrong",
)
def _(_before: Messages, settled: Settled) -> bool:
    return bool(settled.messages[2]["parts"][0]["outcome"] == "failed")


@holds("113", "no tool-return without a preceding tool-call")
def _(_before: Messages, settled: Settled) -> bool:
    kinds = [part["part_kind"] for m in settled.messages for part in m["parts"]]
    return "tool-return" not in kinds


@holds("113", "an emptied request is removed; the history still starts with a request")
def _(_before: Messages, settled: Settled) -> bool:
    filled = all(message["parts"] for message in settled.messages)
    return filled and bool(settled.messages[0]["kind"] == "request")
