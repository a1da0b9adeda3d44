"""What an answer is, and the roads to one."""

from typing import Any

from toolroute.runtime import Answer, Refused

ROADS = ("turn", "script", "host", "puppet", "module")


def error(answer: Answer) -> dict[str, Any]:
    assert answer.is_error
    found: dict[str, Any] = answer.content["error"]
    return found


def refusal(answer: Answer) -> str:
    assert isinstance(answer, Refused), answer
    return answer.refusal.id
