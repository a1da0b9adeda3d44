"""Whatever a file is written like, what comes out reads as what was settled."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from toolroute.transcript import settle
from toolroute.transcript._command_document import Document, read_document

from ..legality.damage import damaged  # noqa: TID252
from ..legality.forms import FORMS  # noqa: TID252
from ..legality.often import often  # noqa: TID252
from ..legality.talk import talks  # noqa: TID252

STYLES: Any = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 1, 4, "\t"]),
        "separators": st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]),
        "ensure_ascii": st.booleans(),
    }
)
FIELDS = st.sampled_from(["messages", "input", "contents"])
WRITE = {form.name: form.write for form in FORMS}


def is_written(document: Document, messages: Any, raw: list[str]) -> None:
    text = document.with_messages(messages)
    again = read_document(text)
    assert again.messages == list(messages)
    assert (again.shape, again.field) == (document.shape, document.field)
    was = {id(message): n for n, message in enumerate(document.messages)}
    for message, (start, end) in zip(messages, again.spans, strict=True):
        if id(message) in was:
            assert text[start:end] == raw[was[id(message)]]


@often
@given(data=st.data(), form=st.sampled_from(sorted(WRITE)), style=STYLES, field=FIELDS)
def test_an_array_and_an_object(
    data: st.DataObject, form: str, style: Any, field: str
) -> None:
    hurt = data.draw(damaged(WRITE[form](data.draw(talks()))))
    shape = data.draw(st.sampled_from([hurt, {"a": 1, field: hurt, "z": [field]}]))
    newline = data.draw(st.sampled_from(["\n", "\r\n"]))
    text = json.dumps(shape, **style).replace("\n", newline)
    document = read_document(text)
    assert document.messages == hurt
    assert document.with_messages(document.messages) == text
    settled = settle(document.messages, form).messages
    raw = [text[start:end] for start, end in document.spans]
    is_written(document, settled, raw)
    if shape is not hurt:
        whole = json.loads(document.with_messages(settled))
        assert whole == {"a": 1, field: list(settled), "z": [field]}


@often
@given(data=st.data(), form=st.sampled_from(sorted(WRITE)), style=STYLES)
def test_json_lines(data: st.DataObject, form: str, style: Any) -> None:
    hurt = data.draw(damaged(WRITE[form](data.draw(talks()))))
    newline = data.draw(st.sampled_from(["\n", "\r\n"]))
    style = {**style, "indent": None}
    lines = [json.dumps(message, **style) for message in hurt]
    if len(lines) < 2:
        return
    text = newline.join(lines) + data.draw(st.sampled_from(["", newline]))
    document = read_document(text)
    assert document.shape == "lines"
    assert document.with_messages(document.messages) == text
    is_written(document, settle(document.messages, form).messages, lines)
