"""What each caller gets: the same answer on every road, or the table's own refusal."""

from typing import TYPE_CHECKING, Any

import pytest

from toolroute.runtime import Returned
from toolroute_host._images import Image
from toolroute_host.references import Fetched, FetchError

from .answers import ROADS, error, refusal

if TYPE_CHECKING:
    from .conftest import Roads

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
