"""What each caller gets: the same answer on every road, or the table's own refusal."""

from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall
from toolroute.runtime import Answer, Refused, Returned
from toolroute_host._images import Image
from toolroute_host.references import Fetched, FetchError
from toolroute_host.toolsets import Toolset, Toolsets

if TYPE_CHECKING:
    from toolroute_host.store import Store

    from .conftest import Hands, Roads

ROADS = ("turn", "script", "host", "puppet", "module")
GIF = b"GIF89a and so on"


class Fetching:
    """A fetcher that has one page, or raises."""

    def __init__(self, data: bytes | None = GIF) -> None:
        self.data = data

    async def fetch(self, url: str) -> Fetched:
        if url.endswith("/boom"):
            raise RuntimeError("the wire broke")
        if self.data is None:
            raise FetchError("the host is down")
        return Fetched(self.data, "image/gif")


def error(answer: Answer) -> dict[str, Any]:
    assert answer.is_error
    found: dict[str, Any] = answer.content["error"]
    return found


def refusal(answer: Answer) -> str:
    assert isinstance(answer, Refused), answer
    return answer.refusal.id


FOURTEEN: dict[str, dict[str, Any]] = {
    "agent_settings": {"action": "get"},
    "save_recent_image": {"path": "pictures/a.gif"},
    "read_image": {"path": "pictures/seen.gif"},
    "fetch_reference": {"ref": "ref_1"},
    "gate_status": {},
    "event_tags": {},
    "wake_add_rule": {"name": "r", "behavior": "defer"},
    "wake_remove_rule": {"name": "r"},
    "sleep": {"seconds": 60},
    "wake": {},
    "think": {"content": "hm"},
    "journal": {"content": "dear diary"},
    "skip_reply": {},
    "prose_help": {},
}


@pytest.fixture
def ready(roads: "Roads") -> "Roads":
    """Everything that the fourteen need: an image, a reference, who fetches it."""
    world = roads.world
    assert world.workspace is not None
    world.workspace.write("pictures/seen.gif", GIF)
    world.references.register("https://pages.example/a.gif")
    world.fetcher = Fetching()
    return roads


@pytest.mark.parametrize("road", ["host", "puppet", "turn", "script"])
@pytest.mark.parametrize("name", FOURTEEN)
def test_each_of_the_fourteen_answers_and_skip_reply_only_in_a_turn(
    ready: "Roads", name: str, road: str
) -> None:
    answer = ready.on(road, "ada", name, **FOURTEEN[name])
    if name == "skip_reply" and road in {"host", "puppet"}:
        assert refusal(answer) == "ends_its_turn"
        assert error(answer)["message"] == (
            "skip_reply ends the turn it's called in, and this call wasn't made in a "
            "turn, so nothing was done."
        )
    else:
        assert isinstance(answer, Returned)
        assert not answer.is_error


ALIKE = {
    **{name: FOURTEEN[name] for name in FOURTEEN if name != "skip_reply"},
    "utils": {"action": "run", "name": "sha256", "args": {"text": "a"}},
    "channel_list": {},
    "words--define": {"word": "route"},
    "files--read": {"path": "hello.txt"},
    "toolsets--open": {"toolset": "archive"},
    "tune_out": {"action": "list"},
    "focus": {"action": "status"},
    "heartbeat_status": {},
    "drafts": {"action": "list"},
}
NUMBERED = {
    "fetch_reference",
    "journal",
    "save_recent_image",
    "wake_add_rule",
    "wake_remove_rule",
    "wake",
}


@pytest.mark.parametrize("name", sorted(set(ALIKE) - NUMBERED))
def test_the_same_call_gets_the_same_answer_on_every_road(
    ready: "Roads", name: str
) -> None:
    ready.world.settings.update("ada", {"announce_sleep": False})
    got = [
        ready.on(road, "ada", name, **ALIKE[name]).content
        for road in ROADS
        if road != "module"
    ]
    assert got == got[:1] * 4
    assert "error" not in got[0]


@pytest.mark.parametrize("name", ["think", "journal", "skip_reply", "drafts"])
def test_a_module_is_refused_what_is_the_agents_own(roads: "Roads", name: str) -> None:
    for agent in ("ada", None):
        answer = roads.module(agent, name, content="x", action="list")
        assert refusal(answer) == "agents_own"
        assert error(answer) == {
            "code": "TOOL_REFUSED",
            "message": f"{name} is the agent's own, which a module's call can't make "
            "for it, so nothing was done.",
            "retry": "no",
        }
    assert roads.world.notes.read("ada", name) == []


@pytest.mark.parametrize(
    ("part", "names"),
    [
        ("channel_registry", ("think", "journal", "skip_reply", "drafts")),
        (
            "event_gate",
            (
                *("gate_status", "sleep", "wake", "wake_add_rule", "wake_remove_rule"),
                "event_tags",
            ),
        ),
        ("mcpl_registry", ()),
        ("tune_out", ("tune_out",)),
        ("focus", ("focus",)),
        ("heartbeat", ("heartbeat_status", "heartbeat_set")),
    ],
)
def test_without_its_part_a_tool_is_unknown_on_every_road(
    roads: "Roads", part: str, names: tuple[str, ...]
) -> None:
    setattr(roads.world, part, None)
    for name in names:
        for road in ("turn", "script", "host", "module"):
            answer = roads.on(road, "ada", name)
            assert refusal(answer) == "unknown_tool"
            assert error(answer)["message"] == (
                f"Invalid tool name format: {name}, so nothing was done"
            )
        off = roads.puppet("ada", name)
        assert refusal(off) == "puppet_off_surface"


def test_a_part_may_come_and_go_between_calls(roads: "Roads") -> None:
    gate, roads.world.event_gate = roads.world.event_gate, None
    assert refusal(roads.turn("ada", "wake")) == "unknown_tool"
    roads.world.event_gate = gate
    assert not roads.turn("ada", "wake").is_error


def test_nobody_can_think_and_journal_and_keeps_what_it_wrote(roads: "Roads") -> None:
    assert not roads.host(None, "think", content="whose thought").is_error
    assert not roads.host(None, "journal", content="whose entry").is_error
    assert roads.world.notes.read("", "think") == ["whose thought"]
    assert roads.world.notes.read("", "journal") == ["whose entry"]


def test_a_call_as_an_agent_that_is_not_there_is_closed_not_open(
    roads: "Roads",
) -> None:
    answer = roads.host("zoe", "files--write", path="a.txt", content="x")
    assert error(answer)["code"] == "CHECK_FAILED"
    assert error(roads.host(None, "files--read", path="a.txt"))["message"] == (
        "files--read: a.txt isn't there."
    )


def test_naming_an_agent_confers_nothing_on_a_module(roads: "Roads") -> None:
    settings = roads.world.settings
    assert refusal(roads.module("ada", "focus", action="status")) == "primary_only"
    changed = roads.module("ada", "agent_settings", action="update", backscroll=9)
    assert not changed.is_error
    assert settings.all("ada")["backscroll"] == 0
    assert settings.all("")["backscroll"] == 9
    assert not roads.module("ada", "sleep", seconds=60).is_error
    assert roads.world.event_gate is not None
    assert roads.world.event_gate.asleep_until("ada") is None


def test_the_agent_that_a_module_names_has_its_guards_asked(roads: "Roads") -> None:
    for agent, refused in (("mum", "not_allowed"), ("bea", "not_allowed")):
        assert refusal(roads.module(agent, "prose_help")) == refused
    assert not roads.module(None, "prose_help").is_error
    assert not roads.module("ada", "prose_help").is_error


@pytest.mark.parametrize("road", ROADS)
def test_a_fork_keeps_to_its_home_whoever_names_it(roads: "Roads", road: str) -> None:
    opened = roads.on(road, "fay", "channel_open", channelId="lobby")
    assert error(opened) == {
        "code": "TOOL_REFUSED",
        "message": "This conversation is bound to channel fay-room; conversation "
        "agents cannot open channels.",
        "retry": "no",
    }
    said = roads.on(road, "fay", "channel_publish", channelId="lobby", content="hi")
    assert error(said) == {
        "code": "TOOL_REFUSED",
        "message": "This conversation is bound to channel fay-room; publishing to "
        "lobby is not allowed.",
        "retry": "with-changes",
    }
    closed = roads.on(road, "fay", "channel_close", channelId="log")
    assert error(closed) == {
        "code": "TOOL_REFUSED",
        "message": "This conversation is bound to channel fay-room; closing log is "
        "not allowed.",
        "retry": "with-changes",
    }
    at_home = roads.on(
        road, "fay", "channel_publish", channelId="fay-room", content="x"
    )
    assert not at_home.is_error
    registry = roads.world.channel_registry
    assert registry is not None
    assert registry.get("lobby").recent(9) == []
    assert [each.content for each in registry.get("fay-room").recent(9)] == ["x"]


@pytest.mark.parametrize("named", [7, ["fay-room"], {"a": 1}, "", False, "FAY-ROOM"])
def test_a_fork_gets_past_its_home_with_no_shape_of_a_name(
    roads: "Roads", named: object
) -> None:
    answer = roads.turn("fay", "channel_publish", channelId=named, content="hi")
    assert refusal(answer) == "fork_cannot_publish"


def test_a_fork_sends_no_draft_elsewhere(roads: "Roads") -> None:
    roads.turn("fay", "drafts", action="save", content="hi", channelId="lobby")
    sent = roads.turn("fay", "drafts", action="send", draft=1)
    assert error(sent)["message"] == (
        "This conversation is bound to channel fay-room; publishing to lobby is not "
        "allowed."
    )
    assert not roads.turn(
        "fay", "drafts", action="send", draft=1, channelId="fay-room"
    ).is_error


def test_an_agents_list_says_what_it_may_call_and_an_empty_one_nothing(
    roads: "Roads",
) -> None:
    for road in ("turn", "script", "host", "module"):
        answer = roads.on(road, "bea", "journal", content="x")
        assert error(answer)["message"] == (
            "Tool 'journal' is not permitted by this agent's allowedTools."
        )
        assert refusal(roads.on(road, "mum", "prose_help")) == "not_allowed"
    assert not roads.turn("bea", "think").is_error
    carried = roads.turn("bea", "toolsets--act", tool="think")
    assert refusal(carried) == "not_allowed"


def test_a_sleep_in_a_turn_ends_it_and_is_said_on_the_agents_channel(
    roads: "Roads",
) -> None:
    answer = roads.turn("ada", "sleep", seconds=60, message="Good night.")
    assert answer.content == {"asleep_until": "2027-01-15T08:01:00Z"}
    assert answer.ends_turn
    registry = roads.world.channel_registry
    assert registry is not None
    (said,) = registry.get("lobby").recent(9)
    assert (said.author, said.content) == ("ada", "Good night.")


@pytest.mark.parametrize("road", ["host", "puppet", "module"])
def test_an_awaited_sleep_is_logged_and_not_announced(
    roads: "Roads", road: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "toolroute_host"):
        answer = roads.on(road, "ada", "sleep", seconds=60)
    assert not answer.is_error
    assert not answer.ends_turn
    registry = roads.world.channel_registry
    assert registry is not None
    assert registry.get("lobby").recent(9) == []
    who = "host" if road == "module" else "ada"
    assert [each.getMessage() for each in caplog.records] == [
        f"{who}: Asleep until 2027-01-15T08:01:00Z. (not announced: not its turn)"
    ]


def test_a_sleep_that_asks_for_no_announcement_gets_none(roads: "Roads") -> None:
    roads.turn("ada", "sleep", seconds=60, announce=False)
    roads.turn("ada", "agent_settings", action="update", announce_sleep=False)
    roads.turn("ada", "sleep", seconds=60)
    registry = roads.world.channel_registry
    assert registry is not None
    assert registry.get("lobby").recent(9) == []
    roads.turn("ada", "sleep", seconds=60, announce=True)
    assert len(registry.get("lobby").recent(9)) == 1


@pytest.mark.parametrize("road", ["turn", "script", "host", "puppet"])
def test_a_fork_does_not_sleep_but_wakes(roads: "Roads", road: str) -> None:
    answer = roads.on(road, "fay", "sleep", seconds=60)
    if road == "puppet":
        assert refusal(answer) == "puppet_off_surface"
    else:
        assert error(answer)["message"] == (
            "sleep is not for a conversation's own agent, so nothing was done."
        )
    assert not roads.on(road, "fay", "wake").is_error


@pytest.mark.parametrize("road", ROADS)
def test_an_error_of_a_server_is_an_error_on_every_road(
    roads: "Roads", road: str
) -> None:
    answer = roads.on(road, "ada", "words--define", word="nonsense")
    assert isinstance(answer, Returned)
    assert answer.is_error
    assert answer.content == "the dictionary has no entry for 'nonsense'"


@pytest.mark.parametrize("road", ROADS)
def test_a_fetch_that_goes_wrong_answers_on_every_road(
    ready: "Roads", road: str
) -> None:
    ready.world.references.register("https://pages.example/boom")
    broke = ready.on(road, "ada", "fetch_reference", ref="ref_2")
    assert error(broke)["code"] == "TOOL_FAILED"
    assert error(broke)["message"].startswith("fetch_reference couldn't answer: ")
    ready.world.fetcher = Fetching(None)
    down = ready.on(road, "ada", "fetch_reference", ref="ref_1")
    assert error(down)["message"] == "fetch_reference couldn't answer: the host is down"


def test_an_operators_act_is_stored_as_a_pair_and_a_refusal_is_not(
    roads: "Roads",
) -> None:
    roads.puppet("ada", "toolsets--act", tool="skip_reply")
    roads.puppet(
        "ada", "toolsets--act", tool="toolsets--act", input={"tool": "skip_reply"}
    )
    roads.puppet("ada", "nothing")
    assert roads.stored("ada") == []
    words = (
        "files--delete is in [archive], which isn't open: toolsets--open "
        '{toolset:"archive"} opens it. Nothing was sent.'
    )
    given = {"tool": "files--delete", "input": {"path": "hello.txt"}}
    answer = roads.puppet("ada", "toolsets--act", **given)
    assert error(answer)["message"] == words
    use, result = roads.stored("ada")
    assert use == {
        "role": "assistant",
        "content": [
            {
                "type": "tool_use",
                "id": "id-of-toolsets--act",
                "name": "toolsets--act",
                "input": given,
            }
        ],
    }
    (block,) = result["content"]
    assert result["role"] == "user"
    assert (block["tool_use_id"], block["is_error"]) == ("id-of-toolsets--act", True)
    assert words.replace('"', '\\"') in block["content"]
    assert not roads.host(None, "files--read", path="hello.txt").is_error


def test_an_open_toolset_lets_its_tools_be_acted_with(roads: "Roads") -> None:
    roads.turn("ada", "toolsets--open", toolset="archive")
    given = {"tool": "files--delete", "input": {"path": "hello.txt"}}
    answer = roads.turn("ada", "toolsets--act", **given)
    assert answer.content == {"path": "hello.txt", "deleted": True}
    assert error(roads.turn("fay", "toolsets--act", **given))["message"].startswith(
        "files--delete is in [archive], which isn't open"
    )


def test_images_of_an_answer_are_recent_for_whom_it_is_given_to(
    ready: "Roads",
) -> None:
    workspace = ready.world.workspace
    assert workspace is not None
    png = b"\x89PNG\r\n\x1a\n"
    workspace.write("pictures/seen.gif", png)
    shown = ready.turn("ada", "read_image", path="pictures/seen.gif").content[1]
    assert workspace.named("ada", shown["ref"]) == Image("image/png", png)
    assert workspace.recent("ada", 0, 1) == [Image("image/png", png)]
    assert [each.media_type for each in workspace.recent("bea", 0, 1)] == ["image/gif"]


def test_a_tool_of_two_toolsets_is_there_once_either_is_open(
    store: "Store", clock: "Hands"
) -> None:
    both = (Toolset("one", ("a--b",)), Toolset("two", ("a--b",)))
    toolsets = Toolsets(store, clock, both)
    act = ToolCall("1", "toolsets--act", {"tool": "a--b"})
    assert toolsets.inner(act, "ada") is None
    assert toolsets.hidden("ada") == {"a--b"}
    toolsets.tool(ToolCall("1", "toolsets--open", {"toolset": "one"}), "ada")
    assert toolsets.inner(act, "ada") == ToolCall("1", "a--b", {})
    assert toolsets.hidden("ada") == frozenset()
