"""Tables that are rejected, and the report that each gets.

`python tests/codegen/rejected/renew.py` renews the reports.
"""

import re
import sys
from pathlib import Path

import pytest
from judging import judged

from toolroute_codegen.rules import NAMES

REJECTED = Path(__file__).with_name("rejected")

sys.path.insert(0, str(REJECTED))

from renew import report_of  # noqa: E402 - beside the tables

TABLES = sorted(REJECTED.glob("*.yaml"))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_the_report_is_what_it_was(table: Path) -> None:
    assert report_of(table) == table.with_suffix(".txt").read_text("utf-8")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_a_table_breaks_the_rule_in_its_name_and_no_other(table: Path) -> None:
    text = table.read_bytes().decode("utf-8")
    assert {f.code for f in judged(text)} == {table.stem.partition("_")[0].upper()}


def test_every_rule_has_a_table_that_breaks_it() -> None:
    assert {table.stem.partition("_")[0].upper() for table in TABLES} == set(NAMES)


def test_no_report_is_without_its_table() -> None:
    reports = sorted(report.stem for report in REJECTED.glob("*.txt"))
    assert reports == [table.stem for table in TABLES]


def test_messages_are_in_our_voice() -> None:
    told = "\n".join(table.with_suffix(".txt").read_text("utf-8") for table in TABLES)
    ours = re.sub(r"^\d* *\|.*$", "", told, flags=re.MULTILINE)
    assert (
        re.findall(r"(?i)\binvalid\b|failed to|nonetype|pydantic|\w+error:", ours) == []
    )
