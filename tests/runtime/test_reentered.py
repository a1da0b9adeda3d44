"""An observer, or a guard, that acts on the very turn or round it is asked about."""

from collections.abc import Callable
from typing import Any

import pytest
from made_up_time import run
from runtime_house import House, call, settle_down, well

from toolroute.runtime import Event, Runtime, Turn

ACTS: dict[str, Callable[[Turn], Any]] = {
    "ends its turn": lambda turn: turn.end(),
    "cancels its turn": lambda turn: turn.cancel(),
    "settles what is out": lambda turn: turn.settle_pending(),
    "cancels its round": lambda turn: turn._last and turn._last.cancel(),
    "posts an answer": lambda turn: turn._last and turn._last.post(2, "posted"),
}
CALLS = [call("a"), call("no"), call("page"), call("b")]
LIVES = (["opened", "answered"], ["opened", "started", "answered"])


@pytest.mark.parametrize("nth", range(4))
@pytest.mark.parametrize("what", ["opened", "started", "answered"])
@pytest.mark.parametrize("act", ACTS)
def test_whatever_an_observer_does_each_call_has_its_life_and_one_answer(
    act: str, what: str, nth: int
) -> None:
    house = House({"a": well, "b": well})
    events: list[Event] = []
    turns: list[Turn] = []

    def see(event: Event) -> None:
        events.append(event)
        if [one.what for one in events].count(what) == nth + 1 and event.what == what:
            ACTS[act](turns[0])

    async def main() -> Any:
        runtime: Any = Runtime(house.bound(), house.view, observers=[see])
        async with runtime.turn("ada") as turn:
            turns.append(turn)
            one = turn.round(CALLS)
            await one.run()
            await settle_down()
        return one.answers

    answers = run(main())
    lives: dict[Any, list[str]] = {}
    for event in events:
        lives.setdefault(event.call.place, []).append(event.what)
    assert {tuple(one) for one in lives.values()} <= {tuple(life) for life in LIVES} | {
        (*life, "late") for life in LIVES
    }
    assert [answer.kind for answer in answers if answer is not None] == [
        next(
            e.answer.kind for e in events if e.call.place == at and e.what == "answered"
        )
        for at in range(4)
    ]
    assert "unrecorded" not in {event.what for event in events}
    assert answers[1] is not None
    assert answers[1].kind == "refused"


def test_an_answer_can_be_posted_as_soon_as_the_call_is_told_to_be_out() -> None:
    house = House()
    turns: list[Turn] = []

    def see(event: Event) -> None:
        if event.what == "opened":
            last = turns[0]._last
            assert last is not None
            assert last.post(0, "at once") is True

    async def main() -> Any:
        runtime: Any = Runtime(house.bound(), house.view, observers=[see])
        async with runtime.turn("ada") as turn:
            turns.append(turn)
            return [one.content for one in await turn.round([call("page")]).complete()]

    assert run(main()) == ["at once"]


def test_a_turn_that_a_guard_ends_runs_nothing_and_each_call_is_answered() -> None:
    house = House({"a": well})
    turns: list[Turn] = []
    guard = house.view("ada").guard

    async def main() -> Any:
        runtime = house.runtime()
        async with runtime.turn("ada") as turn:
            turns.append(turn)
            one = turn.round([call("a"), call("page")])
            return await one.complete()

    def decide(one: Any, *rest: Any) -> Any:
        guard(one)
        turns[0].end()
        return House.decide(house, one, *rest)

    house.decides = decide
    assert [answer.kind for answer in run(main())] == ["not_executed", "not_executed"]
    assert sorted(house.told()) == ["answered not_executed"] * 2 + ["opened"] * 2
    assert house.ran == []
