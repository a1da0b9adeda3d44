"""Names that a stranger may have meant."""

from hypothesis import given
from hypothesis import strategies as st

from toolroute.routing import near


def test_the_nearest_three_are_said_nearest_first() -> None:
    names = ["think", "thing", "thin", "thick", "other"]
    assert near("thinj", names) == "thin, think, thing"


def test_nothing_is_said_to_be_nothing() -> None:
    assert near("qqq", ["think"]) == "nothing"
    assert near("think", []) == "nothing"


def test_long_names_are_left_out_where_they_take_too_much_room() -> None:
    names = ["x" * 100 + end for end in "abc"]
    assert near("x" * 100, names) in names


@given(st.text(max_size=300), st.lists(st.text("ab_", min_size=1), max_size=9))
def test_what_is_said_is_short_and_of_the_names(name: str, names: list[str]) -> None:
    said = near(name, names)
    assert len(said) <= 200
    assert said == "nothing" or set(said.split(", ")) <= set(names)
