"""Checking a clean history against pydantic-ai's own repair of the same history.

python benchmarks/transcript_vs_pydantic_ai.py [MESSAGES]

Needs the extra `peers`. Both find nothing to do; each history is twice as long as the
one before, so a constant time a message says that it is linear.
"""

import gc
import sys
import time
from collections.abc import Callable
from typing import Any

from pydantic_ai.messages import ModelMessagesTypeAdapter, repair_messages

from toolroute.transcript import check

TURN = 4
"""Messages: a question, a call, its result, a reply."""


def turn(n: int) -> list[Any]:
    """One turn as pydantic-ai stores it."""
    call_id = f"call_{n}"
    prompt = {"part_kind": "user-prompt", "content": "Read bed 4."}
    call = {"part_kind": "tool-call", "tool_name": "read_gauge", "args": {"bed": n}}
    result = {"part_kind": "tool-return", "tool_name": "read_gauge", "content": "29%"}
    return [
        {"kind": "request", "parts": [prompt]},
        {"kind": "response", "parts": [{**call, "tool_call_id": call_id}]},
        {"kind": "request", "parts": [{**result, "tool_call_id": call_id}]},
        {"kind": "response", "parts": [{"part_kind": "text", "content": "29%."}]},
    ]


def fastest(run: Callable[[], object], times: int = 3) -> float:
    """The least processor time of a few runs, in seconds."""
    taken: list[float] = []
    for _ in range(times):
        gc.collect()
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return min(taken)


def compare(messages: int) -> None:
    """Print both times for a history of this length."""
    history = [message for n in range(messages // TURN) for message in turn(n)]
    if found := check(history, "pydantic_ai"):
        raise SystemExit(f"the history isn't clean: {found[0]}")
    read = ModelMessagesTypeAdapter.validate_python(history)
    if sum(len(message.parts) for message in repair_messages(read)) != len(history):
        raise SystemExit("pydantic-ai found something to repair")
    gc.freeze()
    ours = fastest(lambda: check(history, "pydantic_ai"))
    theirs = fastest(lambda: repair_messages(read))
    gc.unfreeze()
    each = 1e6 / len(history)
    print(
        f"{len(history):9,} messages: check {ours * each:6.3f} us each, "
        f"pydantic-ai's repair {theirs * each:6.3f} us each: "
        f"{theirs / ours:.1f} times as fast"
    )


def main() -> None:
    """Three lengths, each twice the one before."""
    longest = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for messages in (longest // 4, longest // 2, longest):
        compare(messages)


if __name__ == "__main__":
    main()
