"""A script does what it may, and its calls are the agent's."""

from typing import TYPE_CHECKING

import pytest

from .scripting import error, execute, printed, refused

if TYPE_CHECKING:
    from .conftest import Roads

pytestmark = pytest.mark.usefixtures("temporary")


def test_what_a_script_prints_is_the_answer(roads: "Roads") -> None:
    assert printed(execute(roads, "print(6 * 7)\nprint('é')")) == "42\né\n"


@pytest.mark.parametrize("road", ["turn", "host", "puppet", "module"])
def test_a_script_runs_for_everybody_but_a_script(roads: "Roads", road: str) -> None:
    given = {"code": "print(1)"}
    assert printed(roads.on(road, "ada", "code_execution", **given)) == "1\n"
    assert refused(roads.script("ada", "code_execution", **given)) == (
        "code_execution cannot be called from within a script"
    )


def test_a_scripts_calls_are_the_agents_and_come_back_to_it(roads: "Roads") -> None:
    code = """
call_tool("journal", content="from a script")
print(call_tool("files--read", path="hello.txt")["content"], end="")
try:
    call_tool("files--read", path="none.txt")
except ToolFailed as failed:
    print(failed)
try:
    call_tool("code_execution", code="print(1)")
except ToolFailed as failed:
    print(failed)
"""
    assert printed(execute(roads, code)) == (
        "Hello from the shared folder.\n"
        "files--read: none.txt isn't there.\n"
        "code_execution cannot be called from within a script\n"
    )
    assert roads.world.notes.read("ada", "journal") == ["from a script"]


def test_a_script_ends_the_turn_with_its_own_result(roads: "Roads") -> None:
    after = 'call_tool("skip_reply")\nprint("still here")'
    answer = execute(roads, after)
    assert printed(answer) == "still here\n"
    assert answer.ends_turn
    awaited = roads.host("ada", "code_execution", code='call_tool("skip_reply")')
    assert "ends the turn it's called in" in error(awaited)


def test_two_scripts_of_one_message_are_both_answered(roads: "Roads") -> None:
    answers = roads.round(
        "ada",
        ("code_execution", {"code": "print(call_tool('files--list')['complete'])"}),
        ("code_execution", {"code": "print('two')"}),
    )
    assert [printed(answer) for answer in answers] == ["True\n", "two\n"]


def test_a_script_sees_an_empty_environment_and_an_empty_folder(
    roads: "Roads", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEDGER_KEY", "what nobody else may know")
    code = "import os\nprint(dict(os.environ), os.listdir())"
    assert printed(execute(roads, code)) == "{} []\n"


def test_a_script_has_files_of_its_own(roads: "Roads") -> None:
    code = """
import os
os.mkdir("d")
with open("d/a.txt", "w") as file:
    file.write("mine")
os.rename("d/a.txt", "d/b.txt")
print(open("d/b.txt").read(), os.listdir("d"))
"""
    assert printed(execute(roads, code)) == "mine ['b.txt']\n"
