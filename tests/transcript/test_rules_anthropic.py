"""Anthropic's rules, one test a rule."""

from toolroute.transcript import check, settle

from .shapes import NOT_RUN, UNKNOWN, USER, result, said, seen, text, told, use


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
