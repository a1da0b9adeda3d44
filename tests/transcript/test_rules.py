"""One test a rule of a provider: what is found, and what comes out."""

import json
from typing import Any

from toolroute import not_executed, outcome_unknown
from toolroute.transcript import Violation, check, settle

UNKNOWN = json.dumps(outcome_unknown("read"))
NOT_RUN = json.dumps(not_executed("read"))
USER = {"role": "user", "content": "Read."}


def seen(violations: list[Violation]) -> list[tuple[str, str | None, int]]:
    return [(v.kind, v.call_id, v.message) for v in violations]


def use(call_id: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "read", "input": {}, **more}


def result(call_id: str, content: Any = "31%", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def said(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def told(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


# Anthropic


def test_a3_results_split_over_two_messages_are_joined() -> None:
    messages = [USER, said(use("a"), use("b")), told(result("a")), told(result("b"))]
    assert seen(check(messages, "anthropic")) == [("misplaced_result", "b", 3)]
    assert settle(messages, "anthropic").messages == [
        *messages[:2],
        told(result("a"), result("b")),
    ]


def test_a1_two_assistant_messages_each_get_their_own_results() -> None:
    messages = [USER, said(use("a")), said(use("b")), told(result("a"), result("b"))]
    assert seen(check(messages, "anthropic")) == [("misplaced_result", "a", 3)]
    settled = settle(messages, "anthropic")
    assert settled.messages == [
        USER,
        messages[1],
        told(result("a")),
        messages[2],
        told(result("b")),
    ]


def test_a4_a_result_whose_call_is_two_messages_back_is_moved() -> None:
    messages = [USER, said(use("a")), told(text("Stop.")), told(result("a"))]
    assert seen(check(messages, "anthropic")) == [("misplaced_result", "a", 3)]
    assert settle(messages, "anthropic").messages == [
        *messages[:2],
        told(result("a"), text("Stop.")),
    ]


def test_a5_of_two_results_the_last_is_kept() -> None:
    messages = [USER, said(use("a")), told(result("a", "old"), result("a", "new"))]
    assert seen(check(messages, "anthropic")) == [("duplicate_result", "a", 2)]
    settled = settle(messages, "anthropic")
    assert settled.messages[2] == told(result("a", "new"))
    assert [c.removed for c in settled.changes] == [result("a", "old")]


def test_a8_an_error_without_content_gets_a_sentence() -> None:
    messages = [USER, said(use("a")), told(result("a", "", is_error=True))]
    assert seen(check(messages, "anthropic")) == [("empty_error_content", "a", 2)]
    wanted = "read answered with an error and no words."
    assert settle(messages, "anthropic").messages[2] == told(
        result("a", wanted, is_error=True)
    )


def test_a9_moved_results_leave_no_empty_text_behind() -> None:
    messages = [USER, said(use("a")), {"role": "user", "content": ""}]
    assert settle(messages, "anthropic").messages[2] == told(
        result("a", UNKNOWN, is_error=True)
    )


def test_a10_a_server_call_that_was_left_behind_is_left_out() -> None:
    server = {"type": "server_tool_use", "id": "srv", "name": "search", "input": {}}
    messages = [USER, said(text("Hm."), server), said(text("Well.")), USER]
    assert seen(check(messages, "anthropic")) == [("pending_server_call", "srv", 1)]
    settled = settle(messages, "anthropic")
    assert settled.messages == [USER, said(text("Hm.")), messages[2], USER]
    assert settled.send_later == ()


def test_a10_words_behind_a_deferred_server_call_are_handed_back() -> None:
    server = {"type": "server_tool_use", "id": "srv", "name": "search", "input": {}}
    messages = [USER, said(server, use("a")), told(result("a"), text("Wait."))]
    settled = settle(messages, "anthropic")
    assert settled.messages == [*messages[:2], told(result("a"))]
    assert settled.send_later == (told(text("Wait.")),)


def test_a10_a_server_result_in_the_next_message_is_legal() -> None:
    server = {"type": "server_tool_use", "id": "srv", "name": "search", "input": {}}
    done = {"type": "web_search_tool_result", "tool_use_id": "srv", "content": []}
    messages = [
        USER,
        said(server, use("a")),
        told(result("a")),
        said(done, text("So.")),
    ]
    assert check(messages, "anthropic") == []


def test_a11_a_server_result_without_its_call_is_kept_as_text() -> None:
    done = {"type": "web_search_tool_result", "tool_use_id": "srv", "content": []}
    messages = [USER, said(done, text("So."))]
    assert seen(check(messages, "anthropic")) == [("orphan_result", "srv", 1)]
    settled = settle(messages, "anthropic")
    assert settled.messages[1] == said(
        text("[tool result without its call] []"), text("So.")
    )


def test_a12_thinking_is_the_very_same_object() -> None:
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    messages = [USER, said(thinking, use("functions.read:0"))]
    settled = settle(messages, "anthropic")
    assert settled.messages[1]["content"][0] is thinking


def test_a_result_in_an_assistant_message_is_moved() -> None:
    messages = [USER, said(use("a")), said(result("a"), text("Done."))]
    assert seen(check(messages, "anthropic")) == [("misplaced_result", "a", 2)]
    assert settle(messages, "anthropic").messages == [
        *messages[:2],
        told(result("a")),
        said(text("Done.")),
    ]


def test_a_result_in_front_of_its_call_is_moved_behind_it() -> None:
    messages = [USER, told(result("a")), said(use("a")), USER]
    assert seen(check(messages, "anthropic")) == [("misplaced_result", "a", 1)]
    assert settle(messages, "anthropic").messages == [
        USER,
        said(use("a")),
        told(result("a"), text("Read.")),
    ]


def test_the_head_of_a_cut_history_answers_no_later_call_with_the_same_id() -> None:
    messages = [told(result("call_0", "of another")), said(use("call_0")), USER]
    assert seen(check(messages, "anthropic")) == [
        ("orphan_result", "call_0", 0),
        ("unanswered_call", "call_0", 1),
    ]


def test_a_call_whose_input_is_cut_off_is_mended_and_was_not_run() -> None:
    messages = [USER, said(use("a", input='{"bed": ')), USER]
    assert seen(check(messages, "anthropic")) == [("partial_call", "a", 1)]
    settled = settle(messages, "anthropic")
    assert settled.messages[1] == said(use("a"))
    assert settled.messages[2]["content"][0] == result("a", NOT_RUN, is_error=True)
    assert '{"bed": ' in [change.removed for change in settled.changes]


# Chat Completions


def call(call_id: Any, arguments: str = "{}") -> dict[str, Any]:
    function = {"name": "read", "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def asks(*calls: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def tool(call_id: str, content: str = "31%", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def test_o2_a_message_between_the_results_goes_behind_them() -> None:
    messages = [USER, asks(call("a"), call("b")), tool("a"), USER, tool("b")]
    assert seen(check(messages, "openai_chat")) == [("misplaced_result", "b", 4)]
    order = [messages[place] for place in (0, 1, 2, 4, 3)]
    assert settle(messages, "openai_chat").messages == order


def test_o4_an_id_may_come_again_in_a_later_batch() -> None:
    messages = [USER, asks(call("a")), tool("a"), asks(call("a")), tool("a")]
    assert check(messages, "openai_chat") == []
    assert seen(check(messages, "openai_chat", target="openai_chat:strict")) == [
        ("duplicate_call_id", "a", 3)
    ]


def test_results_of_two_messages_with_one_id_are_paired_in_order() -> None:
    messages = [USER, asks(call("a")), asks(call("a")), tool("a", "1"), tool("a", "2")]
    settled = settle(messages, "openai_chat")
    assert settled.messages == [
        USER,
        asks(call("a")),
        tool("a", "1"),
        asks(call("a")),
        tool("a", "2"),
    ]


def test_arguments_that_are_no_json_were_not_run() -> None:
    messages = [USER, asks(call("a", '{"bed": ')), USER]
    assert seen(check(messages, "openai_chat")) == [("unanswered_call", "a", 1)]
    assert settle(messages, "openai_chat").messages[2] == tool("a", NOT_RUN)


def test_no_arguments_at_all_say_nothing_about_the_call() -> None:
    messages = [USER, asks(call("a", "")), USER]
    assert settle(messages, "openai_chat").messages[2] == tool("a", UNKNOWN)


def test_a_call_without_an_id_gets_one_and_its_result_too() -> None:
    messages = [USER, asks(call(None)), {"role": "tool", "content": "31%"}]
    assert seen(check(messages, "openai_chat")) == [("missing_call_id", None, 1)]
    assert settle(messages, "openai_chat").messages == [
        USER,
        asks(call("call_1_0")),
        {"role": "tool", "tool_call_id": "call_1_0", "content": "31%"},
    ]


def test_custom_calls_of_chat_are_calls_too() -> None:
    custom = {"id": "a", "type": "custom", "custom": {"name": "read", "input": "x"}}
    messages = [USER, asks(custom), USER]
    assert settle(messages, "openai_chat").messages[2] == tool("a", UNKNOWN)


# Responses


def item(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, **more}


def asked(call_id: str, **more: Any) -> dict[str, Any]:
    return item("function_call", call_id=call_id, name="read", arguments="{}", **more)


def output(call_id: str, **more: Any) -> dict[str, Any]:
    return item("function_call_output", call_id=call_id, output="31%", **more)


SPOKEN = {"type": "message", "role": "user", "content": "Read."}


def test_r1_an_output_of_the_wrong_type_gets_its_calls_type() -> None:
    custom = item("custom_tool_call", call_id="a", name="read", input="x")
    messages = [SPOKEN, custom, output("a")]
    assert seen(check(messages, "openai_responses")) == [
        ("unanswered_call", "a", 1),
        ("orphan_result", "a", 2),
    ]
    assert settle(messages, "openai_responses").messages == [
        SPOKEN,
        custom,
        item("custom_tool_call_output", call_id="a", output="31%"),
    ]


def test_r3_an_output_does_not_keep_its_calls_item_id() -> None:
    messages = [SPOKEN, asked("a", id="fc_1"), output("a", id="fc_1")]
    assert seen(check(messages, "openai_responses")) == [("duplicate_call_id", "a", 2)]
    assert settle(messages, "openai_responses").messages[2] == output("a")


def test_r4_an_orphans_text_does_not_part_reasoning_from_its_call() -> None:
    reasoning = item("reasoning", id="rs_1", summary=[])
    messages = [SPOKEN, reasoning, output("gone"), asked("a"), output("a")]
    settled = settle(messages, "openai_responses")
    assert [m["type"] for m in settled.messages] == [
        "message",
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
    ]


def test_r5_an_item_stored_twice_is_one_item() -> None:
    messages = [SPOKEN, asked("a", id="fc_1"), asked("a", id="fc_1"), output("a")]
    settled = settle(messages, "openai_responses")
    assert settled.messages == [SPOKEN, asked("a", id="fc_1"), output("a")]


def test_r7_strict_servers_want_outputs_right_behind_their_calls() -> None:
    answer = {"type": "message", "role": "assistant", "content": "Wait."}
    messages = [SPOKEN, asked("a"), answer, output("a")]
    assert seen(check(messages, "openai_responses")) == [("misplaced_result", "a", 3)]
    assert check(messages, "openai_responses", target="openai_responses:openai") == []
    order = [messages[place] for place in (0, 1, 3, 2)]
    assert settle(messages, "openai_responses").messages == order


def test_r8_openai_takes_an_output_by_its_name() -> None:
    named = item("function_call_output", name="update", output="beds watered")
    messages = [SPOKEN, named]
    assert check(messages, "openai_responses", target="openai_responses:openai") == []


def test_r9_a_call_whose_status_says_that_it_was_cut_off_was_not_run() -> None:
    cut = {**asked("a"), "arguments": '{"bed": ', "status": "incomplete"}
    messages = [SPOKEN, cut, SPOKEN]
    assert seen(check(messages, "openai_responses")) == [("partial_call", "a", 1)]
    settled = settle(messages, "openai_responses")
    assert settled.messages[2] == item(
        "function_call_output", call_id="a", output=NOT_RUN
    )


def test_what_only_the_tool_can_answer_remains_and_is_said_to() -> None:
    messages = [SPOKEN, item("computer_call", call_id="a", action={"type": "click"})]
    settled = settle(messages, "openai_responses")
    assert settled.messages is messages
    assert seen(list(settled.remaining)) == [("unanswered_call", "a", 1)]


def test_every_kind_of_call_gets_an_output_of_its_kind() -> None:
    calls = [
        item("shell_call", call_id="s", action={}),
        item("local_shell_call", call_id="l", action={}),
        item("apply_patch_call", call_id="p", operation={}),
        item("custom_tool_call", call_id="c", name="read", input="x"),
        item("mcp_approval_request", id="m", name="read", arguments="{}"),
        item("tool_search_call", call_id="t", execution="client", arguments={}),
    ]
    settled = settle([SPOKEN, *calls], "openai_responses")
    assert [answer["type"] for answer in settled.messages[7:]] == [
        "shell_call_output",
        "local_shell_call_output",
        "apply_patch_call_output",
        "custom_tool_call_output",
        "mcp_approval_response",
        "tool_search_output",
    ]
    assert settled.messages[11]["approve"] is False
    assert settled.remaining == ()


def test_an_item_reference_may_hold_the_call() -> None:
    messages = [item("item_reference", id="fc_1"), output("a")]
    assert check(messages, "openai_responses") == []


# Gemini


def model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def asking(name: str = "read", **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {}, **more}}


def answering(name: str | None = "read", **more: Any) -> dict[str, Any]:
    named = {} if name is None else {"name": name}
    return {"functionResponse": {**named, "response": {"output": "31%"}, **more}}


def test_g2_the_answers_have_a_content_of_their_own() -> None:
    messages = [user({"text": "Read."}), model(asking()), user({"text": "Stop."})]
    settled = settle(messages, "gemini")
    error = outcome_unknown("read")
    assert settled.messages == [
        *messages[:2],
        user({"functionResponse": {"name": "read", "response": error}}),
        messages[2],
    ]


def test_g3_a_call_behind_the_models_own_text_is_joined_to_it() -> None:
    signed = {**asking(), "thoughtSignature": "c2ln"}
    start = user({"text": "Read."})
    messages = [start, model({"text": "Now."}), model(signed), user(answering())]
    assert seen(check(messages, "gemini")) == [
        ("call_turn_without_user_before", None, 2)
    ]
    assert settle(messages, "gemini").messages == [
        start,
        model({"text": "Now."}, signed),
        user(answering()),
    ]


def test_g4_a_response_without_its_calls_id_is_given_it() -> None:
    messages = [user({"text": "Read."}), model(asking(id="g1")), user(answering())]
    assert seen(check(messages, "gemini")) == [("missing_call_id", None, 2)]
    assert settle(messages, "gemini").messages[2] == user(answering(id="g1"))


def test_g5_a_response_without_a_name_is_given_its_calls() -> None:
    start = user({"text": "Read."})
    messages = [start, model(asking(id="g1")), user(answering(None, id="g1"))]
    assert seen(check(messages, "gemini")) == [("missing_result_name", "g1", 2)]
    fixed = settle(messages, "gemini").messages[2]["parts"][0]["functionResponse"]
    assert (fixed["name"], fixed["id"]) == ("read", "g1")


def test_g7_a_role_of_the_old_sdk_becomes_user() -> None:
    old = {"role": "function", "parts": [answering()]}
    messages = [user({"text": "Read."}), model(asking()), old]
    assert seen(check(messages, "gemini")) == [("role_order", None, 2)]
    assert settle(messages, "gemini").messages[2] == user(answering())


def test_responses_without_ids_are_paired_per_name() -> None:
    start = user({"text": "Read."})
    calls = model(asking("a"), asking("b"), asking("a"))
    messages = [start, calls, user(answering("b"), answering("a"), answering("a"))]
    assert check(messages, "gemini") == []


def test_of_two_responses_to_the_only_call_of_a_name_the_last_is_kept() -> None:
    start = user({"text": "Read."})
    later = {"functionResponse": {"name": "read", "response": {"output": "done"}}}
    messages = [start, model(asking()), user(answering(), later)]
    assert seen(check(messages, "gemini")) == [("duplicate_result", None, 2)]
    assert settle(messages, "gemini").messages[2] == user(later)


def test_one_response_more_than_calls_of_a_name_is_kept_as_text() -> None:
    start = user({"text": "Read."})
    calls = model(asking(), asking())
    messages = [start, calls, user(answering(), answering(), answering())]
    assert seen(check(messages, "gemini")) == [("orphan_result", None, 2)]
    assert settle(messages, "gemini").messages[2] == user(
        answering(),
        answering(),
        {"text": "[tool result without its call: read] 31%"},
    )


def test_the_sdks_spelling_is_kept() -> None:
    call = {"function_call": {"name": "read", "args": {}}}
    messages = [user({"text": "Read."}), model(call)]
    answer = settle(messages, "gemini").messages[2]["parts"][0]
    assert list(answer) == ["function_response"]


# Bedrock


def test_b3_messages_of_one_role_become_one() -> None:
    messages = [
        {"role": "user", "content": [{"text": "One."}]},
        {"role": "user", "content": [{"text": "Two."}]},
    ]
    assert seen(check(messages, "bedrock")) == [("role_order", None, 1)]
    assert settle(messages, "bedrock").messages == [
        {"role": "user", "content": [{"text": "One."}, {"text": "Two."}]}
    ]


def test_b5_an_error_without_content_gets_a_sentence() -> None:
    call = {"toolUse": {"toolUseId": "a", "name": "read", "input": {}}}
    empty = {"toolUseId": "a", "content": [], "status": "error"}
    messages = [
        {"role": "user", "content": [{"text": "Read."}]},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{"toolResult": empty}]},
    ]
    assert seen(check(messages, "bedrock")) == [("empty_error_content", "a", 2)]
    words = [{"text": "read answered with an error and no words."}]
    assert settle(messages, "bedrock").messages[2]["content"] == [
        {"toolResult": {**empty, "content": words}}
    ]


def test_b7_a_servers_call_is_left_alone() -> None:
    use_ = {"toolUseId": "s", "name": "x", "input": {}, "type": "server_tool_use"}
    messages = [
        {"role": "user", "content": [{"text": "Read."}]},
        {"role": "assistant", "content": [{"toolUse": use_}, {"text": "So."}]},
    ]
    assert check(messages, "bedrock") == []


# Mistral


def test_m2_an_answer_of_settling_is_bridged_to_the_users_words() -> None:
    messages = [USER, asks(call("aB3xK9mP2")), USER]
    assert seen(check(messages, "mistral")) == [("unanswered_call", "aB3xK9mP2", 1)]
    roles = [m["role"] for m in settle(messages, "mistral").messages]
    assert roles == ["user", "assistant", "tool", "assistant", "user"]


def test_m2_and_m3_version_13_knows_neither() -> None:
    messages = [USER, asks(call("call_1")), tool("call_1"), USER]
    assert check(messages, "mistral", target="mistral:v13") == []
    assert [v.kind for v in check(messages, "mistral")] == [
        "invalid_call_id",
        "role_order",
    ]


def test_the_calls_of_a_first_message_get_a_users_message_in_front() -> None:
    messages = [asks(call("aB3xK9mP2")), tool("aB3xK9mP2")]
    assert [v.kind for v in check(messages, "mistral")] == [
        "call_turn_without_user_before"
    ]
    roles = [m["role"] for m in settle(messages, "mistral").messages]
    assert roles == ["user", "assistant", "tool"]


# Frameworks


def test_langchain_calls_that_are_no_json_were_not_run() -> None:
    invalid = {"name": "read", "args": '{"bed": ', "id": "a", "error": None}
    ai = {"type": "ai", "content": "", "invalid_tool_calls": [invalid]}
    messages = [{"type": "human", "content": "Read."}, ai]
    assert seen(check(messages, "langchain")) == [("unanswered_call", "a", 1)]
    answer = settle(messages, "langchain").messages[2]
    assert (answer["content"], answer["status"]) == (NOT_RUN, "error")


def test_langchain_ids_are_renamed_wherever_the_call_stands() -> None:
    block = {"type": "tool_use", "id": "f.r:0", "name": "read", "input": {}}
    listed = {"name": "read", "args": {}, "id": "f.r:0", "type": "tool_call"}
    ai = {"type": "ai", "content": [block], "tool_calls": [listed]}
    answer = {"type": "tool", "content": "31%", "tool_call_id": "f.r:0"}
    settled = settle([ai, answer], "langchain", target="anthropic")
    new = settled.messages[1]["tool_call_id"]
    assert new != "f.r:0"
    assert settled.messages[0] == {
        "type": "ai",
        "content": [{**block, "id": new}],
        "tool_calls": [{**listed, "id": new}],
    }


def test_langchain_results_inside_a_human_message_are_answers() -> None:
    ai = {"type": "ai", "content": [use("a"), use("b")]}
    human = {"type": "human", "content": [result("a"), text("And?")]}
    messages = [{"type": "human", "content": "Read."}, ai, human]
    assert seen(check(messages, "langchain")) == [("unanswered_call", "b", 1)]
    settled = settle(messages, "langchain")
    assert [m["type"] for m in settled.messages] == ["human", "ai", "tool", "human"]
    assert settled.messages[3] is human
