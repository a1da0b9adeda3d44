import collections
from typing import Any

import pytest
from made_up_time import run
from runtime_house import House, call, well

from toolroute import ToolCall
from toolroute.runtime import Answer, AnyCall, BadArguments, RawCall, Returned
from toolroute.runtime._read import read

BAD: list[tuple[Any, str]] = [
    ("", "aren't JSON: expecting value, at line 1, column 1"),
    ('{"a": ', "aren't JSON: expecting value, at line 1, column 7"),
    ('{"a": 1} x', "aren't JSON: extra data, at line 1, column 10"),
    ('{"a": NaN}', "aren't JSON: NaN isn't a JSON number"),
    ('{"a": 1e999}', "aren't JSON: 1e999 is too large a number"),
    ("[" * 100_000, "aren't JSON: they are nested too deeply"),
    (b'{"a": "\xff"}', "aren't JSON: byte 7 isn't UTF-8"),
    ("[1]", "are a list, not a JSON object"),
    ('"text"', "are text, not a JSON object"),
    ("null", "are null, not a JSON object"),
    ("true", "are a truth value, not a JSON object"),
    ("7", "are a number, not a JSON object"),
    ('{"a": "\n"}', "aren't JSON: unexpected control character, at line 1, column 8"),
    ('{"a": "', "aren't JSON: unterminated string, at line 1, column 7"),
    ('{"a": ' + "9" * 5000 + "}", "aren't JSON: a number has 5000 digits"),
    (None, "are null, not a JSON object"),
    ([], "are a list, not a JSON object"),
    (object(), "are something else, not a JSON object"),
]


@pytest.mark.parametrize(("arguments", "why"), BAD, ids=[why for _, why in BAD])
def test_arguments_that_are_not_an_object_are_answered_and_nothing_runs(
    arguments: Any, why: str
) -> None:
    house = House({"well": well})

    async def main() -> Answer:
        return await house.runtime().host().call(RawCall("1", "well", arguments))

    assert run(main()) == BadArguments("well", why)
    assert (house.ran, house.checked) == ([], [])


@pytest.mark.parametrize("arguments", ['{"a": 1}', b'{"a": 1}', bytearray(b'{"a":1}')])
def test_an_object_is_read_from_text_or_bytes(arguments: Any) -> None:
    assert read(RawCall("1", "t", arguments)) == (ToolCall("1", "t", {"a": 1}), None)


def test_of_a_key_that_is_there_twice_the_last_value_counts_for_all() -> None:
    twice = RawCall("1", "t", '{"a": 1, "a": 2}')
    assert read(twice) == (ToolCall("1", "t", {"a": 2}), None)


@pytest.mark.parametrize(("value", "text"), [(None, ""), (5, "5"), (b"t", "b't'")])
def test_an_id_and_a_name_are_text_whatever_the_wire_had_there(
    value: Any, text: str
) -> None:
    house = House({"well": well})
    odd: list[AnyCall] = [ToolCall(value, value), RawCall(value, value, "{}")]

    async def main() -> list[Answer]:
        runtime = house.runtime()
        async with runtime.turn("ada") as turn:
            answers = await turn.run([*odd, ToolCall(value, "well")])
        return [*answers, *[await runtime.host().call(one) for one in odd]]

    kinds = [answer.kind for answer in run(main())]
    assert kinds == ["refused", "refused", "returned", "refused", "refused"]
    calls = {(event.call.call.id, event.call.call.name) for event in house.events}
    assert calls == {(text, text), (text, "well")}


def test_any_mapping_is_an_object() -> None:
    given = collections.ChainMap({"a": 1})
    assert read(RawCall("1", "t", given)) == (ToolCall("1", "t", given), None)
    assert read(ToolCall("1", "t", given)) == (ToolCall("1", "t", given), None)


def test_a_call_made_with_another_input_is_answered_too() -> None:
    wrong: Any = ["not", "an", "object"]
    house = House({"well": well})

    async def main() -> Answer:
        return await house.runtime().host().call(ToolCall("1", "well", wrong))

    assert run(main()) == BadArguments("well", "are a list, not a JSON object")
    assert house.ran == []


def test_bad_arguments_of_one_call_leave_its_siblings_alone() -> None:
    house = House({"well": well})

    async def main() -> list[str]:
        async with house.runtime().turn("ada") as turn:
            answers = await turn.run([RawCall("1", "well", "{"), call("well")])
            return [answer.kind for answer in answers]

    assert run(main()) == ["bad_arguments", "returned"]


def test_the_name_in_the_answer_is_the_calls_also_when_no_such_tool_exists() -> None:
    async def main() -> Answer:
        return await House().runtime().host().call(RawCall("1", "nosuch", "{"))

    answer = run(main())
    assert isinstance(answer, BadArguments)
    assert answer.name == "nosuch"
    assert not isinstance(answer, Returned)
