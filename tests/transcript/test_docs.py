"""What docs/transcripts.md says is so."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from toolroute.__main__ import main
from toolroute.transcript import Kind

DOCS = (Path(__file__).parents[2] / "docs" / "transcripts.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", DOCS, re.DOTALL)
FORMATS = re.search(r"The formats are (.*?)\.", DOCS, re.DOTALL)


def test_it_tells_every_kind_and_every_format() -> None:
    rows = [line.partition("|")[2].partition("|")[0] for line in DOCS.splitlines()]
    told = [kind for row in rows for kind in re.findall(r"`([a-z_]+)`", row)]
    assert sorted(told) == sorted(get_args(Kind))
    assert FORMATS is not None
    assert re.findall(r"`(\w+)`", FORMATS.group(1)) == [
        "ai_sdk_ui",
        "anthropic",
        "bedrock",
        "gemini",
        "langchain",
        "mistral",
        "openai_chat",
        "openai_responses",
        "pydantic_ai",
    ]


def test_it_tells_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    main(["transcript", "settle", "--help"])
    said = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    told = set(re.findall(r"--[a-z][a-z-]+", DOCS))
    assert said - {"--help"} == told


def test_its_console_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    function = {"name": "open_valve", "arguments": "{}"}
    call = {"id": "call_1", "type": "function", "function": function}
    messages = [
        {"role": "user", "content": "Open the valve."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "user", "content": "Are you there?"},
    ]
    lines = ",\n ".join(map(json.dumps, messages))
    Path("talk.json").write_text(f"[\n {lines}\n]\n")
    (console,) = [text for kind, text in BLOCKS if kind == "console"]
    told = console.split("$ toolroute ")[1:]
    for typed in told:
        command, _, printed = typed.partition("\n")
        main(command.split())
        out, err = capsys.readouterr()
        assert out + err == printed


def test_its_evidence_is_used_as_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = [text for kind, text in BLOCKS if "Answers(" in text]
    (printed,) = [text for kind, text in BLOCKS if kind == "text"]
    exec(example, {})  # noqa: S102 -- the docs' own
    assert capsys.readouterr().out == printed


def test_its_growing_conversation_grows() -> None:
    (example,) = [text for kind, text in BLOCKS if "Growing(" in text]
    found: dict[str, Any] = {}
    exec(example, found)  # noqa: S102 -- the docs' own
    told = [{"role": "user", "content": "Open the valve."}]
    assert found["request"] == {"model": "gpt-5", "messages": told}
