import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from judging import codes, completed

from toolroute_codegen import check, rules

RULES = Path(rules.__file__).parent

MANY = re.MULTILINE

WHOLE = {"TR006"}
"""Rules whose example is a whole file."""


def docstring(name: str) -> str:
    tree = ast.parse((RULES / f"{name}.py").read_text(encoding="utf-8"))
    return ast.get_docstring(tree) or ""


def examples(name: str) -> list[str]:
    """The tables on a page, in their order."""
    blocks = re.findall(r"(?:^    .*\n?|^\n(?=    ))+", docstring(name), re.MULTILINE)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks]


def bad_and_good() -> Iterator[tuple[str, str, str]]:
    for code, name in rules.NAMES.items():
        bad, good = examples(name)
        yield code, bad.replace("␀", "\0"), good


def written_out(example: str) -> str:
    """The example of too many kinds, which leaves most of them to the reader."""
    left_out = "  # and so on, to\n"
    more = (f"  - {{kind: kind_{n}, names: [tool_{n}]}}\n" for n in range(3, 101))
    return example.replace(left_out, "".join(more))


def test_every_file_of_a_rule_is_listed_under_its_code() -> None:
    files = {
        path.stem: re.findall(r'^CODE: Final = "(\w+)"$', path.read_text("utf-8"), MANY)
        for path in RULES.glob("[!_]*.py")
    }
    assert files == {name: [code] for code, name in rules.NAMES.items()}


def test_codes_are_in_order() -> None:
    assert list(rules.NAMES) == sorted(rules.NAMES)


def test_every_rule_of_what_a_table_means_is_asked() -> None:
    asked = [rule.__module__.rpartition(".")[2] for rule in check.RULES]
    assert asked == [n for code, n in rules.NAMES.items() if code.startswith("TR2")]


@pytest.mark.parametrize("name", list(rules.NAMES.values()))
def test_a_page_says_what_why_and_how(name: str) -> None:
    page = docstring(name)
    title, *_ = page.split("\n")
    assert title.endswith(".")
    assert re.findall(r"^(What it finds|Why it matters|For example)\b", page, MANY) == [
        "What it finds",
        "Why it matters",
        "For example",
    ]


@pytest.mark.parametrize(("code", "bad", "good"), list(bad_and_good()))
def test_the_example_of_a_page_has_that_finding_and_what_to_write_has_none(
    code: str, bad: str, good: str
) -> None:
    bad = written_out(bad)
    assert code in codes(bad if code in WHOLE else completed(bad))
    assert codes(completed(good)) == []
