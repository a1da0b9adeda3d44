"""Bedrock's, Mistral's and LangChain's rules, one test a rule."""

from toolroute.transcript import check, settle

from .shapes import NOT_RUN, USER, asks, call, result, seen, text, tool, use


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
