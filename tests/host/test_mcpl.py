"""Which server a name belongs to, whatever the order that they connected in."""

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import Refusal, ToolCall, ToolResult
from toolroute_host import dispatch
from toolroute_host.mcpl import McplRegistry, Server, ToolPolicy
from toolroute_host.view import View
from toolroute_host.world import World

if TYPE_CHECKING:
    from .conftest import Roads


class Echo:
    """A server that says who it is and what it was asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def call(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult([self.name, tool, arguments])


def server(prefix: str, *tools: str, **more: Any) -> Server:
    return Server(f"on {prefix}", prefix, frozenset(tools), Echo(prefix), **more)


NESTED = (
    server("game", "look", "eu--map", "eu--deep--x"),
    server("game--eu", "map", "rules"),
    server("game--eu--deep", "x"),
)

OWNERS = {
    "game--look": ("game", "look"),
    "game--other": ("game", "other"),
    "game--eu--rules": ("game--eu", "rules"),
    "game--eu--map": ("game--eu", "map"),
    "game--eu--other": ("game--eu", "other"),
    "game--eu--deep--x": ("game--eu--deep", "x"),
    "game--eu--deep--y": ("game--eu--deep", "y"),
    "game--eu--": ("game", "eu--"),
    "games--look": None,
    "game-look": None,
    "game--": None,
    "game": None,
}


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_a_name_is_whose_that_listed_it_else_the_longest_prefixs(
    order: tuple[int, ...],
) -> None:
    registry = McplRegistry()
    for place in order:
        registry.connect(NESTED[place])
    found = {name: registry.owner(name) for name in OWNERS}
    assert {
        name: None if target is None else (target.server.prefix, target.tool)
        for name, target in found.items()
    } == OWNERS


def test_a_server_that_listed_a_name_has_it_before_a_longer_prefix() -> None:
    registry = McplRegistry()
    registry.connect(server("game", "eu--map"))
    registry.connect(server("game--eu", "rules"))
    target = registry.owner("game--eu--map")
    assert target is not None
    assert (target.server.prefix, target.tool) == ("game", "eu--map")
    registry.disconnect("on game")
    target = registry.owner("game--eu--map")
    assert target is not None
    assert (target.server.prefix, target.tool) == ("game--eu", "map")


def test_every_listed_name_is_listed_once_and_by_its_owner() -> None:
    registry = McplRegistry()
    for each in NESTED:
        registry.connect(each)
    assert sorted(registry.names()) == [
        "game--eu--deep--x",
        "game--eu--map",
        "game--eu--rules",
        "game--look",
    ]


def test_two_servers_cannot_have_one_prefix() -> None:
    registry = McplRegistry()
    registry.connect(server("game", "look"))
    other = Server("another", "game", frozenset(), Echo("x"))
    with pytest.raises(ValueError, match="the prefix game is on game's already"):
        registry.connect(other)
    registry.connect(server("game", "look", "jump"))
    assert registry.names() == ["game--jump", "game--look"]


@pytest.mark.parametrize("prefix", ["", "--", "a--", "--a", "a----b"])
def test_a_prefix_that_would_take_other_names_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match="can't have the prefix"):
        server(prefix)


def test_the_registries_appear_with_the_first_server(roads: "Roads") -> None:
    world = World(roads.world.store)
    view = View(world)
    assert (view.mcpl_registry, view.channel_registry) == (None, None)
    assert isinstance(dispatch.decide(ToolCall("", "think"), "host", view), Refusal)
    world.connect(server("game", "look"))
    assert view.mcpl_registry is not None
    assert view.channel_registry is not None
    decision = dispatch.decide(ToolCall("", "think"), "host", view)
    assert isinstance(decision, dispatch.AgentVerb)


def test_a_server_takes_no_name_of_the_hosts_own(roads: "Roads") -> None:
    roads.world.connect(server("toolsets", "open", "skip_reply", "agent_settings"))
    assert roads.turn("ada", "agent_settings", action="get").content == {
        "settings": {"announce_sleep": True, "backscroll": 0, "window_messages": 200}
    }
    assert roads.turn("ada", "skip_reply").ends_turn
    opened = roads.turn("ada", "toolsets--open", toolset="archive")
    assert opened.content == {"opened": "archive", "tools": ["files--delete"]}
    assert roads.turn("ada", "toolsets--skip_reply", a=1).content == [
        "toolsets",
        "skip_reply",
        {"a": 1},
    ]


@pytest.mark.parametrize(
    ("tool", "permitted"),
    [("read", True), ("read_all", True), ("delete", False), ("read_secret", False)],
)
def test_a_policys_deny_goes_before_its_allow(tool: str, *, permitted: bool) -> None:
    assert ToolPolicy(("read*",), ("*secret*",)).permits(tool) is permitted


def test_what_the_policy_forbids_is_refused_and_off_the_surface(
    roads: "Roads",
) -> None:
    for road in ("turn", "script", "host", "module"):
        answer = roads.on(road, "ada", "words--forget")
        assert answer.content["error"] == {
            "code": "TOOL_REFUSED",
            "message": "Tool 'words--forget' is not permitted by this server's tool "
            "policy.",
            "retry": "no",
        }
    view = View(roads.world, roads.world.agents["ada"])
    names = dispatch.surface("turn", view)
    assert [name for name in names if name.startswith("words--")] == [
        "words--agent_settings",
        "words--define",
    ]


def test_a_server_that_went_away_leaves_its_names_to_modules(roads: "Roads") -> None:
    assert roads.world.mcpl_registry is not None
    roads.world.mcpl_registry.disconnect("dictionary")
    answer = roads.turn("ada", "words--define", word="route")
    assert answer.content["error"]["message"] == "Module not found: words"
