"""The name that was probably meant, which is looked for within bounds."""

import difflib

import pytest
from judging import completed, judged

from toolroute_codegen.rules import _facts, _words
from toolroute_codegen.rules._words import nearest

MANY = [f"capability_number_{n}" for n in range(2_000)]


def unknown(names: int) -> str:
    rows = [
        f"  - {{kind: kind_{n}, names: [tool_{n}], requires: [dseck_{n}]}}\n"
        for n in range(names)
    ]
    return completed(f"capabilities: {{desk_0: {{}}}}\nroutes:\n{''.join(rows)}")


@pytest.mark.parametrize("number", [0, 17, 1_234, 1_999])
def test_among_many_alike_the_nearest_is_found(number: int) -> None:
    assert nearest(f"capabilty_number_{number}", MANY) == f"capability_number_{number}"
    assert nearest(f"capability_nubmer_{number}", MANY) == f"capability_number_{number}"


def test_of_many_only_some_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    matches = difflib.get_close_matches

    def counted(word: str, words: tuple[str, ...], **more: float) -> list[str]:
        compared.append(len(words))
        return matches(word, words, n=1, cutoff=more["cutoff"])

    monkeypatch.setattr(difflib, "get_close_matches", counted)
    assert nearest("capabilty_number_1_999", MANY) is not None
    assert compared == [_words.MOST_COMPARED]


def test_near_names_are_looked_for_as_long_as_few_are_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_facts, "MOST_NEAR", 3)
    steps = [found.next_step for found in judged(unknown(5))]
    near = [step.startswith("Did you mean `desk_0`?") for step in steps]
    assert near == [True, True, True, False, False]
