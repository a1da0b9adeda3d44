"""A tenth format, as small as one can be: `["ask", id, name]` and `["tell", id, text]`.

Any other line is somebody's words.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from toolroute.transcript._model import Call, Other, Result, Turn
from toolroute.transcript._rules import FREE_IDS, Rules
from toolroute.transcript._wire import Answer, Reader, Wire, turn_of


class _Lines(Wire):
    name = "lines"

    @property
    def rules(self) -> Rules:
        return FREE_IDS

    def tells(self, message: Mapping[str, Any]) -> bool:
        return "line" in message

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        return [_turn(place, message) for place, message in enumerate(messages)]

    def answer(self, call: Call, answer: Answer) -> Any:
        return {"line": ["tell", call.new_id or call.id, answer.text]}

    def call_again(self, call: Call) -> Any:
        return {"line": ["ask", call.new_id, call.name]}

    def result_again(self, result: Result, call: Call) -> Any:
        call_id = call.new_id or call.id
        if result.id == call_id:
            return result.raw
        return {"line": ["tell", call_id, result.raw["line"][2]]}

    def plain(self, result: Result) -> list[Any]:
        return [{"line": ["say", result.raw["line"][2]]}]

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        return units[0] if units else raw


FORMAT = _Lines()


def _turn(place: int, message: Any) -> Turn:
    reader = Reader("lines", place, "line")
    line = reader.record(message, "an object with `line`").get("line")
    match line:
        case ["ask", str(call_id), str(name)]:
            call = Call(place, None, 0, call_id, name, None, message)
            return turn_of(place, "model", message, [call])
        case ["tell", str(call_id), str()]:
            result = Result(place, None, call_id, None, message)
            return turn_of(place, "result", message, [result])
        case ["say", str()]:
            return turn_of(place, "user", message, [Other(place, None, message)])
    reader.stop("ask, tell or say", line)
    raise AssertionError(line)
