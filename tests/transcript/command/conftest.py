import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import pytest

from toolroute.__main__ import main


@final
@dataclass(frozen=True, slots=True)
class Run:
    status: int
    out: str
    err: str


Toolroute = Callable[..., Run]


@pytest.fixture
def toolroute(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Toolroute:
    """`toolroute transcript …`, in this process."""

    def run(*arguments: object, stdin: bytes = b"") -> Run:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main(["transcript", *map(str, arguments)])
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = capfdbinary.readouterr()
        return Run(status, out.decode(), err.decode())

    return run


@pytest.fixture
def stuck() -> list[Any]:
    """Anthropic messages with a call that nobody answered."""
    return [
        {"role": "user", "content": "Open valve 2."},
        {
            "role": "assistant",
            "content": [
                {
                    "type": "tool_use",
                    "id": "toolu_a1",
                    "name": "open_valve",
                    "input": {"valve": 2},
                }
            ],
        },
        {"role": "user", "content": "Stop."},
    ]


@pytest.fixture
def answer() -> dict[str, Any]:
    """What settling says of it."""
    error = {
        "code": "TOOL_OUTCOME_UNKNOWN",
        "message": "No result of open_valve is on record. It may have taken effect: "
        "check before calling it again.",
        "retry": "check-first",
    }
    return {
        "type": "tool_result",
        "tool_use_id": "toolu_a1",
        "content": json.dumps({"error": error}),
        "is_error": True,
    }


@pytest.fixture
def settled(stuck: list[Any], answer: dict[str, Any]) -> list[Any]:
    said = {"type": "text", "text": "Stop."}
    return [*stuck[:2], {"role": "user", "content": [answer, said]}]
