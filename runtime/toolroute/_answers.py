"""The answers that no handler gave: their codes, their words and the JSON they make.

Each says only what was observed. "Was not run" is said of a call that was seen never to
start; where that wasn't seen, the outcome is unknown.
"""

from typing import Final, TypedDict

from toolroute._calls import Retry
from toolroute._text import one_line

BAD_ARGUMENTS: Final = "BAD_ARGUMENTS"
CHECK_FAILED: Final = "CHECK_FAILED"
TOOL_FAILED: Final = "TOOL_FAILED"
TOOL_NOT_EXECUTED: Final = "TOOL_NOT_EXECUTED"
TOOL_OUTCOME_UNKNOWN: Final = "TOOL_OUTCOME_UNKNOWN"


class ErrorBody(TypedDict):
    """The inside of an error answer."""

    code: str
    message: str
    retry: Retry


class ErrorAnswer(TypedDict):
    """The JSON object that the model sees for every answer that isn't a success."""

    error: ErrorBody


def error_answer(code: str, message: str, retry: Retry) -> ErrorAnswer:
    """The JSON object for an error with these words."""
    return {"error": {"code": code, "message": message, "retry": retry}}


def not_executed(name: str) -> ErrorAnswer:
    """Of a call that was seen never to start."""
    message = (
        f"{one_line(name)} was not run, so nothing was done. "
        "Call it again if it is still needed."
    )
    return error_answer(TOOL_NOT_EXECUTED, message, "yes")


def outcome_unknown(name: str) -> ErrorAnswer:
    """Of a call that started, or may have, and left no result."""
    message = (
        f"No result of {one_line(name)} is on record. "
        "It may have taken effect: check before calling it again."
    )
    return error_answer(TOOL_OUTCOME_UNKNOWN, message, "check-first")


def failed(name: str, why: str) -> ErrorAnswer:
    """Of a call whose handler raised, or gave what is no result."""
    message = f"{one_line(name)} couldn't answer: {one_line(why)}"
    return error_answer(TOOL_FAILED, message, "check-first")


def bad_arguments(name: str, why: str) -> ErrorAnswer:
    """Of a call whose arguments aren't a JSON object; `why` ends the sentence."""
    message = (
        f"{one_line(name)} was not run, since its arguments {one_line(why)}. Nothing "
        "was done: call it again with one JSON object."
    )
    return error_answer(BAD_ARGUMENTS, message, "with-changes")
