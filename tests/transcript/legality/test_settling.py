"""What settling promises, of any talk, hurt in any way, in every format."""

import copy
import json
from collections import Counter
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from toolroute import ToolResult
from toolroute.transcript import Answers, check, settle

from . import rules_gemini
from .damage import damaged
from .forms import Form
from .often import every_form, often
from .seen import Message, Seen
from .talk import talks, words


def hurt(form: Form, data: st.DataObject) -> list[Message]:
    return data.draw(damaged(form.write(data.draw(talks()))))


@every_form
@often
@given(data=st.data())
def test_what_is_legal_comes_back_as_it_is(form: Form, data: st.DataObject) -> None:
    messages = form.write(data.draw(talks()))
    assert check(messages, form.name) == []
    settled = settle(messages, form.name)
    assert settled.messages is messages
    assert (settled.changes, settled.send_later, settled.remaining) == ((), (), ())


@every_form
@often
@given(data=st.data())
def test_settling_gives_a_legal_transcript(form: Form, data: st.DataObject) -> None:
    settled = settle(hurt(form, data), form.name)
    assert form.broken(list(settled.messages)) == []
    assert settled.remaining == ()
    assert check(settled.messages, form.name) == []


@every_form
@often
@given(data=st.data())
def test_settling_twice_changes_nothing_more(form: Form, data: st.DataObject) -> None:
    once = settle(hurt(form, data), form.name)
    again = settle(once.messages, form.name)
    assert again.messages is once.messages
    assert (again.changes, again.send_later) == ((), ())


@every_form
@often
@given(data=st.data())
def test_settling_is_deterministic_and_leaves_its_input(
    form: Form, data: st.DataObject
) -> None:
    messages = hurt(form, data)
    before = copy.deepcopy(messages)
    settled = settle(messages, form.name)
    assert messages == before
    assert json.dumps(messages) == json.dumps(before)
    again = settle(before, form.name)
    assert again == settled
    assert json.dumps(again.messages) == json.dumps(settled.messages)


@every_form
@often
@given(data=st.data())
def test_check_and_settle_agree_with_the_rules(form: Form, data: st.DataObject) -> None:
    messages = hurt(form, data)
    assume(form.name != "gemini" or not rules_gemini.unsure(messages))
    broken = form.broken(messages)
    violations = check(messages, form.name)
    assert bool(violations) == bool(broken), broken
    settled = settle(messages, form.name)
    assert settled.changed == bool(broken)
    assert (settled.messages == messages) == (not broken)


@every_form
@often
@given(data=st.data())
def test_all_text_thinking_and_calls_stay_in_order(
    form: Form, data: st.DataObject
) -> None:
    messages = hurt(form, data)
    settled = settle(messages, form.name)
    after = [*settled.messages, *settled.send_later]
    violations = check(messages, form.name)
    lost = {v.message for v in violations if v.kind == "orphan_reasoning"}
    kept = [m for at, m in enumerate(messages) if at not in lost]
    assert told(form, after) in [told(form, kept), told(form, without_copies(kept))]


def without_copies(items: list[Message]) -> list[Message]:
    """A Responses item that is there twice, with its own id, may be taken for one."""
    return [
        m
        for at, m in enumerate(items)
        if "type" not in m or "id" not in m or m not in items[:at]
    ]


def told(form: Form, messages: list[Message]) -> list[Any]:
    return [words("say", messages), words("think", messages), called(form, messages)]


def called(form: Form, messages: list[Message]) -> list[list[str]]:
    return [words("arg", seen.value) for seen in form.calls_of(messages)]


@every_form
@often
@given(data=st.data())
def test_a_result_is_lost_only_to_another_of_its_call(
    form: Form, data: st.DataObject
) -> None:
    messages = hurt(form, data)
    settled = settle(messages, form.name)
    left = words("res", [*settled.messages, *settled.send_later])
    keys = Counter(repr(seen.key) for seen in form.results_of(messages))
    for seen in form.results_of(messages):
        if keys[repr(seen.key)] == 1:
            assert set(words("res", seen.value)) <= set(left)


@every_form
@often
@given(data=st.data())
def test_an_answered_call_keeps_its_answer(form: Form, data: st.DataObject) -> None:
    messages = hurt(form, data)
    after = list(settle(messages, form.name).messages)
    for call, answers in answered(form, messages):
        kept = [seen for seen in form.calls_of(after) if word(seen) == word(call)]
        assert len(kept) == 1
        given_to = first_result(form, after, kept[0])
        assert given_to is not None
        assert words("res", given_to.value)
        assert set(words("res", given_to.value)) <= {
            found for answer in answers for found in words("res", answer.value)
        }


def word(seen: Seen) -> str:
    return "".join(words("arg", seen.value))


def answered(form: Form, messages: list[Message]) -> list[tuple[Seen, list[Seen]]]:
    """The calls that are known by an id of their own and have results behind them."""
    calls = form.calls_of(messages)
    keys = Counter(repr(call.key) for call in calls)
    told = Counter(word(call) for call in calls)
    found: list[tuple[Seen, list[Seen]]] = []
    for call in calls:
        alone = keys[repr(call.key)] == 1 and told[word(call)] == 1
        answers = [seen for seen in form.results_of(messages) if seen.key == call.key]
        here = [seen for seen in answers if belongs(call, seen)]
        if call.key and alone and word(call) and here and here == answers:
            found.append((call, here))
    return found


def belongs(call: Seen, result: Seen) -> bool:
    """Behind the call, or its very part; and of its type, where results have types."""
    if call.value is result.value:
        return True
    kind, answers = call.value.get("type", ""), result.value.get("type", "")
    custom = str(kind).startswith("custom") == str(answers).startswith("custom")
    return call.at < result.at and custom


def first_result(form: Form, messages: list[Message], call: Seen) -> Seen | None:
    """In a legal transcript: the first one behind the call that has its key."""
    behind = [seen for seen in form.results_of(messages) if seen.at >= call.at]
    return next((seen for seen in behind if seen.key == call.key), None)


@every_form
@often
@given(data=st.data())
def test_only_a_cut_off_call_is_said_not_to_have_run(
    form: Form, data: st.DataObject
) -> None:
    messages = hurt(form, data)
    after = json.dumps([*settle(messages, form.name).messages])
    cut = [seen for seen in form.calls_of(messages) if is_cut(seen.value)]
    assert after.count("TOOL_NOT_EXECUTED") <= len(cut)


def is_cut(call: dict[str, Any]) -> bool:
    function = call.get("function", call)
    given = function.get("arguments", function.get("args"))
    if not isinstance(given, str):
        return bool(call.get("state") == "input-streaming")
    try:
        return not isinstance(json.loads(given), dict)
    except ValueError:
        return True


@every_form
@often
@given(data=st.data())
def test_an_answer_by_id_is_what_an_open_call_gets(
    form: Form, data: st.DataObject
) -> None:
    messages = hurt(form, data)
    calls = form.calls_of(messages)
    keys = Counter(call.key for call in calls)
    known = {
        key: ToolResult(f"given{n}")
        for n, (key, count) in enumerate(keys.items())
        if key and count == 1
    }
    after = settle(messages, form.name, evidence=Answers(known)).messages
    assert form.broken(list(after)) == []
    unknown = json.dumps(list(after)).count("TOOL_OUTCOME_UNKNOWN")
    assert unknown <= sum(1 for call in calls if call.key not in known)
