"""Whether an answer is the true one."""

from typing import assert_never

from machine_house import OUTCOMES, World

from toolroute.runtime import Answer


def began(world: World, token: str) -> bool:
    """Whether the call was seen to start."""
    return any(event.what == "started" for event in world.events[token])


def assert_true(world: World, token: str, answer: Answer) -> None:
    """The answer says what was seen of its call, and nothing else."""
    entered = world.entered.get(token, 0)
    how = world.ended.get(token)
    posted = world.posted.get(token)
    started = began(world, token)
    assert entered <= started
    match answer.kind:
        case "returned" if token.startswith("page"):
            assert answer.content == posted
        case "returned" if token.startswith("over"):
            assert answer.content == "over is done"
        case "returned" | "failed":
            assert how is not None
            assert OUTCOMES[how][1] == answer.kind
        case "outcome_unknown":
            assert started
            assert posted is None
            late = [event.what for event in world.events[token]].count("late")
            assert how in (None, "is cancelled") or late == 1
        case "not_executed":
            assert not entered
            assert (posted == "disclaim") == started
        case "refused" | "bad_arguments":
            assert not started
        case _:
            assert_never(answer.kind)
