"""An MCP server without the SDK, which does what none should; `sys.argv[1]` says what.

It speaks the protocol from before servers could be asked to tell of changes.
"""

import json
import os
import sys
from typing import Any

WAY = sys.argv[1] if len(sys.argv) > 1 else ""
TOOLS = {
    name: {"name": name, "inputSchema": {"type": "object"}}
    for name in ("say", "structured", "mismatch", "shapeless", "much", "learn", "junk")
}
TOOLS["bad\nname"] = {"name": "bad\nname", "inputSchema": {"type": "object"}}
TOOLS["mismatch"]["outputSchema"] = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": ["a"],
}
HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"tools": {"listChanged": True}},
    "serverInfo": {"name": "rude", "version": "1"},
}


def say(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)  # noqa: T201


def text(said: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": said}]}


def called(name: str) -> dict[str, Any]:
    match name:
        case "structured":
            return {"content": [], "structuredContent": {"a": 1}}
        case "mismatch":
            return {**text("an a"), "structuredContent": {"a": "no"}}
        case "shapeless":
            return {"nonsense": True}
        case "much":
            return text("x" * 11_000_000)
        case "junk":
            print("a banner, and a key: hunter2", flush=True)  # noqa: T201
        case "learn":
            TOOLS["learnt"] = {"name": "learnt", "inputSchema": {"type": "object"}}
            say(method="notifications/tools/list_changed")
        case _:
            pass
    return text(name)


def main() -> None:
    if WAY == "silent":
        sys.stdin.read()
    if WAY == "flood":
        sys.stderr.write("x" * 1_000_000 + "\n")
    if WAY == "refuse":
        sys.exit(f"no way with the key {os.environ['KEY']}\x1b[31m")
    for line in sys.stdin:
        request = json.loads(line)
        match request:
            case {"id": number, "method": "initialize"}:
                say(id=number, result=HELLO)
            case {"id": number, "method": "tools/list"}:
                say(id=number, result={"tools": list(TOOLS.values())})
                if WAY == "crash":
                    return
            case {"id": number, "method": "tools/call", "params": {"name": name}}:
                say(id=number, result=called(name))
            case {"id": number, "method": method}:
                error = {"code": -32601, "message": f"no {method}"}
                say(id=number, error=error)
            case _:
                pass


main()
