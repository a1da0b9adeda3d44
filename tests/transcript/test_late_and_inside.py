"""Results far from their calls, or in the very message of theirs, find them."""

import copy
from typing import Any

from toolroute.transcript import Growing, Violation, check, settle

START = {"role": "user", "parts": [{"text": "Read."}]}


def model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def asking(name: str = "read", **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {}, **more}}


def answering(name: str = "read", said: str = "31%", **more: Any) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": {"output": said}, **more}}


def seen(violations: list[Violation]) -> list[tuple[str, str | None, int, int | None]]:
    return [(v.kind, v.call_id, v.message, v.index) for v in violations]


def test_a_response_without_an_id_finds_the_open_call_behind_the_models_words() -> None:
    wait = model({"text": "Wait."})
    messages = [START, model(asking()), wait, user(answering()), START]
    assert seen(check(messages, "gemini")) == [("misplaced_result", None, 3, 0)]
    assert settle(messages, "gemini").messages == [
        START,
        model(asking()),
        user(answering()),
        wait,
        START,
    ]


def test_responses_without_ids_go_to_call_turns_that_follow_each_other_in_order() -> (
    None
):
    calls = [model(asking()), model(asking())]
    both = user(answering(said="1"), answering(said="2"))
    messages = [START, *calls, both]
    assert seen(check(messages, "gemini")) == [("misplaced_result", None, 3, 0)]
    assert settle(messages, "gemini").messages == [
        START,
        calls[0],
        user(answering(said="1")),
        calls[1],
        user(answering(said="2")),
    ]


def test_real_responses_without_ids_replace_what_settling_wrote_in_order() -> None:
    calls = model(asking(), asking())
    once = settle([START, calls, START], "gemini").messages
    late = user(answering(said="1"), answering(said="2"))
    settled = settle([*once, model({"text": "Hm."}), late], "gemini")
    assert settled.messages == [START, calls, late, START, model({"text": "Hm."})]


def test_a_response_with_the_name_of_an_answered_call_is_an_orphan() -> None:
    pair = [model(asking()), user(answering())]
    messages = [START, *pair, model({"text": "So."}), user(answering(said="more"))]
    assert seen(check(messages, "gemini")) == [("orphan_result", None, 4, None)]


def test_a_result_in_its_calls_own_message_is_moved_behind_it() -> None:
    use = {"type": "tool_use", "id": "a", "name": "read", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "31%"}
    spoken = {"role": "user", "content": "Read."}
    messages = [spoken, {"role": "assistant", "content": [use, result]}]
    assert seen(check(messages, "anthropic")) == [("misplaced_result", "a", 1, 0)]
    assert settle(messages, "anthropic").messages == [
        spoken,
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
    ]
    messages = [START, model(asking(), answering())]
    assert seen(check(messages, "gemini")) == [("misplaced_result", None, 1, 0)]


def test_an_item_that_comes_again_turns_later_is_one_item() -> None:
    spoken = {"type": "message", "role": "user", "content": "Read."}
    reply = {"type": "message", "id": "m1", "role": "assistant", "content": "Hm."}
    talk = Growing("openai_responses", [spoken, reply])
    talk.settle()
    talk.add(spoken, copy.deepcopy(reply), spoken)
    assert talk.settle().messages == [spoken, reply, spoken, spoken]


def test_a_server_call_and_its_result_are_read_again_together() -> None:
    use = {"type": "tool_use", "id": "a", "name": "read", "input": {}}
    search = {"type": "server_tool_use", "id": "s", "name": "search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "31%"}
    words = {"type": "text", "text": "Hm."}
    pair = [
        {"role": "user", "content": "Read."},
        {"role": "assistant", "content": [use, search]},
        {"role": "user", "content": [result]},
        {"role": "assistant", "content": [found, words]},
    ]
    late = {"role": "user", "content": [{**result, "tool_use_id": "gone"}, words]}
    talk = Growing(
        "anthropic", [*pair, {"role": "assistant", "content": [found, words]}]
    )
    talk.settle()
    talk.add(late)
    settled = talk.settle()
    assert settled.messages[:4] == pair
    assert check(settled.messages, "anthropic") == []
