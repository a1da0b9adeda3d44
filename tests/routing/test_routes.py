"""From a name to its steps: what is remembered, and what isn't."""

from typing import Any

from toolroute import Refusal, ToolCall
from toolroute.routing import Matched, Named, Prefix, Routes, Shaped, Split


def step_named(name: str, *, passes: bool = False) -> Any:
    """A step that refuses in its own name, or passes."""

    def step(call: ToolCall, caller: str, host: object, in_turn: bool) -> Any:  # noqa: FBT001
        del call, caller, host, in_turn
        return None if passes else Refusal(name, "X", "no", name)

    return step


ROUTES: Routes[str, object, Matched] = Routes(
    Named(step_named("first", passes=True), ("a--b", "think")),
    Shaped(step_named("split"), Split("--"), "list_split"),
    Shaped(step_named("headed"), Prefix("a-"), "list_headed", always=True),
    Named(step_named("last"), ("a--b", "think")),
)


def decided(name: str) -> str | None:
    """The step that has something to say to a call of this name."""
    call = ToolCall("1", name)
    step = ROUTES.by_name.get(name)
    if step is None:
        call, step = ROUTES.other(call)
    if step is None:
        return "outside"
    said = step(call, "turn", object(), True)  # noqa: FBT003 - in a turn
    return said.id if isinstance(said, Refusal) else None


def test_the_first_row_in_order_that_has_something_to_say_has_it() -> None:
    names = ("think", "a--b", "x--y", "a-x", "a--c", "nothing", "not sendable")
    assert {name: decided(name) for name in names} == {
        "think": "last",
        "a--b": "split",
        "x--y": "split",
        "a-x": "headed",
        "a--c": "split",
        "nothing": None,
        "not sendable": "outside",
    }


def test_no_row_is_asked_behind_one_that_always_answers() -> None:
    assert [row.step for row in ROUTES.rows_of("a--b")] == [
        row.step for row in ROUTES.rows[:3]
    ]


def test_names_that_are_worked_out_are_remembered_up_to_a_number() -> None:
    routes: Routes[str, object, Matched] = Routes(
        Shaped(step_named("headed"), Prefix("a-"), "list_headed")
    )
    for at in range(3000):
        routes.other(ToolCall("1", f"a-{at}"))
    assert routes._find.cache_info().currsize == 1024
    again = routes.other(ToolCall("1", "a-2999"))
    assert again == (ToolCall("1", "a-2999"), routes.rows[0].step)
    assert routes._find.cache_info().hits == 1


def test_a_long_name_isnt_remembered() -> None:
    routes: Routes[str, object, Matched] = Routes(normalise=("trim",))
    for name in ("x" * 129, " " * 1_000_000, "think" + " " * 1_000_000):
        routes.other(ToolCall("1", name))
    assert routes._find.cache_info().currsize == 0
    routes.other(ToolCall("1", "x" * 128))
    assert routes._find.cache_info().currsize == 1


def test_a_step_gets_the_call_under_the_name_that_was_taken() -> None:
    routes: Routes[str, object, Matched] = Routes(
        Shaped(step_named("headed"), Prefix("a-"), "list_headed"), normalise=("trim",)
    )
    call = ToolCall("1", " a-b ", {"x": 1})
    renamed, step = routes.other(call)
    assert (renamed, step) == (ToolCall("1", "a-b", {"x": 1}), routes.rows[0].step)
    same = ToolCall("1", "a-b")
    assert routes.other(same)[0] is same
