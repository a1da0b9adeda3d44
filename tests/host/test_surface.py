"""What is offered can be called, and what isn't there is not offered."""

from typing import TYPE_CHECKING

import pytest

from toolroute import Refusal, ToolCall
from toolroute_host.dispatch import Caller, decide, surface
from toolroute_host.view import View

if TYPE_CHECKING:
    from .conftest import Roads

EVERYTHING = [
    *("toolsets--open", "toolsets--act", "words--agent_settings", "words--define"),
    *("channel_close", "channel_decline", "channel_list", "channel_open"),
    *("channel_publish", "utils", "agent_settings", "save_recent_image"),
    *("read_image", "fetch_reference", "gate_status", "tune_out", "focus", "sleep"),
    *("wake", "wake_add_rule", "wake_remove_rule", "event_tags", "think", "journal"),
    *("skip_reply", "code_execution", "drafts", "heartbeat_status", "heartbeat_set"),
    *("prose_help", "files--list", "files--read", "files--write"),
]


def offered(roads: "Roads", agent: str | None, caller: Caller = "turn") -> list[str]:
    world = roads.world
    return surface(caller, View(world, None if agent is None else world.agents[agent]))


def test_the_whole_surface_of_a_host_that_has_everything(
    roads: "Roads",
) -> None:
    assert offered(roads, "ada") == EVERYTHING


def test_an_operators_surface_is_the_agents(roads: "Roads") -> None:
    assert offered(roads, "ada", "puppet") == EVERYTHING


@pytest.mark.parametrize("agent", ["ada", "bea", "fay", "mum", None])
@pytest.mark.parametrize("caller", ["turn", "script", "host", "puppet", "module"])
def test_what_is_offered_is_not_refused_by_anything_but_its_input(
    roads: "Roads", agent: str | None, caller: Caller
) -> None:
    view = View(roads.world, None if agent is None else roads.world.agents[agent])
    as_caller: Caller = "turn" if caller == "puppet" else caller
    refused = {
        name: decision.id
        for name in surface(caller, view)
        if isinstance(decision := decide(ToolCall("", name), as_caller, view), Refusal)
    }
    by_input = {"channel_open": "fork_cannot_open"} if agent == "fay" else {}
    assert refused == by_input


PARTS = {
    "channel_registry": {
        *("channel_close", "channel_decline", "channel_list", "channel_open"),
        *("channel_publish", "think", "journal", "skip_reply", "drafts"),
    },
    "code_execution": {"code_execution"},
    "event_gate": {
        *("gate_status", "sleep", "wake", "wake_add_rule", "wake_remove_rule"),
        "event_tags",
    },
    "focus": {"focus"},
    "heartbeat": {"heartbeat_status", "heartbeat_set"},
    "mcpl_registry": {"words--agent_settings", "words--define"},
    "tune_out": {"tune_out"},
    "utilities": {"utils"},
    "workspace": {"save_recent_image", "read_image", "fetch_reference"},
}


@pytest.mark.parametrize("part", PARTS)
def test_without_a_part_its_tools_are_not_offered(roads: "Roads", part: str) -> None:
    setattr(roads.world, part, None)
    assert offered(roads, "ada") == [
        name for name in EVERYTHING if name not in PARTS[part]
    ]


def test_an_agents_list_and_kind_say_what_it_is_offered(roads: "Roads") -> None:
    assert offered(roads, "mum") == []
    assert offered(roads, "bea") == ["think", "files--read"]
    lacking = set(EVERYTHING) - set(offered(roads, "fay"))
    assert lacking == {"focus", "sleep", "prose_help"}


def test_a_closed_toolsets_tools_are_kept_out_of_sight_and_can_be_called(
    roads: "Roads",
) -> None:
    assert "files--delete" not in offered(roads, "ada")
    assert not roads.turn("ada", "files--delete", path="hello.txt").is_error
    roads.turn("ada", "toolsets--open", toolset="archive")
    assert "files--delete" in offered(roads, "ada")
    assert "files--delete" not in offered(roads, "fay")
