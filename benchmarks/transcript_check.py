"""How long checking a clean transcript takes a message, and what a turn adds to one.

python benchmarks/transcript_check.py [MESSAGES [FORMAT ...]]

Processor time, the best of several, since other work on the machine is noise.
"""

import gc
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from toolroute.transcript import Growing, check


def anthropic(turn: int) -> list[Any]:
    """A turn: blocks in the next message."""
    use = {"type": "tool_use", "id": f"toolu_{turn}", "name": "read", "input": {"n": 1}}
    result = {"type": "tool_result", "tool_use_id": f"toolu_{turn}", "content": "31%"}
    return [
        {"role": "user", "content": "Read bed 1."},
        {"role": "assistant", "content": [{"type": "text", "text": "Now."}, use]},
        {"role": "user", "content": [result]},
        {"role": "assistant", "content": [{"type": "text", "text": "31%."}]},
    ]


def openai_chat(turn: int) -> list[Any]:
    """A turn: a message a result."""
    function = {"name": "read", "arguments": '{"n": 1}'}
    call = {"id": f"call_{turn}", "type": "function", "function": function}
    return [
        {"role": "user", "content": "Read bed 1."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"call_{turn}", "content": "31%"},
        {"role": "assistant", "content": "31%."},
    ]


def mistral(turn: int) -> list[Any]:
    """A turn: as in Chat Completions, with nine letters; a request ends with a user."""
    function = {"name": "read", "arguments": '{"n": 1}'}
    call = {"id": f"{turn:09}", "type": "function", "function": function}
    return [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {
            "role": "tool",
            "tool_call_id": f"{turn:09}",
            "name": "read",
            "content": "31%",
        },
        {"role": "assistant", "content": "31%."},
        {"role": "user", "content": "Read bed 1."},
    ]


def openai_responses(turn: int) -> list[Any]:
    """A turn: an item a call and a result."""
    call = {"type": "function_call", "name": "read", "arguments": '{"n": 1}'}
    text = [{"type": "input_text", "text": "Read bed 1."}]
    said = [{"type": "output_text", "text": "31%.", "annotations": []}]
    return [
        {"type": "message", "role": "user", "content": text},
        {**call, "call_id": f"call_{turn}", "id": f"fc_{turn}"},
        {"type": "function_call_output", "call_id": f"call_{turn}", "output": "31%"},
        {"type": "message", "role": "assistant", "content": said},
    ]


def gemini(turn: int) -> list[Any]:
    """A turn: with ids."""
    call = {"name": "read", "args": {"n": 1}, "id": f"g{turn}"}
    response = {"name": "read", "response": {"output": "31%"}, "id": f"g{turn}"}
    return [
        {"role": "user", "parts": [{"text": "Read bed 1."}]},
        {"role": "model", "parts": [{"functionCall": call}]},
        {"role": "user", "parts": [{"functionResponse": response}]},
        {"role": "model", "parts": [{"text": "31%."}]},
    ]


def bedrock(turn: int) -> list[Any]:
    """A turn: blocks in the next message."""
    use = {"toolUseId": f"tooluse_{turn}", "name": "read", "input": {"n": 1}}
    result = {"toolUseId": f"tooluse_{turn}", "content": [{"text": "31%"}]}
    return [
        {"role": "user", "content": [{"text": "Read bed 1."}]},
        {"role": "assistant", "content": [{"toolUse": use}]},
        {"role": "user", "content": [{"toolResult": result}]},
        {"role": "assistant", "content": [{"text": "31%."}]},
    ]


def ai_sdk_ui(turn: int) -> list[Any]:
    """A turn: the result in the part."""
    part = {"type": "tool-read", "toolCallId": f"c{turn}", "state": "output-available"}
    parts = [{"type": "step-start"}, {**part, "input": {"n": 1}, "output": "31%"}]
    return [
        {"id": "m", "role": "user", "parts": [{"type": "text", "text": "Read."}]},
        {"id": "m", "role": "assistant", "parts": parts},
        {"id": "m", "role": "user", "parts": [{"type": "text", "text": "And?"}]},
        {"id": "m", "role": "assistant", "parts": [{"type": "text", "text": "31%."}]},
    ]


def langchain(turn: int) -> list[Any]:
    """A turn: a message a result."""
    call = {"name": "read", "args": {"n": 1}, "id": f"c{turn}", "type": "tool_call"}
    return [
        {"type": "human", "content": "Read bed 1."},
        {"type": "ai", "content": "", "tool_calls": [call], "invalid_tool_calls": []},
        {"type": "tool", "content": "31%", "name": "read", "tool_call_id": f"c{turn}"},
        {"type": "ai", "content": "31%.", "tool_calls": [], "invalid_tool_calls": []},
    ]


def pydantic_ai(turn: int) -> list[Any]:
    """A turn: parts in the next request."""
    call = {"part_kind": "tool-call", "tool_name": "read", "args": {"n": 1}}
    returned = {"part_kind": "tool-return", "tool_name": "read", "content": "31%"}
    prompt = {"part_kind": "user-prompt", "content": "Read bed 1."}
    text = {"part_kind": "text", "content": "31%."}
    return [
        {"kind": "request", "parts": [prompt]},
        {"kind": "response", "parts": [{**call, "tool_call_id": f"c{turn}"}]},
        {"kind": "request", "parts": [{**returned, "tool_call_id": f"c{turn}"}]},
        {"kind": "response", "parts": [text]},
    ]


TURNS: list[Callable[[int], list[Any]]] = [
    anthropic,
    openai_chat,
    openai_responses,
    gemini,
    bedrock,
    mistral,
    ai_sdk_ui,
    langchain,
    pydantic_ai,
]


def main() -> None:
    """Print the figures for every format."""
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    wanted = sys.argv[2:]
    for turn in TURNS:
        if wanted and turn.__name__ not in wanted:
            continue
        history = [message for n in range(messages // 4) for message in turn(n)]
        if turn is mistral:
            history.insert(0, history[-1])
        gc.collect()
        gc.freeze()
        best = min(timed(history, turn.__name__) for _ in range(3))
        tracemalloc.start()
        check(history, turn.__name__)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(
            f"{turn.__name__:17} {len(history):9,} messages"
            f" {best / len(history) * 1e6:6.3f} us each"
            f" {peak / len(history):6.1f} bytes each"
            f" {added(history, turn):6.1f} us a turn of 4"
        )


def added(history: list[Any], turn: Callable[[int], list[Any]]) -> float:
    """Microseconds that a clean turn adds to a conversation of this length."""
    talk = Growing(turn.__name__, history)
    talk.settle()
    best = 1.0
    for number in range(len(history), len(history) + 500):
        messages = turn(number)
        start = time.process_time()
        talk.add(*messages)
        settled = talk.settle()
        best = min(best, time.process_time() - start)
        if settled.changed:
            raise SystemExit(f"{turn.__name__}: {settled.changes[0]}")
    return best * 1e6


def timed(history: list[Any], name: str) -> float:
    """Seconds for one check of a clean history."""
    start = time.process_time()
    found = check(history, name)
    taken = time.process_time() - start
    if found:
        raise SystemExit(f"{name}: a clean history has {found[0]}")
    return taken


if __name__ == "__main__":
    main()
