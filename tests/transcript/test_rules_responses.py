"""Responses' rules, one test a rule."""

from toolroute.transcript import check, settle

from .shapes import NOT_RUN, SPOKEN, asked, item, output, seen


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
