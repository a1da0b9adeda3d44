"""One slip is one finding: a key that was probably meant isn't missing besides."""

import pytest
from judging import codes, completed


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("callers: {turn: {raod: turn}}\n", ["TR101"]),
        ("callers: {turn: {width: 1}}\n", ["TR102", "TR101"]),
        ("callers: {turn: {}}\n", ["TR102"]),
        ("routes:\n  - {kind: a, nmaes: [a]}\n", ["TR101"]),
        ("routes:\n  - {knid: a, names: [a]}\n", ["TR101"]),
        ("routes:\n  - {kind: a, width: 1}\n", ["TR106", "TR101"]),
        ("routes:\n  - {kind: a, lookup: b, within: {splti: a}}\n", ["TR101"]),
        ("routes:\n  - {kind: a, lookup: b, within: {width: a}}\n", ["TR106", "TR101"]),
    ],
)
def test_a_key_that_was_meant_is_not_missing(part: str, found: list[str]) -> None:
    assert codes(completed(part)) == found
