"""The nine formats: how each is written, and which rules it is held to."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

from . import (
    rules_ai_sdk_ui,
    rules_anthropic,
    rules_bedrock,
    rules_gemini,
    rules_langchain,
    rules_mistral,
    rules_openai_chat,
    rules_openai_responses,
    rules_pydantic_ai,
    write_ai_sdk_ui,
    write_anthropic,
    write_bedrock,
    write_gemini,
    write_langchain,
    write_mistral,
    write_openai_chat,
    write_openai_responses,
    write_pydantic_ai,
)
from .seen import Message, Seen
from .talk import Talk

Reader: TypeAlias = Callable[[list[Message]], list[Seen]]


@final
@dataclass(frozen=True, slots=True)
class Form:
    """`calls_of` and `results_of` read what the rules pair by `Seen.key`."""

    name: str
    write: Callable[[Talk], list[Message]]
    broken: Callable[[list[Message]], list[str]]
    calls_of: Reader
    results_of: Reader


FORMS = (
    Form(
        "anthropic",
        write_anthropic.write,
        rules_anthropic.broken,
        rules_anthropic.calls,
        rules_anthropic.results,
    ),
    Form(
        "openai_chat",
        write_openai_chat.write,
        rules_openai_chat.broken,
        rules_openai_chat.calls,
        rules_openai_chat.results,
    ),
    Form(
        "openai_responses",
        write_openai_responses.write,
        rules_openai_responses.broken,
        rules_openai_responses.calls,
        rules_openai_responses.results,
    ),
    Form(
        "gemini",
        write_gemini.write,
        rules_gemini.broken,
        rules_gemini.calls,
        rules_gemini.results,
    ),
    Form(
        "bedrock",
        write_bedrock.write,
        rules_bedrock.broken,
        rules_bedrock.calls,
        rules_bedrock.results,
    ),
    Form(
        "mistral",
        write_mistral.write,
        rules_mistral.broken,
        rules_mistral.calls,
        rules_mistral.results,
    ),
    Form(
        "ai_sdk_ui",
        write_ai_sdk_ui.write,
        rules_ai_sdk_ui.broken,
        rules_ai_sdk_ui.calls,
        rules_ai_sdk_ui.results,
    ),
    Form(
        "langchain",
        write_langchain.write,
        rules_langchain.broken,
        rules_langchain.calls,
        rules_langchain.results,
    ),
    Form(
        "pydantic_ai",
        write_pydantic_ai.write,
        rules_pydantic_ai.broken,
        rules_pydantic_ai.calls,
        rules_pydantic_ai.results,
    ),
)
