"""A host, read once."""

from typing import Any

import pytest

from toolroute import ToolCall
from toolroute.routing import inside, is_inside, once
from toolroute.routing._once import shown


class Counting:
    """A host that counts how often its gate is read."""

    def __init__(self) -> None:
        self.reads = 0

    @property
    def gate(self) -> int:
        self.reads += 1
        return self.reads

    @property
    def broken(self) -> None:
        raise RuntimeError("broken")

    def check(self, call: Any) -> Any:
        return (self, call)


def test_each_attribute_is_read_when_it_is_wanted_and_once() -> None:
    host = Counting()
    view = once(host)
    assert host.reads == 0
    assert (view.gate, view.gate, host.reads) == (1, 1, 1)


def test_a_view_of_a_view_is_that_view() -> None:
    view = once(Counting())
    assert once(view) is view


def test_a_method_is_still_the_hosts() -> None:
    host = Counting()
    assert once(host).check(1) == (host, 1)


def test_what_raises_raises() -> None:
    with pytest.raises(RuntimeError, match="broken"):
        _ = once(Counting()).broken


def test_the_inside_of_a_view_has_seen_what_the_view_saw() -> None:
    host = Counting()
    view = once(host)
    assert view.gate == 1
    inner = inside(view)
    assert (inner.gate, host.reads) == (1, 1)
    assert (is_inside(inner), is_inside(view), is_inside(host)) == (True, False, False)
    assert once(inner) is inner


def test_what_is_shown_isnt_asked_about_input() -> None:
    view = shown(Counting(), ("check",))
    assert view.check(ToolCall("", "x")) is None
    assert view.gate == 1


def test_a_hosts_own_attributes_arent_mistaken_for_the_views() -> None:
    class Host:
        host = "its own"
        _host = "another"

    view = once(Host())
    assert (view.host, view._host) == ("its own", "another")
