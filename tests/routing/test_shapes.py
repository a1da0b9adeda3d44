"""Shapes of names: which each takes, and which of many take one."""

from hypothesis import given
from hypothesis import strategies as st

from toolroute.routing import AnyName, Glob, Prefix, Shape, Shapes, Split

PARTS = ["", "a", "b", "ab", "a_", "--", "-", "aab"]
shapes = st.one_of(
    st.sampled_from(PARTS).map(Prefix),
    st.tuples(*[st.sampled_from(PARTS)] * 2).map(lambda ends: Glob("*".join(ends))),
    st.sampled_from(PARTS[1:]).map(Split),
    st.just(AnyName()),
)
names = st.text("ab_-", max_size=8)


@given(st.lists(shapes, max_size=12), names)
def test_of_many_shapes_those_are_found_that_take_the_name(
    many: list[Shape], name: str
) -> None:
    found = Shapes(enumerate(many)).taking(name)
    assert found == [at for at, shape in enumerate(many) if shape.takes(name)]


@given(shapes, names)
def test_what_a_shape_takes_begins_with_its_head_and_has_its_part(
    shape: Shape, name: str
) -> None:
    if shape.takes(name):
        assert name.startswith(shape.head)
        assert shape.part in name


def test_a_prefix_isnt_its_own_name() -> None:
    assert [Prefix("a_").takes(name) for name in ("a_", "a_b", "a", "b_a")] == [
        *(False, True, False, False),
    ]


def test_a_globs_ends_dont_overlap() -> None:
    glob = Glob("aa*aa")
    assert [glob.takes("a" * count) for count in range(7)] == [False] * 5 + [True] * 2


def test_a_split_is_at_the_first_separator() -> None:
    split = Split("--")
    taken = {"a--b": True, "a---": True, "---a": False, "a--": False, "--a--b": False}
    assert {name: split.takes(name) for name in taken} == taken
