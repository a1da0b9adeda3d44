"""What a script may not, or takes too much of, is told in words."""

import os
from typing import TYPE_CHECKING, Any

import pytest

from .scripting import PROCESSES, error, execute, limited, refused

if TYPE_CHECKING:
    from .conftest import Roads

pytestmark = pytest.mark.usefixtures("temporary")


FORBIDDEN = {
    "import os; os.fork()": PROCESSES,
    "import os\nwhile True: os.fork()": PROCESSES,
    "import subprocess; subprocess.run(['ls'])": PROCESSES,
    "import os; os.system('ls')": PROCESSES,
    "import os; os.execv('/bin/ls', ['ls'])": PROCESSES,
    "import os; os.posix_spawn('/bin/ls', ['ls'], {})": PROCESSES,
    "import os; os.kill(os.getppid(), 9)": PROCESSES,
    "import ctypes; ctypes.CDLL(None).fork()": PROCESSES,
    "import socket; socket.create_connection(('127.0.0.1', 1))": PROCESSES,
    "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))": PROCESSES,
    "open('/etc/passwd').read()": (
        "a script has its own folder only, not '/etc/passwd'\n"
    ),
    "open('../outside', 'w')": "a script has its own folder only, not '../outside'\n",
    "import os; os.symlink('/etc', 'e')": (
        "a script has its own folder only, not '/etc'\n"
    ),
    "import os; os.listdir('/')": "a script has its own folder only, not '/'\n",
    "import os; os.rename('/tmp/a', 'a')": (
        "a script has its own folder only, not '/tmp/a'\n"
    ),
    "import os; print(open(f'/proc/{os.getppid()}/environ').read())": (
        f"a script has its own folder only, not '/proc/{os.getpid()}/environ'\n"
    ),
}


@pytest.mark.parametrize("code", FORBIDDEN)
def test_what_a_script_may_not_is_refused_in_words(roads: "Roads", code: str) -> None:
    said = error(execute(roads, code))
    assert said.startswith("Traceback (most recent call last):\n")
    assert said.endswith(FORBIDDEN[code])
    assert "_script_child" not in said


def test_a_script_that_never_ends_is_stopped(roads: "Roads") -> None:
    answer = execute(roads, "while True: pass", seconds=0.3)
    assert error(answer) == "the script took longer than 0.3 seconds"


def test_what_was_printed_before_it_was_stopped_is_told(roads: "Roads") -> None:
    code = "print('before', flush=True)\nwhile True: pass"
    answer = execute(roads, code, seconds=3)
    assert answer.content == {
        "output": "before\n",
        "error": "the script took longer than 3 seconds",
    }


def test_a_script_that_prints_a_gigabyte_is_stopped(roads: "Roads") -> None:
    code = "while True: print('x' * 1_000_000)"
    answer = execute(roads, code)
    assert error(answer) == "the script printed more than 1,000,000 bytes"
    assert len(answer.content["output"]) == 1_000_000


def test_a_script_that_takes_too_much_memory_is_told(roads: "Roads") -> None:
    assert error(execute(roads, "x = bytearray(1 << 31)")).endswith("MemoryError\n")


def test_a_script_that_fills_the_disk_is_stopped(roads: "Roads") -> None:
    limited(roads, disk=1_000_000)
    many = """
import time
for number in range(100):
    with open(str(number), "wb") as file:
        file.write(bytes(100_000))
time.sleep(60)
"""
    assert error(execute(roads, many)) == (
        "the script wrote more than 1,000,000 bytes of files"
    )
    one = "open('a', 'wb').write(bytes(2_000_000))"
    assert error(execute(roads, one)).endswith("File too large\n")


def test_a_script_that_makes_very_many_files_is_stopped(roads: "Roads") -> None:
    code = """
import time
for number in range(1_500):
    open(str(number), "w").close()
time.sleep(60)
"""
    assert error(execute(roads, code)) == "the script made more than 1,000 files"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os._exit(3)", "the script ended with status 3 before its end"),
        ("import os; os.abort()", "the script died of SIGABRT"),
        ("import sys; sys.exit('enough')", "the script exited with enough"),
        ("x = 1 +", "SyntaxError: invalid syntax\n"),
        ("1 / 0", "ZeroDivisionError: division by zero\n"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt\n"),
        ("def f(): f()\nf()", "RecursionError: maximum recursion depth exceeded\n"),
    ],
)
def test_each_bad_end_is_told(roads: "Roads", code: str, words: str) -> None:
    assert error(execute(roads, code)).endswith(words)


def test_a_script_that_breaks_its_line_is_stopped(roads: "Roads") -> None:
    code = """
import os, time
for descriptor in range(3, 20):
    try:
        os.write(descriptor, b"nonsense" + bytes([10]))
    except OSError:
        pass
time.sleep(60)
"""
    assert error(execute(roads, code)) == (
        "the script broke the line that its calls go over"
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "code_execution requires a non-empty `code` string"),
        ({"code": " \n"}, "code_execution requires a non-empty `code` string"),
        ({"code": 7}, "code_execution requires a non-empty `code` string"),
        (
            {"code": "1", "seconds": 61},
            "code_execution: `seconds` must be a positive number up to 60",
        ),
        (
            {"code": "1", "background": "yes"},
            "code_execution: `background` must be true or false",
        ),
        (
            {"action": "dance"},
            'code_execution: `action` must be "run", "status", or "cancel"',
        ),
        (
            {"action": "status", "script": "script_9"},
            (
                "code_execution: no script of yours is named script_9. The last ones "
                "that ran in the background are known, by the name that each was given."
            ),
        ),
    ],
)
def test_what_is_no_script_is_refused(
    roads: "Roads", given: dict[str, Any], words: str
) -> None:
    assert refused(roads.turn("ada", "code_execution", **given)) == words
