"""Values that are made for every call: equal by class and slots, and read-only."""

import copy
import pickle

import pytest

from toolroute import Refusal, ToolCall
from toolroute.routing import ServerPlane

NO = Refusal("no", "TOOL_REFUSED", "no", "No.")


class One(ServerPlane):
    __slots__ = ("_gate",)
    kind = "one"

    def __init__(self, call: ToolCall, gate: object) -> None:
        self._call = call
        self._gate = gate


class Two(One):
    __slots__ = ()
    kind = "two"


def test_a_refusal_is_equal_by_what_it_says() -> None:
    assert Refusal(id="no", code="TOOL_REFUSED", retry="no", text="No.") == NO
    assert hash(Refusal("no", "TOOL_REFUSED", "no", "No.")) == hash(NO)
    for other in (
        Refusal("na", "TOOL_REFUSED", "no", "No."),
        Refusal("no", "OTHER", "no", "No."),
        Refusal("no", "TOOL_REFUSED", "yes", "No."),
        Refusal("no", "TOOL_REFUSED", "no", "Na."),
        ("no", "TOOL_REFUSED", "no", "No."),
    ):
        assert other != NO


def test_a_refusal_cant_be_changed() -> None:
    for name in ("id", "code", "retry", "text", "other"):
        with pytest.raises(AttributeError):
            setattr(NO, name, "changed")


def test_a_refusal_is_shown_copied_and_kept() -> None:
    assert repr(NO) == "Refusal('no', 'TOOL_REFUSED', 'no', 'No.')"
    assert copy.deepcopy(NO) == NO
    assert pickle.loads(pickle.dumps(NO)) == NO  # noqa: S301 - our own


def test_a_refusal_is_taken_apart_by_a_match() -> None:
    match NO:
        case Refusal(id, code, retry, text):
            assert (id, code, retry, text) == ("no", "TOOL_REFUSED", "no", "No.")


def test_routes_of_two_kinds_are_never_equal() -> None:
    call = ToolCall("1", "x")
    assert One(call, 1) == One(ToolCall("1", "x"), 1)
    assert One(call, 1) != Two(call, 1)
    assert Two(call, 1) != One(call, 1)
    assert One(call, 1) != One(call, 2)
    assert len({One(call, 1), One(call, 1), Two(call, 1)}) == 2


def test_a_routes_arguments_neednt_be_hashable() -> None:
    assert hash(One(ToolCall("1", "x", {"deep": []}), [])) == hash(
        One(ToolCall("1", "x", {"other": {}}), {})
    )
