"""JSON that isn't quite a transcript is settled, or gets a sentence; nothing else."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from toolroute.transcript import TranscriptError, check, detect, settle

from .forms import FORMS
from .often import every_form, often
from .talk import talks

PLAIN: Any = [None, True, 0, -1, 1.5, "", "x", "tool_use", "\ud800"]
DEEP: Any = [[], [1], ["a"], [[]], [{}], {}, {"type": "tool_use"}, {"a": 1}]
ODD: Any = st.sampled_from([*PLAIN, *DEEP])


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


@every_form
@often
@given(data=st.data())
def test_it_is_settled_or_refused(form: Any, data: st.DataObject) -> None:
    messages = data.draw(st.sampled_from(FORMS)).write(data.draw(talks()))
    for _ in range(data.draw(st.integers(0, 3))):
        holder, key = data.draw(st.sampled_from(list(places(messages))))
        holder[key] = copy.deepcopy(data.draw(ODD))
    before = copy.deepcopy(messages)
    sentence = refused(lambda: settle(messages, form.name))
    if sentence is None:
        settled = settle(messages, form.name)
        json.dumps(settled.messages)
        assert settle(settled.messages, form.name).changes == ()
        assert check(messages, form.name) or not settled.changed
    for said in (sentence, refused(lambda: detect(messages))):
        assert said is None or (said.endswith(".") and said.isprintable()), said
    assert messages == before


def refused(run: Callable[[], Any]) -> str | None:
    """The sentence, if there is one; anything else that is raised is a failure."""
    try:
        run()
    except TranscriptError as error:
        return str(error)
    return None
