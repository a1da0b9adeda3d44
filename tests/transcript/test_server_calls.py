"""What Anthropic ran itself stays with the assistant, whoever put it elsewhere."""

from typing import Any

import pytest

from toolroute.transcript import NotATranscript, Violation, check, settle

USER = {"role": "user", "content": "Search."}
SEARCH = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
USE = {"type": "tool_use", "id": "a", "name": "read", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "a", "content": "31%"}
WORDS = {"type": "text", "text": "Well."}


def said(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def told(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def seen(violations: list[Violation]) -> list[tuple[str, str | None, int]]:
    return [(v.kind, v.call_id, v.message) for v in violations]


def test_a_servers_result_in_the_users_message_goes_behind_its_call() -> None:
    messages = [USER, said(SEARCH, USE), told(FOUND, RESULT, WORDS)]
    assert seen(check(messages, "anthropic")) == [("misplaced_result", "s", 2)]
    settled = settle(messages, "anthropic")
    assert settled.messages == [USER, said(SEARCH, FOUND, USE), told(RESULT, WORDS)]
    assert settled.send_later == ()


def test_a_message_that_held_only_servers_results_is_left_out() -> None:
    messages = [USER, said(SEARCH), told(FOUND), said(WORDS), USER]
    assert seen(check(messages, "anthropic")) == [("misplaced_result", "s", 2)]
    settled = settle(messages, "anthropic")
    assert settled.messages == [USER, said(SEARCH, FOUND), said(WORDS), USER]
    assert [change.did for change in settled.changes] == ["moved", "removed"]


def test_a_client_result_for_a_servers_call_is_an_orphan_and_no_more() -> None:
    messages = [USER, said(SEARCH, USE), told(RESULT, {**RESULT, "tool_use_id": "s"})]
    assert seen(check(messages, "anthropic")) == [("orphan_result", "s", 2)]
    settled = settle(messages, "anthropic")
    assert settled.messages == [*messages[:2], told(RESULT)]
    text = "[tool result without its call] 31%"
    assert settled.send_later == (told({"type": "text", "text": text}),)
    dropped = settle(messages, "anthropic", orphans="drop")
    assert (dropped.messages, dropped.send_later) == (settled.messages, ())


def test_what_is_handed_back_holds_no_servers_result() -> None:
    other = {**SEARCH, "id": "t"}
    messages = [USER, said(SEARCH, other), told(FOUND, WORDS)]
    settled = settle(messages, "anthropic")
    assert settled.messages == [USER, said(SEARCH, FOUND, other)]
    assert settled.send_later == (told(WORDS),)


@pytest.mark.parametrize("block", [SEARCH, USE, {**SEARCH, "type": "mcp_tool_use"}])
def test_a_call_in_the_users_message_is_a_sentence(block: dict[str, Any]) -> None:
    with pytest.raises(NotATranscript) as raised:
        check([told(block)], "anthropic")
    assert str(raised.value) == (
        "message 0, block 0 of this anthropic transcript holds an object where "
        f"no `{block['type']}` block in a user message was expected. "
        "Counting starts at 0."
    )
