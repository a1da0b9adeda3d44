"""The senders of docs/transcripts.md, with the SDKs that they are for.

Each client sends to a transport in this process, which keeps what it was sent.
"""

# ruff: noqa: PLC0415 - a peer is imported when it is asked

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolroute import ToolResult
from toolroute.transcript import Answers, check

DOCS = (Path(__file__).parents[3] / "docs" / "transcripts.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)

Need = Callable[[str], None]


def example(mark: str, name: str) -> Any:
    """The function of the one example that has this mark."""
    (found,) = [code for code in EXAMPLES if mark in code]
    names: dict[str, Any] = {}
    exec(found, names)  # noqa: S102 -- the docs' own
    return names[name]


class Wire:
    """An HTTP client for an SDK, and the body of the last request."""

    def __init__(self, answer: dict[str, Any]) -> None:
        import httpx2

        def answered(request: Any) -> Any:
            self.body = json.loads(request.content)
            return httpx2.Response(200, json=answer)

        self.body: dict[str, Any] = {}
        self.client = httpx2.Client(transport=httpx2.MockTransport(answered))


def test_anthropic(need: Need) -> None:
    need("anthropic")
    from anthropic import Anthropic

    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "content": []}
    wire = Wire({**message, "model": "m", "stop_reason": "end_turn", "usage": usage})
    use = {"type": "tool_use", "id": "a", "name": "read", "input": {}}
    history = [
        {"role": "user", "content": "Read."},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": "Well?"},
    ]
    client = Anthropic(api_key="k", http_client=wire.client)
    example("client.messages.create", "send")(client, history)
    assert [m["role"] for m in wire.body["messages"]] == ["user", "assistant", "user"]
    assert check(wire.body["messages"], "anthropic") == []


def test_openai_chat(need: Need) -> None:
    need("openai")
    from openai import OpenAI

    said = {"role": "assistant", "content": "Hm."}
    choice = {"index": 0, "finish_reason": "stop", "message": said}
    kind = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    wire = Wire({**kind, "choices": [choice]})
    function = {"name": "read", "arguments": "{}"}
    call = {"id": "a", "type": "function", "function": function}
    history = [
        {"role": "user", "content": "Read."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "user", "content": "Well?"},
    ]
    client = OpenAI(api_key="k", http_client=wire.client)
    reply = example("client.chat.completions", "send")(client, history)
    assert len(wire.body["messages"]) == len(history) + 1
    assert check(wire.body["messages"], "openai_chat") == []
    stored = reply.choices[0].message.to_dict()
    assert check([*wire.body["messages"], stored], "openai_chat") == []


def test_openai_responses(need: Need) -> None:
    need("openai")
    from openai import OpenAI

    kind = {"id": "r", "object": "response", "created_at": 1, "model": "m"}
    wire = Wire({**kind, "output": [], "parallel_tool_calls": True, "tools": []})
    call = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
    items = [{"role": "user", "content": "Read."}, call]
    client = OpenAI(api_key="k", http_client=wire.client)
    send = example("client.responses", "send")
    send(client, items)
    assert [i.get("type") for i in wire.body["input"]] == [
        None,
        "function_call",
        "function_call_output",
    ]
    output = {"type": "function_call_output", "call_id": "gone", "output": "31%"}
    send(client, [output], previous_response_id="resp_1")
    assert wire.body["input"] == [output]
    assert wire.body["previous_response_id"] == "resp_1"


def test_google_genai(need: Need) -> None:
    need("google.genai")
    import httpx
    from google.genai import Client
    from google.genai.types import Content, HttpOptions

    sent: list[Any] = []

    def answered(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content))
        said = {"content": {"role": "model", "parts": [{"text": "Hm."}]}}
        return httpx.Response(200, json={"candidates": [said]})

    transport = httpx.Client(transport=httpx.MockTransport(answered))
    options = HttpOptions(httpx_client=transport)
    call = {"function_call": {"name": "read", "args": {}, "id": "a"}}
    stored = [
        Content.model_validate({"role": role, "parts": [part]})
        for role, part in (
            ("user", {"text": "Read."}),
            ("model", call),
            ("user", {"text": "Well?"}),
        )
    ]
    contents = [
        content.model_dump(mode="json", by_alias=True, exclude_none=True)
        for content in stored
    ]
    with Client(api_key="k", http_options=options) as client:
        example("client.models.generate_content", "send")(client, contents)
    assert "functionResponse" in json.dumps(sent[0]["contents"])
    assert check(sent[0]["contents"], "gemini") == []


def test_bedrock(need: Need) -> None:
    need("botocore")
    from botocore.session import Session
    from botocore.stub import ANY, Stubber

    client = Session().create_client(
        "bedrock-runtime",
        region_name="eu-south-1",
        aws_access_key_id="k",
        aws_secret_access_key="s",  # noqa: S106 -- nothing is sent
    )
    sent: list[Any] = []
    client.meta.events.register(
        "provide-client-params.bedrock-runtime.Converse",
        lambda params, **_: sent.append(params),
    )
    use = {"toolUse": {"toolUseId": "a", "name": "read", "input": {}}}
    history = [
        {"role": "user", "content": [{"text": "Read."}]},
        {"role": "assistant", "content": [use]},
    ]
    said = {"message": {"role": "assistant", "content": [{"text": "Hm."}]}}
    count = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
    answer = {"output": said, "stopReason": "end_turn", "usage": count}
    with Stubber(client) as stub:
        expected = {"modelId": ANY, "messages": ANY}
        stub.add_response("converse", {**answer, "metrics": {"latencyMs": 1}}, expected)
        example("client.converse", "send")(client, history)
    assert len(sent[0]["messages"]) == len(history) + 1
    assert check(sent[0]["messages"], "bedrock") == []


def test_langchain(need: Need) -> None:
    need("langgraph.prebuilt")
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.runnables import RunnableLambda

    call = {"name": "read", "args": {}, "id": "a"}
    asked = AIMessage("", tool_calls=[call])
    fine = [HumanMessage("Read."), AIMessage("No.")]
    settled = example("messages_from_dict", "settled")
    chain = RunnableLambda(settled) | (lambda messages: [m.type for m in messages])
    assert chain.invoke([HumanMessage("Read."), asked, HumanMessage("Well?")]) == [
        "human",
        "ai",
        "tool",
        "human",
    ]
    assert settled(fine) is fine


def test_pydantic_ai(need: Need) -> None:
    need("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.messages import (
        ModelMessage,
        ModelRequest,
        ModelResponse,
        TextPart,
        ToolCallPart,
        UserPromptPart,
    )
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    seen: list[list[ModelMessage]] = []

    def model(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        seen.append(messages)
        return ModelResponse([TextPart("Hm.")])

    history = [
        ModelRequest([UserPromptPart("Read.")]),
        ModelResponse([ToolCallPart("read", {}, tool_call_id="a")]),
    ]
    settled = example("ModelMessagesTypeAdapter", "settled")
    evidence = Answers({"a": ToolResult("31%")})
    agent = Agent(FunctionModel(model))
    agent.run_sync("Well?", message_history=settled(history, evidence))
    (sent,) = seen
    parts = [(part.part_kind, getattr(part, "content", None)) for part in sent[2].parts]
    assert parts == [("tool-return", "31%"), ("user-prompt", "Well?")]
