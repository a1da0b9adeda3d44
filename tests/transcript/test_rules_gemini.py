"""Gemini's rules, one test a rule."""

from toolroute import outcome_unknown
from toolroute.transcript import check, settle

from .shapes import answering, asking, model, seen, user


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


def test_words_between_a_running_call_and_a_later_one_stay() -> None:
    history = [user({"text": "Read."}), model(asking(id="a")), model({"text": "And."})]
    history.append(model(asking(id="b")))
    settled = settle(history, "gemini", open_calls=["a"])
    assert settled.messages[: len(history)] == history
