import asyncio
import threading
from typing import Any

import pytest
from made_up_time import run
from runtime_house import Desk, Gate, House, call, settle_down, texts, well

from toolroute import ProtocolError, ToolResult
from toolroute.runtime import Context, Round


def test_client_plane_calls_are_handed_out_when_the_round_is_opened() -> None:
    async def main() -> list[Any]:
        async with House({"a": well}).runtime().turn("ada") as turn:
            one = turn.round([call("a"), call("page", "p1", x=1)])
            (out,) = one.pending
            return [out.place, out.call, out.route.kind, bool(out.key), one.answers]

    assert run(main()) == [1, call("page", "p1", x=1), "page", True, (None, None)]


def test_they_are_answered_in_any_order_and_stand_in_call_order() -> None:
    async def main() -> list[Any]:
        async with House({"a": well}).runtime().turn("ada") as turn:
            one = turn.round([call("page1"), call("a"), call("page2"), call("page3")])
            assert texts(await one.run()) == [None, "a is done", None, None]
            assert [one.post(2, "two"), one.post(3, "three")] == [True, True]
            assert [out.place for out in one.pending] == [0]
            assert one.post(0, {"one": 1}, is_error=True) is True
            return [*texts(await one.complete()), one.pending]

    assert run(main()) == [{"one": 1}, "a is done", "two", "three", ()]


def test_a_second_answer_is_late_and_changes_nothing() -> None:
    house = House()

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("page")])
            assert one.post(0, "first") is True
            assert one.post(0, "second") is False
            assert one.disclaim(0) is False
            return texts(await one.complete())

    assert run(main()) == ["first"]
    assert house.told() == [
        "opened",
        "started",
        "answered returned",
        "late returned",
        "late not_executed",
    ]


def test_the_turn_goes_on_after_the_last_answer_not_after_the_first() -> None:
    async def main() -> list[bool]:
        async with House().runtime().turn("ada") as turn:
            one = turn.round([call("page1"), call("page2"), call("page3")])
            complete = asyncio.ensure_future(one.complete())
            seen: list[bool] = []
            for place in (1, 0, 2):
                one.post(place, "")
                await settle_down()
                seen.append(complete.done())
            return seen

    assert run(main()) == [False, False, True]


def test_one_that_was_not_run_is_disclaimed_by_who_holds_it() -> None:
    house = House()

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("page")])
            assert one.disclaim(0) is True
            return texts(await one.complete())

    assert run(main()) == ["TOOL_NOT_EXECUTED"]
    assert house.events[-1].cause == "disclaimed"


def test_one_still_out_when_the_turn_ends_has_an_unknown_outcome() -> None:
    async def main() -> list[Any]:
        async with House().runtime().turn("ada") as turn:
            one = turn.round([call("page")])
        assert one.post(0, "too late") is False
        return texts(await one.complete())

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN"]


def test_a_new_user_message_settles_those_still_out_and_no_others() -> None:
    gate = Gate()
    house = House({"a": gate})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("page"), call("a")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            turn.settle_pending()
            assert texts(one.answers) == ["TOOL_OUTCOME_UNKNOWN", None]
            gate.let("a")
            return texts(await running)

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "a is done"]
    assert [e.cause for e in house.events if e.what == "answered"] == [
        "superseded",
        "handler",
    ]


def test_the_next_round_settles_those_still_out() -> None:
    async def main() -> list[Any]:
        async with House({"a": well}).runtime().turn("ada") as turn:
            first = turn.round([call("page"), call("a")])
            await first.run()
            await turn.run([call("a")])
            return texts(await first.complete())

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "a is done"]


def test_the_next_round_is_none_where_settling_those_still_out_ended_the_turn() -> None:
    """`over` ends the turn once `page` has its answer, which the next round settles."""
    house = House()

    async def main() -> list[Any]:
        turn = house.runtime().turn("ada")
        await turn.begin()
        first = turn.round([call("over"), call("page")])
        await first.run()
        with pytest.raises(ProtocolError, match="The last round ended the turn"):
            turn.round([call("page")])
        return [turn.live, *(answer.kind for answer in await first.complete())]

    assert run(main()) == [False, "returned", "outcome_unknown"]
    assert [event.what for event in house.events].count("opened") == 2


def test_an_answer_can_be_posted_from_another_thread() -> None:
    async def main() -> list[Any]:
        async with House({"a": well}).runtime().turn("ada") as turn:
            one = turn.round([call("page1"), call("page2")])
            given: list[Any] = []

            def page() -> None:
                given.append(one.post(0, "from a thread"))
                given.append(one.disclaim(1))

            thread = threading.Thread(target=page)
            thread.start()
            answers = await one.complete()
            thread.join()
            return [*texts(answers), *given]

    assert run(main()) == ["from a thread", "TOOL_NOT_EXECUTED", None, None]


def test_a_posted_value_that_is_not_json_is_answered_as_that() -> None:
    async def main() -> list[Any]:
        async with House().runtime().turn("ada") as turn:
            one = turn.round([call("page")])
            assert one.post(0, object()) is True
            (answer,) = await one.complete()
            return [answer.kind, answer.content["error"]["message"]]

    kind, message = run(main())
    assert kind == "failed"
    assert message == (
        "page couldn't answer: its result isn't JSON: "
        "Object of type object is not JSON serializable"
    )


def test_nothing_is_posted_for_a_call_of_the_servers() -> None:
    async def main() -> None:
        async with House({"a": well}).runtime().turn("ada") as turn:
            one = turn.round([call("a"), call("no")])
            for place in (0, 1):
                with pytest.raises(ProtocolError, match="client's plane"):
                    one.post(place, "")
                with pytest.raises(ProtocolError, match="client's plane"):
                    one.disclaim(place)

    run(main())


def test_a_page_knows_calls_by_ids_and_equal_ids_are_answered_in_call_order() -> None:
    async def main() -> list[Any]:
        async with House().runtime().turn("ada") as turn:
            one = turn.round([call("page", "x"), call("page", "y"), call("page", "x")])
            given: list[Any] = []
            for id_, content in (("x", 1), ("y", 2), ("x", 3)):
                place = one.find(id_)
                given.append(place)
                assert place is not None
                one.post(place, content)
            return [*given, one.find("x"), one.find("z"), *texts(await one.complete())]

    assert run(main()) == [0, 1, 2, None, None, 1, 2, 3]


def test_a_posted_answer_can_end_the_turn_once_it_is_stored() -> None:
    desk = Desk()

    async def main() -> list[bool]:
        turn = House().runtime(window=desk).turn("ada")
        async with turn:
            one = turn.round([call("page1"), call("page2")])
            one.post(0, "bye", ends_turn=True)
            seen = [turn.live]
            one.post(1, "")
            return [*seen, turn.live]

    assert run(main()) == [True, False]
    assert desk.stored == {
        "ada": [("calls", ["page1", "page2"]), ("results", ["bye", ""])]
    }


def test_off_a_turn_nothing_is_handed_out() -> None:
    async def main() -> list[Any]:
        runtime = House().runtime()
        async with runtime.turn("ada") as turn:
            return texts(
                [
                    await runtime.host("ada").call(call("page")),
                    await runtime.module("m").call(call("page")),
                    await turn.script().call(call("page")),
                ]
            )

    assert run(main()) == ["TOOL_REFUSED"] * 3


def test_a_table_that_hands_out_off_a_turn_is_misuse_and_the_call_is_answered() -> None:
    house = House({"a": well})
    decide = house.decide

    def careless(*given: Any) -> Any:
        return decide(given[0], "turn", given[2], True)  # noqa: FBT003

    house.decides = careless

    async def main() -> None:
        runtime = house.runtime(window=Desk())
        with pytest.raises(ProtocolError, match="client's plane"):
            await runtime.host().call(call("page"))
        with pytest.raises(ProtocolError, match="client's plane"):
            await runtime.puppet("ada").call(call("page"))
        async with runtime.turn("ada") as turn:
            assert turn.live

    run(main())
    assert house.told() == ["opened", "answered not_executed"] * 2


def test_a_handler_can_post_for_its_siblings() -> None:
    """As a host does that bridges a page over a tool of its own."""
    rounds: list[Round] = []

    def bridge(_route: Any, _context: Context) -> ToolResult:
        return ToolResult(rounds[0].post(0, "bridged"))

    async def main() -> list[Any]:
        async with House({"bridge": bridge}).runtime().turn("ada") as turn:
            rounds.append(turn.round([call("page"), call("bridge")]))
            await rounds[0].run()
            return texts(await rounds[0].complete())

    assert run(main()) == ["bridged", True]
