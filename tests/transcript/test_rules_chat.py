"""Chat Completions' rules, one test a rule."""

from toolroute.transcript import check, settle

from .shapes import NOT_RUN, UNKNOWN, USER, asks, call, seen, tool


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
