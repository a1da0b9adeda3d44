"""For another provider, ids and names are rewritten to what it takes, in pairs."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from toolroute.transcript import check, settle

from .damage import damaged
from .forms import Form
from .often import every_form, often
from .seen import Message, twice
from .talk import talks, words

COMMON = r"[a-zA-Z0-9_-]{1,64}"
TARGETS = {
    "anthropic": (r"[a-zA-Z0-9_-]+", COMMON),
    "openai_chat": (r"(?s).{1,40}", COMMON),
    "openai_responses": (r"(?s).{1,64}", COMMON),
    "gemini": (r"(?s).*", r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}"),
    "bedrock": (r"[a-zA-Z0-9_-]{1,64}", COMMON),
    "mistral": (r"[a-zA-Z0-9]{9}", COMMON),
}
"""What an id and a name look like: A7, A14, O5, O8, R6, G10, B4, B7, M3, M6."""


def name_of(call: dict[str, Any]) -> str:
    if call.get("type") == "dynamic-tool":
        return str(call["toolName"])
    if str(call.get("type")).startswith("tool-") and "toolCallId" in call:
        return str(call["type"]).removeprefix("tool-")
    call = call.get("function", call)
    return str(call["tool_name"] if "tool_name" in call else call["name"])


@every_form
@often
@given(data=st.data(), target=st.sampled_from(sorted(TARGETS)))
def test_it_fits_the_target_and_its_own_format(
    form: Form, target: str, data: st.DataObject
) -> None:
    hurt = data.draw(damaged(form.write(data.draw(talks()))))
    messages: list[Message] = json.loads(
        json.dumps(hurt).replace("read_gauge", "9.read gauge").replace("list", "x" * 70)
    )
    settled = settle(messages, form.name, target=target)
    ids, names = TARGETS[target]
    calls = form.calls_of(list(settled.messages))
    assert [c.key for c in calls if c.key and not re.fullmatch(ids, c.key)] == []
    assert [c for c in calls if not re.fullmatch(names, name_of(c.value))] == []
    if target == "anthropic":
        assert twice(call.key for call in calls) == []
    assert settled.remaining == ()
    assert check(settled.messages, form.name, target=target) == []
    again = settle(settled.messages, form.name, target=target)
    assert again.messages is settled.messages


@every_form
@often
@given(data=st.data())
def test_different_names_and_ids_stay_different(
    form: Form, data: st.DataObject
) -> None:
    messages: list[Message] = json.loads(
        json.dumps(form.write(data.draw(talks())))
        .replace("read_gauge", "a.b")
        .replace("open_valve", "a_b")
        .replace("list-beds", "a b")
    )
    settled = settle(messages, form.name, target="anthropic")
    before, after = form.calls_of(messages), form.calls_of(list(settled.messages))
    for facts in (lambda call: name_of(call.value), lambda call: call.key):
        both = zip(map(facts, before), map(facts, after), strict=True)
        pairs = {(was, now) for was, now in both if was}
        assert len({a for a, _ in pairs}) == len({b for _, b in pairs})
    assert words("arg", list(settled.messages)) == words("arg", messages)
    assert words("res", list(settled.messages)) == words("res", messages)
