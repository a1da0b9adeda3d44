"""Who may speak when, to Mistral's strictest validator: M2 and M5."""

from typing import Any

from toolroute.transcript import Growing, Violation, check, settle

USER = {"role": "user", "content": "Read."}
REPLY = {"role": "assistant", "content": "So."}
CALL = {"id": "aB3xK9mP2", "function": {"name": "read", "arguments": "{}"}}
RESULT = {"role": "tool", "tool_call_id": "aB3xK9mP2", "name": "read", "content": "31%"}
UNDERSTOOD = {"role": "assistant", "content": "Understood."}


def asks(content: Any = "", **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": [CALL], **more}


def seen(violations: list[Violation]) -> list[tuple[str, int, str]]:
    return [(v.kind, v.message, v.says) for v in violations]


def test_m2_a_system_message_is_not_let_behind_a_tools_either() -> None:
    system = {"role": "system", "content": "Be brief."}
    messages = [USER, asks(), RESULT, system, USER]
    said = "Unexpected role 'system' after role 'tool'"
    assert seen(check(messages, "mistral")) == [("role_order", 3, said)]
    order = [USER, asks(), RESULT, UNDERSTOOD, system, USER]
    assert settle(messages, "mistral").messages == order
    assert check(messages, "mistral", target="mistral:v13") == []


def test_m5_words_beside_calls_go_in_front_of_them() -> None:
    messages = [USER, asks("Reading."), RESULT]
    said = "Assistant message must have either content or tool_calls, but not both."
    assert seen(check(messages, "mistral")) == [("role_order", 1, said)]
    assert settle(messages, "mistral").messages == [
        USER,
        {"role": "assistant", "content": "Reading."},
        asks(),
        RESULT,
    ]
    assert check(messages, "mistral", target="mistral:v13") == []


def test_m5_a_message_with_neither_is_left_out() -> None:
    for empty in ("", None, []):
        messages = [USER, {"role": "assistant", "content": empty}, USER]
        said = "Assistant message must have either content or tool_calls."
        assert seen(check(messages, "mistral")) == [("role_order", 1, said)]
        settled = settle(messages, "mistral")
        assert settled.messages == [USER, USER]
        assert [change.removed for change in settled.changes] == [messages[1]]


def test_m5_an_assistant_that_speaks_last_is_marked_as_a_prefix() -> None:
    messages = [USER, REPLY]
    said = (
        "Expected last role User or Tool (or Assistant with prefix True) for serving "
        "but got assistant"
    )
    assert seen(check(messages, "mistral")) == [("role_order", 1, said)]
    assert settle(messages, "mistral").messages == [USER, {**REPLY, "prefix": True}]


def test_m5_a_prefix_with_something_behind_it_is_none() -> None:
    messages = [USER, {**REPLY, "prefix": True}, USER]
    said = "Assistant message with prefix True must be last message"
    assert seen(check(messages, "mistral")) == [("role_order", 1, said)]
    assert settle(messages, "mistral").messages == [USER, REPLY, USER]


def test_a_conversation_that_rested_goes_on_without_the_mark() -> None:
    talk = Growing("mistral", [USER, REPLY])
    assert talk.settle().messages == [USER, {**REPLY, "prefix": True}]
    assert talk.settle().changes == ()
    talk.add(USER)
    assert talk.settle().messages == [USER, REPLY, USER]


def test_an_assistants_message_is_not_all_there_is() -> None:
    messages = [{**REPLY, "prefix": True}]
    said = "Conversation must start with a user message or system message"
    assert seen(check(messages, "mistral")) == [("role_order", 0, said)]
    earlier = "[the conversation before this is not part of this history]"
    first = {"role": "user", "content": earlier}
    assert settle(messages, "mistral").messages == [first, *messages]


def test_a_call_that_is_still_running_is_no_prefix() -> None:
    assert check([USER, asks()], "mistral", open_calls=["aB3xK9mP2"]) == []
