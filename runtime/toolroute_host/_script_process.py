"""A script's process: started with limits, its calls answered, ended whatever happens.

Nothing is left of it: the process, and all that it started in its session, is killed
and waited for, and its folder removed, however this ends.
"""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias, final

from toolroute_host import _script_strays

CHILD: Final = Path(__file__).parent / "_script_child.py"
LONGEST_LINE: Final = 4_000_000
"""Bytes of one call that a script makes."""

GLANCE: Final = 0.1
"""Seconds between two looks at how much a script has written to its folder."""

LAST_WORDS: Final = 1.0
"""Seconds for what was printed to arrive, once the script is over."""

Caller: TypeAlias = Callable[[str, dict[str, Any]], Awaitable[tuple[Any, bool]]]
"""Makes a tool call of the script's: its content, and whether that's an error."""


@final
@dataclass(frozen=True, slots=True)
class ScriptLimits:
    """What one script may use: seconds, bytes, files."""

    seconds: float = 60.0
    memory: int = 512 << 20
    output: int = 1_000_000
    disk: int = 50_000_000
    files: int = 1_000

    def kernels(self) -> dict[str, int]:
        """Those that the system itself sees to."""
        return {
            "RLIMIT_AS": self.memory,
            "RLIMIT_CORE": 0,
            "RLIMIT_CPU": int(self.seconds) + 1,
            "RLIMIT_FSIZE": self.disk,
            "RLIMIT_NOFILE": 64,
        }


@final
@dataclass(frozen=True, slots=True)
class Ended:
    """What a script printed, and what went wrong, if anything did."""

    output: str
    error: str | None


@final
@dataclass(frozen=True, slots=True)
class _Call:
    """The script calls a tool."""

    name: str
    input: dict[str, Any]


@final
@dataclass(frozen=True, slots=True)
class _Done:
    """The script is over, and what went wrong, if anything did."""

    error: str | None


class _StoppedError(Exception):
    """The script is stopped before its end, for what the message says."""


async def run(
    code: str, call: Caller, limits: ScriptLimits, output: bytearray
) -> Ended:
    """Run a script to its end, or to the first limit that it meets.

    What it prints is added to `output` as it comes.
    """
    with TemporaryDirectory(prefix="toolroute-script-") as folder:
        error: str | None
        try:
            async with asyncio.timeout(limits.seconds), _process(folder) as process:
                error = await _watched(process, code, call, limits, output)
        except TimeoutError:
            error = f"the script took longer than {limits.seconds:g} seconds"
        except _StoppedError as stopped:
            error = str(stopped)
        return Ended(output.decode("utf-8", "replace"), error)


@final
@dataclass(frozen=True, slots=True)
class _Process:
    process: asyncio.subprocess.Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    folder: Path


@asynccontextmanager
async def _process(folder: str) -> AsyncGenerator[_Process]:
    ours, theirs = socket.socketpair()
    with theirs:
        reader, writer = await asyncio.open_connection(sock=ours, limit=LONGEST_LINE)
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-I", "-S", "-B", "-X", "utf8", str(CHILD), str(theirs.fileno())),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                cwd=folder,
                env={},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        except BaseException:
            writer.close()
            raise
    try:
        yield _Process(process, reader, writer, Path(folder))
    finally:
        writer.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        _script_strays.kill(folder)
        # For a stray that couldn't be: `wait` waits until nobody has the output open.
        # Not the whole transport, whose `close` takes the child's end from the watcher.
        process._transport.get_pipe_transport(1).close()  # type: ignore[attr-defined]  # noqa: SLF001
        await process.wait()


async def _watched(
    process: _Process,
    code: str,
    call: Caller,
    limits: ScriptLimits,
    output: bytearray,
) -> str | None:
    """Talk with the script until it's over, or a watch says that it must be."""
    talk = asyncio.ensure_future(_talk(process, code, call, limits))
    listen = asyncio.ensure_future(_listen(process.process, output, limits.output))
    measure = asyncio.ensure_future(_measure(process.folder, limits))
    going: set[asyncio.Future[Any]] = {talk, listen, measure}
    try:
        while not talk.done():
            done, going = await asyncio.wait(going, return_when="FIRST_COMPLETED")
            for task in done - {talk}:
                task.result()
        await asyncio.wait([listen], timeout=LAST_WORDS)
        if listen.done():
            listen.result()
        return talk.result()
    finally:
        for task in (talk, listen, measure):
            task.cancel()
        await asyncio.gather(talk, listen, measure, return_exceptions=True)


async def _talk(
    process: _Process, code: str, call: Caller, limits: ScriptLimits
) -> str | None:
    """Hand over the script and answer its calls; how it ended, when it says so."""
    await _send(process.writer, {"code": code, "limits": limits.kernels()})
    while line := await _line(process.reader):
        match _read(line):
            case _Done(error):
                return error
            case _Call(name, given):
                content, is_error = await call(name, given)
                answer = {"content": content, "is_error": is_error}
                await _send(process.writer, answer)
    return await _death(process)


async def _listen(
    process: asyncio.subprocess.Process, output: bytearray, most: int
) -> None:
    """Gather what the script prints, up to so much."""
    if process.stdout is None:
        raise AssertionError("the script's output is a pipe")
    while piece := await process.stdout.read(65_536):
        output += piece[: most - len(output)]
        if len(output) >= most:
            raise _StoppedError(f"the script printed more than {most:,} bytes")


async def _measure(folder: Path, limits: ScriptLimits) -> None:
    """Look again and again at what the script wrote, until it's too much."""
    while True:
        await asyncio.sleep(GLANCE)
        size = 0
        for files, found in enumerate(_stats(folder), start=1):
            size += min(found.st_size, found.st_blocks * 512)  # sparse files are small
            if size > limits.disk:
                raise _StoppedError(
                    f"the script wrote more than {limits.disk:,} bytes of files"
                )
            if files > limits.files:
                raise _StoppedError(f"the script made more than {limits.files:,} files")


def _stats(folder: Path) -> Iterator[os.stat_result]:
    for root, folders, files in os.walk(folder, onerror=None):
        for name in (*folders, *files):
            with contextlib.suppress(OSError):
                yield Path(root, name).lstat()


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except ValueError as error:
        raise _StoppedError(
            f"the script made a call of more than {LONGEST_LINE:,} bytes"
        ) from error
    except ConnectionError:
        return b""


async def _send(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    with contextlib.suppress(ConnectionError):
        writer.write(json.dumps(message).encode() + b"\n")
        await writer.drain()


def _read(line: bytes) -> _Call | _Done:
    try:
        message: Any = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    match message:
        case {"done": None | str() as error}:
            return _Done(error)
        case {"call": str(name), "input": dict()}:
            return _Call(name, message["input"])
        case _:
            raise _StoppedError("the script broke the line that its calls go over")


async def _death(process: _Process) -> str:
    """Why a script that didn't say how it ended is over."""
    status = await process.process.wait()
    if status in {-signal.SIGXCPU, -signal.SIGKILL}:
        return "the system stopped the script: it used too much time or memory"
    if status < 0:
        return f"the script died of {signal.Signals(-status).name}"
    return f"the script ended with status {status} before its end"
