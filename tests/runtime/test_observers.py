import asyncio
import logging
from typing import Any

import pytest
from made_up_time import Clockless, run
from runtime_house import Gate, House, call, settle_down, texts, well

from toolroute import ProtocolError, ToolResult
from toolroute.runtime import (
    Context,
    Event,
    LoggingObserver,
    MemoryLedger,
    Runtime,
    Wanted,
)


def test_one_event_a_change_in_order_for_each_call() -> None:
    house = House({"a": well})

    async def main() -> None:
        async with house.runtime().turn("ada") as turn:
            await turn.run([call("a"), call("no"), call("a")])

    run(main())
    assert house.told("a") == [
        "opened",
        "opened",
        "started",
        "started",
        "answered returned",
        "answered returned",
    ]
    assert house.told("no") == ["opened", "answered refused"]


def test_an_event_has_the_call_the_answer_the_cause_and_the_fingerprint() -> None:
    trouble = ValueError("no luck")

    def raises(_route: Any, _context: Context) -> ToolResult:
        raise trouble

    house = House({"a": raises})
    ledger = MemoryLedger()

    async def main() -> None:
        await house.runtime(ledger=ledger).host().call(call("a"))

    run(main())
    (entry,) = ledger.find(Wanted())
    assert house.events == [
        Event("opened", entry.opened, None, None, None, "house"),
        Event("started", entry.opened, None, None, None, "house"),
        Event("answered", entry.opened, entry.answer, "handler", trouble, "house"),
    ]


def test_an_event_is_told_when_it_is_recorded_and_before_the_answer_is_delivered() -> (
    None
):
    ledger = MemoryLedger()
    house = House({"a": well})
    recorded: list[Any] = []
    delivered: list[bool] = []

    async def main() -> None:
        runtime = Runtime(
            house.bound(),
            house.view,
            ledger=ledger,
            observers=[
                lambda event: recorded.append(
                    (event.what, ledger.find(Wanted())[0].state)
                ),
                lambda _event: delivered.append(waiter.done()),
            ],
        )
        waiter = asyncio.ensure_future(runtime.host().call(call("a")))
        await waiter

    run(main())
    assert recorded == [
        ("opened", "started"),
        ("started", "started"),
        ("answered", "answered"),
    ]
    assert delivered == [False, False, False]


@pytest.mark.parametrize("what", ["opened", "started", "answered"])
@pytest.mark.parametrize(
    "error", [SystemExit, GeneratorExit, asyncio.CancelledError, KeyboardInterrupt]
)
def test_whatever_an_observer_raises_every_call_is_answered(
    error: type[BaseException], what: str
) -> None:
    """An interrupt goes on, from the event loop; the rest goes nowhere."""

    async def later(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(0)
        return ToolResult("later")

    house = House({"a": well, "b": later})
    raised: list[BaseException] = []
    answers: list[Any] = []

    def raises(event: Event) -> None:
        if event.what == what and not raised:
            raised.append(error())
            raise raised[0]

    async def main() -> None:
        observers = [raises, house.events.append]
        runtime = Runtime(house.bound(), house.view, observers=observers)
        async with runtime.turn("ada") as turn:
            one = turn.round([call("a"), call("b")])
            await asyncio.shield(asyncio.ensure_future(one.run()))
            answers.extend(texts(one.answers))

    if error is KeyboardInterrupt:
        with asyncio.Runner(loop_factory=Clockless) as runner:
            task = runner.get_loop().create_task(main())
            with pytest.raises(KeyboardInterrupt):
                runner.get_loop().run_forever()
            runner.get_loop().run_until_complete(task)
    else:
        run(main())
    assert answers == ["a is done", "later"]
    for name in "ab":
        assert house.told(name) == ["opened", "started", "answered returned"]


def test_an_observer_that_nobody_would_await_is_misuse() -> None:
    async def forgotten(_event: Event) -> None:
        raise AssertionError

    house = House()
    with pytest.raises(ProtocolError, match="can't be async"):
        Runtime(house.bound(), house.view, observers=[house.events.append, forgotten])


def test_an_observer_that_raises_harms_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    house = House({"a": well})

    def broken(_event: Event) -> None:
        raise RuntimeError

    async def main() -> list[Any]:
        observers = [broken, house.events.append]
        runtime = Runtime(house.bound(), house.view, observers=observers)
        return texts([await runtime.host().call(call("a"))])

    assert run(main()) == ["a is done"]
    assert house.told() == ["opened", "started", "answered returned"]
    assert caplog.text.count("An observer raised") == 3


def test_observers_see_one_order_also_when_one_makes_calls_meanwhile() -> None:
    house = House({"a": well, "b": well})
    seen: list[list[str]] = [[], []]

    def first(event: Event) -> None:
        seen[0].append(f"{event.call.call.name} {event.what}")
        if event.what == "started" and event.call.call.name == "a":
            host.start(call("b"))

    def second(event: Event) -> None:
        seen[1].append(f"{event.call.call.name} {event.what}")

    host = Runtime(house.bound(), house.view, observers=[first, second]).host()

    async def main() -> None:
        await host.call(call("a"))

    run(main())
    assert seen[0] == seen[1]
    assert seen[0] == [
        "a opened",
        "a started",
        "b opened",
        "b started",
        "b answered",
        "a answered",
    ]


def test_an_observer_can_cancel_what_it_sees() -> None:
    gate = Gate()
    house = House({"a": gate})

    async def main() -> list[Any]:
        runtime = house.runtime()
        under_way = runtime.host().start(call("a"))
        await settle_down()
        under_way.cancel()
        await settle_down()
        return texts([await under_way])

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN"]


def test_the_log_has_a_line_a_change_and_warns_of_troubles(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def raises(_route: Any, _context: Context) -> ToolResult:
        raise ValueError("secret")

    house = House({"a": well, "b": raises})

    async def main() -> None:
        log = LoggingObserver()
        runtime = Runtime(house.bound(), house.view, observers=[log])
        await runtime.host("ada").call(call("a", x="private"), key="k1")
        await runtime.host().call(call("b"), key="k2\n")

    with caplog.at_level(logging.DEBUG, "toolroute.calls"):
        run(main())
    assert [(one.levelname, one.getMessage()) for one in caplog.records] == [
        ("DEBUG", "opened a key=k1 caller=host agent=ada"),
        ("DEBUG", "started a key=k1 caller=host agent=ada"),
        (
            "DEBUG",
            "answered a key=k1 caller=host agent=ada answer=returned cause=handler",
        ),
        ("DEBUG", "opened b key=k2\\n caller=host"),
        ("DEBUG", "started b key=k2\\n caller=host"),
        ("WARNING", "answered b key=k2\\n caller=host answer=failed cause=handler"),
    ]
    assert "private" not in caplog.text


def test_the_log_goes_where_it_is_told(caplog: pytest.LogCaptureFixture) -> None:
    house = House({"a": well})
    logger = logging.getLogger("mine")

    async def main() -> None:
        runtime = Runtime(
            house.bound(), house.view, observers=[LoggingObserver(logger)]
        )
        await runtime.host().call(call("a"))

    with caplog.at_level(logging.DEBUG, "mine"):
        run(main())
    assert {record.name for record in caplog.records} == {"mine"}


def test_what_opening_the_ledger_settled_is_told_when_the_runtime_begins() -> None:
    dead = MemoryLedger()

    async def main() -> None:
        await House({"a": well}).runtime(ledger=dead).host().call(call("a"))

    run(main())

    class Reopened(MemoryLedger):  # type: ignore[misc]
        __slots__ = ()

        @property
        def recovered(self) -> Any:
            return dead.find(Wanted())

    house = House({"a": well})
    house.runtime(ledger=Reopened())
    assert house.told() == ["answered returned"]
    assert house.events[0].cause == "recovered"


def test_a_late_answer_is_noted_and_changes_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def stubborn(_route: Any, _context: Context) -> ToolResult:
        try:
            await asyncio.sleep(9)
        finally:
            return ToolResult("too late")  # noqa: B012 -- as careless tools do

    house = House({"a": stubborn})
    log = LoggingObserver()

    async def main() -> list[Any]:
        runtime = Runtime(
            house.bound(), house.view, observers=[house.events.append, log]
        )
        under_way = runtime.host().start(call("a"))
        await settle_down()
        under_way.cancel()
        await settle_down()
        return texts([await under_way])

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN"]
    late = house.events[-1]
    assert (late.what, late.cause) == ("late", "handler")
    assert texts([late.answer]) == ["too late"]
    assert caplog.records[-1].levelname == "WARNING"
