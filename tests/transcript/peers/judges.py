"""What public libraries say to a transcript: each raises if it doesn't take it."""

# ruff: noqa: PLC0415 - a peer is imported when it is asked

import re
import warnings
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

Messages = list[dict[str, Any]]


def consume(value: Any) -> None:
    """Validate what the types leave for later: an Iterable is checked as it's read."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        return
    for inner in value:
        consume(inner)


@cache
def adapter(module: str, name: str) -> Any:
    """Kept, since what is checked later needs it then."""
    from pydantic import TypeAdapter

    return TypeAdapter(list[getattr(import_module(module), name)])


def anthropic_types(messages: Messages) -> None:
    consume(adapter("anthropic.types", "MessageParam").validate_python(messages))


def openai_chat_types(messages: Messages) -> None:
    types = adapter("openai.types.chat", "ChatCompletionMessageParam")
    consume(types.validate_python(messages))


def openai_responses_types(messages: Messages) -> None:
    types = adapter("openai.types.responses", "ResponseInputItemParam")
    consume(types.validate_python(messages))


def google_genai_types(messages: Messages) -> None:
    from google.genai.types import Content

    for content in messages:
        Content.model_validate(content)


@cache
def converse() -> tuple[Any, str]:
    """The shape of a Converse request, and the pattern of a call's id."""
    from botocore.loaders import Loader
    from botocore.model import ServiceModel

    described = Loader().load_service_model("bedrock-runtime", "service-2")
    model = ServiceModel(described, "bedrock-runtime")
    shape = model.operation_model("Converse").input_shape
    return shape, described["shapes"]["ToolUseId"]["pattern"]


def botocore_converse(messages: Messages) -> None:
    """Converse's own model: types, lengths, and the pattern of ids."""
    from botocore.validate import ParamValidator

    shape, pattern = converse()
    report = ParamValidator().validate({"modelId": "m", "messages": messages}, shape)
    assert not report.has_errors(), report.generate_report()
    for key in _tool_use_ids(messages):
        assert re.fullmatch(pattern, key), key


def _tool_use_ids(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("toolUseId"), str):
            yield value["toolUseId"]
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _tool_use_ids(inner)


def mistral_common(messages: Messages, version: str = "v3") -> None:
    """As a request, as it is: the model goes on with a prefix, and answers the rest."""
    from mistral_common.protocol.instruct.request import ChatCompletionRequest
    from mistral_common.protocol.instruct.validator import (
        ValidationMode,
        get_validator,
    )
    from mistral_common.tokens.tokenizers.base import TokenizerVersion

    if len(messages) < 2 and all(m["role"] == "assistant" for m in messages):
        messages = [{"role": "user", "content": "Read."}, *messages]  # cut at its head
    request = ChatCompletionRequest.model_validate({"model": "m", "messages": messages})
    validator = get_validator(TokenizerVersion(version), ValidationMode.serving)
    validator.validate_request(request)


def langgraph_history(messages: Messages) -> None:
    from langchain_core.messages import convert_to_messages
    from langgraph.prebuilt.chat_agent_executor import _validate_chat_history

    _validate_chat_history(convert_to_messages(messages))


def pydantic_ai_repaired(messages: Messages) -> tuple[int, int]:
    """Its repair finds nothing to add, to drop or to put elsewhere.

    The count of the messages is what it was, unless some are merged.
    """
    from pydantic_ai.messages import ModelMessagesTypeAdapter, repair_messages

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the older part kinds are deprecated
        read = ModelMessagesTypeAdapter.validate_python(messages)
        repaired = repair_messages(read)
    before = [part for message in read for part in message.parts]
    after = [part for message in repaired for part in message.parts]
    assert after == before
    return len(read), len(repaired)


def pydantic_ai_repair(messages: Messages) -> None:
    pydantic_ai_repaired(messages)
