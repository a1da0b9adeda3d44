"""What a host and its users can do, in any order, and what holds whatever they do."""

import asyncio
from functools import partial
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
)
from machine_house import OUTCOMES, World
from machine_truth import assert_true, began

from toolroute import ProtocolError
from toolroute.routing import ClientPlane
from toolroute.runtime import (
    Answer,
    Awaited,
    Round,
    Turn,
)

agents = st.sampled_from(["ada", "bob"])
names = st.sampled_from(
    [
        *("step", "stubborn", "code", "code", "sync", "page"),
        *("step", "stubborn", "waits", "over", "no", "nosuch", "bad"),
    ]
)
hows = st.sampled_from(sorted(OUTCOMES))
pick = st.integers(0, 1_000_000)


class Machine(RuleBasedStateMachine):
    """The rules are what a host and its users can do; `World` has what was seen."""

    steps: ClassVar[int] = 0
    seen: ClassVar[set[tuple[str, str]]] = set()

    def __init__(self) -> None:
        super().__init__()
        type(self).steps -= 2  # what always holds is looked at before and after, too
        self._ledger = self.ledger()
        self.world = World(self._ledger.__enter__())
        self.turns: dict[str, Turn] = {}
        self.rounds: list[Round] = []
        self.awaited: list[Awaited] = []
        self.messages: dict[str, list[int]] = {"ada": [], "bob": []}

    @staticmethod
    def ledger() -> Any:
        raise NotImplementedError

    def _call(self, name: str, how: str) -> Any:
        return self.world.call(name, **({"how": how} if name == "sync" else {}))

    # turns and rounds

    @precondition(lambda self: len(self.turns) < 2)
    @rule(agent=agents)
    def begin(self, agent: str) -> None:
        turn = self.world.runtime.turn(agent)
        if agent not in self.turns and not self._held(agent):
            self.world.do(lambda: asyncio.ensure_future(turn.begin()))
            assert turn.live
            self.turns[agent] = turn

    @precondition(lambda self: self.turns)
    @rule(agent=agents, how=st.sampled_from(["end", "cancel"]))
    def end(self, agent: str, how: str) -> None:
        if agent in self.turns:
            self.world.do(getattr(self.turns.pop(agent), how))

    @precondition(lambda self: self.turns)
    @rule(agent=agents, names=st.lists(st.tuples(names, hows), max_size=5))
    def make_round(self, agent: str, names: list[tuple[str, str]]) -> None:
        turn = self.turns.get(agent)
        if turn is None or self._serving(turn):
            return
        calls = [self._call(*one) for one in names]
        try:
            made = self.world.do(lambda: turn.round(calls))
        except ProtocolError:  # the last round ended it, now that its calls are settled
            assert not turn.live
            return
        self.rounds.append(made)
        self.world.do(lambda: asyncio.ensure_future(made.run()))

    @precondition(lambda self: self.rounds)
    @rule(one=pick, place=pick, whole=st.booleans())
    def cancel(self, one: int, place: int, *, whole: bool) -> None:
        made = self.rounds[one % len(self.rounds)]
        at = None if whole or not made.calls else place % len(made.calls)
        self.world.do(lambda: made.cancel(at))

    # the client plane

    @precondition(lambda self: self.rounds)
    @rule(one=pick, how=st.sampled_from(["post", "disclaim", "bye"]))
    def post(self, one: int, how: str) -> None:
        """Also a second time, and after everything else."""
        out = [
            (made, at)
            for made in self.rounds
            for at, call in enumerate(made._calls)
            if isinstance(call.route, ClientPlane)
        ]
        if not out:
            return
        made, at = out[one % len(out)]
        act = (
            (lambda: made.disclaim(at))
            if how == "disclaim"
            else (lambda: made.post(at, how, ends_turn=how == "bye"))
        )
        if self.world.do(act):
            token = made.calls[at].id
            assert token not in self.world.posted
            self.world.posted[token] = how

    @rule(agent=agents, user=st.booleans())
    def message(self, agent: str, *, user: bool) -> None:
        self.messages[agent].append(len(self.messages[agent]))
        turn = self.turns.get(agent)
        if user and turn is not None:
            self.world.do(turn.settle_pending)
        number = self.messages[agent][-1]
        self.world.do(lambda: self.world.runtime.deliver(agent, number))

    # awaited calls

    @rule(name=names, how=hows, agent=st.sampled_from(["ada", "bob", None]))
    def host(self, name: str, how: str, agent: str | None) -> None:
        handle = self.world.runtime.host(agent)
        made = self._call(name, how)
        self.awaited.append(self.world.do(lambda: handle.start(made)))

    @rule(name=names, how=hows, agent=st.sampled_from(["ada", None]))
    def module(self, name: str, how: str, agent: str | None) -> None:
        handle = self.world.runtime.module("m")
        made = self._call(name, how)
        self.awaited.append(self.world.do(lambda: handle.start(made, agent=agent)))
        handle.close()

    @rule(name=names, how=hows, agent=st.sampled_from(["ada", "bob", "ada", "nobody"]))
    def puppet(self, name: str, how: str, agent: str) -> None:
        handle = self.world.runtime.puppet(agent)
        made = self._call(name, how)
        self.awaited.append(self.world.do(lambda: handle.start(made)))

    @precondition(lambda self: self.world.scripts)
    @rule(one=pick, name=names, how=hows)
    def script(self, one: int, name: str, how: str) -> None:
        script = self.world.scripts[one % len(self.world.scripts)]
        made = self._call(name, how)
        self.awaited.append(self.world.do(lambda: script.start(made)))

    @precondition(lambda self: self.world.scripts)
    @rule(one=pick)
    def stop(self, one: int) -> None:
        self.world.do(self.world.scripts[one % len(self.world.scripts)].stop)

    @precondition(lambda self: self.awaited)
    @rule(one=pick)
    def cancel_awaited(self, one: int) -> None:
        self.world.do(self.awaited[one % len(self.awaited)].cancel)

    # what happens around them

    @precondition(lambda self: self.world.runs)
    @rule(one=pick, how=hows)
    def finish(self, one: int, how: str) -> None:
        runs = [run for run in self.world.runs.values() if not run.told.done()]
        if runs:
            told = runs[one % len(runs)].told
            self.world.do(lambda: told.set_result(how))

    @rule(seconds=st.sampled_from([1, 20, 60]))
    def time(self, seconds: float) -> None:
        self.world.do(lambda: None, seconds)

    @rule(agent=agents, there=st.booleans())
    def capability(self, agent: str, *, there: bool) -> None:
        self.world.house.capabilities[agent] = there

    @rule(guarded=st.sets(agents, max_size=1))
    def guard(self, guarded: set[str | None]) -> None:
        self.world.house.guarded = guarded

    @rule(busy=st.sets(agents, max_size=1))
    def compact(self, busy: set[str]) -> None:
        self.world.window.busy = busy

    @precondition(lambda self: len(self.awaited) + len(self.rounds) > 25)
    @rule()
    def close(self) -> None:
        self.world.do(lambda: asyncio.ensure_future(self.world.runtime.close(10)), 20)

    # what always holds

    @invariant()
    def nothing_is_answered_twice_and_all_is_in_order(self) -> None:
        type(self).steps += 1
        for agent, turn in list(self.turns.items()):
            if not turn.live:
                del self.turns[agent]
        for seen in self.world.events.values():
            what = [event.what for event in seen]
            started = what[1:2] == ["started"]
            life = ["opened", "started"] if started else ["opened"]
            if "answered" in what:
                life.append("answered")
            assert what == life + ["late"] * (len(what) - len(life))

    @invariant()
    def nothing_stands_between_calls_and_their_results(self) -> None:
        for stored in self.world.window.stored.values():
            for at, (kind, content) in enumerate(stored):
                if kind == "calls":
                    assert stored[at + 1][0] == "results"
                    assert len(stored[at + 1][1]) == len(content)
                elif kind == "results":
                    assert stored[at - 1][0] == "calls"

    @invariant()
    def answers_stand_in_call_order(self) -> None:
        for made in self.rounds:
            for call, answer in zip(made.calls, made.answers, strict=True):
                assert answer is None or self._answered(call.id) == answer

    def teardown(self) -> None:
        world = self.world
        try:
            world.do(lambda: asyncio.ensure_future(world.runtime.close(5)), 10)
            for run in list(world.runs.values()):
                if not run.told.done():
                    world.do(partial(run.told.set_result, "returns"))
            self.nothing_is_answered_twice_and_all_is_in_order()
            self.nothing_stands_between_calls_and_their_results()
            self._each_has_one_true_answer()
            self._messages_are_whole()
            assert asyncio.all_tasks(world.loop) == set()
            assert world.runtime._core.runner.calls == set()
            assert world.runtime._core.seats._seats == {}
        finally:
            world.loop.close()
            self._ledger.__exit__(None, None, None)

    def _each_has_one_true_answer(self) -> None:
        recorded = self.world.found()
        assert recorded.keys() == self.world.events.keys()
        for token, (started, kept) in recorded.items():
            answer = self._answered(token)
            assert answer is not None, token
            assert (kept, started) == (answer, began(self.world, token))
            assert_true(self.world, token, answer)
            events = self.world.events[token]
            self.seen.update((events[0].call.road, e.what) for e in events)
            self.seen.add((events[0].call.road, answer.kind))
        for awaited in self.awaited:
            assert awaited.answer is not None
        for made in self.rounds:
            assert None not in made.answers

    def _messages_are_whole(self) -> None:
        for agent, sent in self.messages.items():
            stored = self.world.window.stored.get(agent, [])
            assert [one for kind, one in stored if kind == "message"] == sent
            for at, (kind, tokens) in enumerate(stored):
                if kind == "calls":
                    answers = [self._answered(token) for token in tokens if token]
                    there = zip(stored[at + 1][1], tokens, strict=True)
                    assert [answer for answer, token in there if token] == answers

    def _answered(self, token: str) -> Answer | None:
        events = self.world.events.get(token, [])
        answers = [event.answer for event in events if event.what == "answered"]
        return answers[0] if answers else None

    def _held(self, agent: str) -> bool:
        return self.world.runtime._core.seats.doing(agent) == "held by an operator"

    def _serving(self, turn: Turn) -> bool:
        last = turn._last
        return last is not None and last.serving
