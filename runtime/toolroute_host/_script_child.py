"""What runs in the child: an agent's script, in a process of its own.

Started as `python -I -S _script_child.py FD`, with nothing in the environment and an
empty folder to work in. It imports nothing of this project. The system sees to the
limits; what the hook forbids is told in words. It's no sandbox: a script that means to
gets out.
"""

import contextlib
import ctypes
import json
import os
import resource
import signal
import sys
import sysconfig
import traceback
from _thread import allocate_lock
from typing import Any, Final

ENOUGH: Final = 8_000
"""Characters of a traceback."""

FORBIDDEN: Final = (
    *("os.fork", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.kill"),
    *("subprocess.", "pty.", "ctypes.", "signal.pthread_kill", "resource.", "socket."),
)
NOTHING: Final = "it starts no processes and opens no connections. Call a tool instead."
PR_SET_PDEATHSIG: Final = 1
AF_UNIX: Final = 1
PATHS: Final = {
    "os.chdir": 1,
    "os.chmod": 1,
    "os.chown": 1,
    "os.link": 2,
    "os.listdir": 1,
    "os.mkdir": 1,
    "os.remove": 1,
    "os.rename": 2,
    "os.rmdir": 1,
    "os.scandir": 1,
    "os.symlink": 2,
    "os.truncate": 1,
    "os.utime": 1,
}
"""Events whose first arguments are paths, and how many of them are."""


class ToolFailed(Exception):  # noqa: N818  (it reads as what it says)
    """A tool that the script called answered with an error."""

    def __init__(self, answer: Any) -> None:
        super().__init__(_words(answer))
        self.answer = answer


def _words(answer: Any) -> str:
    try:
        return str(answer["error"]["message"])
    except (KeyError, TypeError):
        return answer if isinstance(answer, str) else json.dumps(answer)


def main() -> None:
    """Read what to run, run it, and say how it ended."""
    os.environ.clear()
    descriptor = int(sys.argv[1])
    lines = os.fdopen(descriptor, "rb", buffering=65_536)
    task = json.loads(lines.readline())
    for name, limit in task["limits"].items():
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(number, (most, most))

    _tie_to_host()
    turn, write, dumps, loads = allocate_lock(), os.write, json.dumps, json.loads

    def say(message: dict[str, Any]) -> None:
        data = dumps(message, allow_nan=False).encode() + b"\n"
        while data:
            data = data[write(descriptor, data) :]

    def call_tool(name: Any, /, **arguments: Any) -> Any:
        """Call a tool, and give what it answers; an error raises `ToolFailed`."""
        if not isinstance(name, str):
            raise TypeError("call_tool takes the tool's name first, a string")
        with turn:
            say({"call": name, "input": arguments})
            answer = loads(lines.readline())
        if answer["is_error"]:
            raise ToolFailed(answer["content"])
        return answer["content"]

    within = os.path.realpath(".")
    readable = (within, *_libraries())
    sys.addaudithook(_hook(within, readable))
    error = _run(task["code"], call_tool)
    with contextlib.suppress(OSError):  # the script may have closed the line
        say({"done": error})


def _tie_to_host() -> None:
    """Have this process end with its host, and start no other by the back door."""
    import _posixsubprocess  # noqa: PLC0415

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

    def fork_exec(*arguments: Any) -> None:
        del arguments
        raise PermissionError(f"a script can't do this here (fork_exec): {NOTHING}")

    _posixsubprocess.fork_exec = fork_exec  # type: ignore[assignment]


def _run(code: str, call_tool: Any) -> str | None:
    """Run the script; its traceback, from the script on, when it raised."""
    names: dict[str, Any] = {
        "__name__": "__main__",
        "call_tool": call_tool,
        "ToolFailed": ToolFailed,
    }
    error: str | None = None
    try:
        exec(compile(code, "script.py", "exec"), names)  # noqa: S102  (what it's for)
    except SystemExit as asked:
        if asked.code not in {None, 0}:
            error = f"the script exited with {str(asked.code)[:ENOUGH]}"
    except BaseException as raised:  # noqa: BLE001  (whatever it is, it's told)
        error = _told(raised)
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    return error


def _told(raised: BaseException) -> str:
    """The traceback, without this file's own part in it."""
    told = traceback.TracebackException.from_exception(raised)
    told.stack = traceback.StackSummary.from_list(
        [frame for frame in told.stack if frame.filename != __file__]
    )
    return "".join(told.format())[-ENOUGH:]


def _libraries() -> list[str]:
    names = ("stdlib", "platstdlib")
    return [os.path.realpath(sysconfig.get_path(name)) for name in names]


def _hook(within: str, readable: tuple[str, ...]) -> Any:
    """Say no, in words, to what a script isn't for."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(FORBIDDEN) and not _is_pair(event, arguments):
            raise PermissionError(f"a script can't do this here ({event}): {NOTHING}")
        paths, writes = _touched(event, arguments)
        for path in paths:
            if not _inside(path, (within,) if writes else readable):
                raise PermissionError(f"a script has its own folder only, not {path!r}")

    return hook


def _is_pair(event: str, arguments: tuple[Any, ...]) -> bool:
    """A socket that reaches nobody by itself; asyncio's loop has a pair of them."""
    return event == "socket.__new__" and arguments[1] == AF_UNIX


def _touched(event: str, arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], bool]:
    """The paths that an event is about, and whether they're written."""
    if event == "open":
        path, _, flags = arguments
        writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
        return (path,), bool(flags & writing)
    paths = arguments[: PATHS.get(event, 0)]
    return paths, event not in {"os.listdir", "os.scandir"}


def _inside(path: Any, folders: tuple[str, ...]) -> bool:
    if isinstance(path, int):
        return True
    real = os.path.realpath("." if path is None else os.fsdecode(path))
    return any(os.path.commonpath((real, each)) == each for each in folders)


main()
