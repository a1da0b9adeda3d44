"""A conversation that grows is legal after every turn, and ends as if told at once."""

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from toolroute.transcript import Growing, settle

from .damage import damaged
from .forms import Form
from .often import every_form, often
from .seen import Message
from .talk import talks, words


def cut(data: st.DataObject, messages: list[Message]) -> list[list[Message]]:
    places = st.lists(st.integers(0, len(messages)), max_size=5)
    ends = sorted({0, *data.draw(places), len(messages)})
    return [messages[a:b] for a, b in pairwise(ends)]


@every_form
@often
@given(data=st.data())
def test_it_is_legal_after_every_turn(form: Form, data: st.DataObject) -> None:
    growing = Growing(form.name)
    hurt = data.draw(damaged(form.write(data.draw(talks()))))
    for turn in cut(data, hurt):
        growing.add(*turn)
        settled = growing.settle()
        assert form.broken(list(settled.messages)) == []
        assert settled.remaining == ()
        again = growing.settle()
        assert (again.messages, again.changes) == (settled.messages, ())


@every_form
@often
@given(data=st.data())
def test_told_at_once_it_is_what_settle_gives(form: Form, data: st.DataObject) -> None:
    hurt = data.draw(damaged(form.write(data.draw(talks()))))
    assert Growing(form.name, hurt).settle() == settle(hurt, form.name)


@every_form
@often
@given(data=st.data())
def test_a_real_result_takes_the_place_of_what_a_turn_had_to_say(
    form: Form, data: st.DataObject
) -> None:
    talk = form.write(data.draw(talks()))
    growing = Growing(form.name)
    for turn in cut(data, talk):
        growing.add(*turn)
        growing.settle()
    messages = list(growing.settle().messages)
    told = json.dumps(messages)
    answered = len(form.results_of(talk)) == len(form.calls_of(talk))
    if answered:
        assert "TOOL_OUTCOME_UNKNOWN" not in told
    assert sorted(words("res", messages)) == sorted(words("res", talk))
    assert words("say", messages) == words("say", talk)
