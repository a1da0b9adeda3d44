import random

from toolroute.runtime._waits import Waits


def test_a_call_goes_on_when_all_that_it_waits_for_are_done() -> None:
    waits = Waits()
    assert waits.add(0, [1, 2]) == []
    assert waits.done(1) == []
    assert set(waits.left(0)) == {2}
    assert waits.done(2) == [0]
    assert 0 not in waits


def test_a_call_that_waits_for_nothing_goes_on() -> None:
    assert Waits().add(0, []) == [0]


def test_two_that_wait_for_each_other_both_go_on() -> None:
    waits = Waits()
    assert waits.add(0, [1]) == []
    assert set(waits.add(1, [0])) == {0, 1}


def test_a_ring_of_three_goes_on() -> None:
    waits = Waits()
    assert waits.add(0, [1]) == []
    assert waits.add(1, [2]) == []
    assert set(waits.add(2, [0])) == {0, 1, 2}


def test_who_waits_for_a_ring_and_is_not_waited_for_still_waits() -> None:
    waits = Waits()
    assert waits.add(9, [0]) == []
    assert waits.add(0, [1]) == []
    assert set(waits.add(1, [0])) == {0, 1}
    assert set(waits.left(9)) == {0}
    assert waits.done(0) == [9]


def test_ring_members_still_wait_for_those_outside() -> None:
    waits = Waits()
    assert waits.add(0, [1, 2]) == []
    assert waits.add(1, [0, 2]) == []
    assert (set(waits.left(0)), set(waits.left(1))) == ({2}, {2})
    assert set(waits.done(2)) == {0, 1}


def test_whoever_stops_waiting_is_forgotten() -> None:
    waits = Waits()
    waits.add(0, [1])
    waits.drop(0)
    assert waits.done(1) == []
    waits.add(1, [0])
    assert set(waits.left(1)) == {0}


def test_nobody_ever_waits_in_a_ring() -> None:
    """Against a plain search for rings, over many random rounds."""
    rng = random.Random(7)  # noqa: S311 -- reproducible
    for _ in range(400):
        waits, size = Waits(), rng.randint(2, 7)
        done: set[int] = set()
        for _ in range(20):
            place = rng.randrange(size)
            if place in done:
                continue
            if place in waits or rng.random() < 0.3:
                waits.done(place)
                done.add(place)
            else:
                others = {n for n in range(size) if n != place} - done
                waits.add(place, rng.sample(sorted(others), len(others) // 2))
            before = {n: set(waits.left(n)) for n in range(size) if n in waits}
            assert not _ring(before)
            assert all(left and not left & done for left in before.values())


def _ring(before: dict[int, set[int]]) -> bool:
    while free := [n for n, left in before.items() if not left & before.keys()]:
        for n in free:
            del before[n]
    return bool(before)
