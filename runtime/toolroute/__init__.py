"""Where a tool call goes, and one truthful answer to it. Standard library only."""

from toolroute._answers import error_answer, not_executed, outcome_unknown
from toolroute._calls import (
    ProtocolError,
    Refusal,
    Retry,
    Road,
    ToolCall,
    ToolError,
    ToolResult,
)

__all__ = [
    "ProtocolError",
    "Refusal",
    "Retry",
    "Road",
    "ToolCall",
    "ToolError",
    "ToolResult",
    "error_answer",
    "not_executed",
    "outcome_unknown",
]
