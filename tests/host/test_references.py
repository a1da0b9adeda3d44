"""A reference's name is its own for ever, kept or not."""

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall, ToolError, ToolResult
from toolroute_host import _fetch_reference, references
from toolroute_host.fetching import AllowedHost, HttpFetcher
from toolroute_host.references import Fetched, Reference, References
from toolroute_host.store import Store
from toolroute_host.workspace import Workspace

if TYPE_CHECKING:
    from .conftest import Hands

GIF = b"GIF89a and so on"


def words(ask: Callable[[], object]) -> str:
    with pytest.raises(ToolError) as error:
        ask()
    return error.value.message


def test_a_name_stands_for_what_was_pointed_at(store: Store, clock: "Hands") -> None:
    kept = References(store, clock)
    assert kept.register("https://a.example/x", "a title") == Reference(
        "ref_1", "https://a.example/x", "a title"
    )
    assert kept.get("ref_1") == Reference("ref_1", "https://a.example/x", "a title")


@pytest.mark.parametrize(
    "name",
    ["ref_2", "ref_0", "ref_-1", "1", "ref_", "ref_\uff11", "ref_" + "9" * 400, ""],
)
def test_a_name_that_stands_for_nothing_says_so(
    store: Store, clock: "Hands", name: str
) -> None:
    kept = References(store, clock)
    kept.register("https://a.example/x")
    shown = name if len(name) <= 200 else f"{name[:200]}…"
    assert words(lambda: kept.get(name)) == (
        f"unknown reference: {shown} — it may have been evicted; ids are never reused"
    )


def test_the_oldest_goes_and_its_name_is_never_anothers(
    reopened: Callable[[], Store],
    clock: "Hands",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(references, "KEPT", 2)
    kept = References(reopened(), clock)
    for page in "abc":
        kept.register(f"https://a.example/{page}")
    kept = References(reopened(), clock)
    assert kept.register("https://a.example/d").id == "ref_4"
    assert words(lambda: kept.get("ref_2")).startswith("unknown reference: ref_2 — ")
    assert kept.get("ref_3").url == "https://a.example/c"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "files").mkdir()
    return tmp_path / "files"


async def here(host: str, port: int) -> list[str]:
    del host, port
    return ["127.0.0.1"]


def fetching(store: Store, clock: "Hands", root: Path, **given: Any) -> ToolResult:
    """`fetch_reference`, whose fetching is cut short where the network begins."""
    kept = References(store, clock)
    kept.register("https://a.example/x")
    kept.register("https://b.example/x")
    workspace = Workspace(store, clock, {"files": root})
    fetcher = HttpFetcher([AllowedHost("a.example")], resolver=here)
    call = ToolCall("1", "fetch_reference", given)
    return asyncio.run(_fetch_reference.answer(call, kept, fetcher, workspace))


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fetch(_: HttpFetcher, url: str) -> Fetched:
        assert url == "https://a.example/x"
        return Fetched(GIF, "text/html; charset=utf-8")

    monkeypatch.setattr(HttpFetcher, "fetch", fetch)


@pytest.mark.usefixtures("fetched")
@pytest.mark.parametrize(
    ("given", "path"),
    [({}, "files/references/ref_1.gif"), ({"path": "files/a"}, "files/a")],
)
def test_what_is_fetched_is_in_the_workspace(
    store: Store, clock: "Hands", root: Path, given: dict[str, Any], path: str
) -> None:
    result = fetching(store, clock, root, ref="ref_1", **given)
    assert result == ToolResult(
        {
            "ref": "ref_1",
            "path": path,
            "mediaType": "image/gif",
            "bytes": 16,
            "sha256": hashlib.sha256(GIF).hexdigest(),
            "replaced": False,
        }
    )
    assert (root.parent / path).read_bytes() == GIF


@pytest.mark.usefixtures("fetched")
def test_a_path_out_of_the_workspace_is_refused(
    store: Store, clock: "Hands", root: Path
) -> None:
    said = words(
        lambda: fetching(store, clock, root, ref="ref_1", path="files/../../x")
    )
    assert said == (
        "fetch_reference couldn't answer: files/../../x must be plain names "
        "with `/` between them"
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "fetch_reference: `ref` (string) is required"),
        (
            {"ref": "ref_9"},
            "unknown reference: ref_9 — it may have been evicted; ids are never reused",
        ),
        (
            {"ref": "ref_1"},
            (
                "fetch_reference couldn't answer: a.example stands at 127.0.0.1, in a "
                "private network"
            ),
        ),
        (
            {"ref": "ref_2"},
            "fetch_reference couldn't answer: b.example:443 isn't an allowed host",
        ),
    ],
)
def test_what_is_not_fetched_is_told_and_nothing_is_written(
    store: Store,
    clock: "Hands",
    root: Path,
    given: dict[str, Any],
    expected: str,
) -> None:
    assert words(lambda: fetching(store, clock, root, **given)) == expected
    assert list(root.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "said", "kind"),
    [
        (GIF, "image/png", "image/gif"),
        (b"hello", "Text/Plain; charset=utf-8", "text/plain"),
        (b"hello", "", "application/octet-stream"),
        (b"hello", f"text/{'x' * 100_000}", "application/octet-stream"),
        (b"hello", "text/plain\x1b[2J", "application/octet-stream"),
    ],
)
def test_what_it_is_is_read_from_it_or_from_a_type_that_is_one(
    data: bytes, said: str, kind: str
) -> None:
    assert _fetch_reference.kind_of(Fetched(data, said)) == kind
