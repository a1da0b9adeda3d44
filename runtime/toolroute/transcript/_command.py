"""`toolroute transcript check` and `settle`, with nothing but the standard library."""

import argparse
import gc
import os
import shlex
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TextIO

from toolroute.transcript._api import check, settle
from toolroute.transcript._command_answers import read_answers
from toolroute.transcript._command_document import Document, read_document
from toolroute.transcript._command_files import (
    STANDARD,
    Source,
    Unusable,
    check_in_place,
    check_output,
    read,
    replace,
    shown,
    write,
)
from toolroute.transcript._command_json import Misread
from toolroute.transcript._command_options import parser
from toolroute.transcript._command_report import (
    check_json,
    check_text,
    escaped,
    settle_json,
    settle_text,
)
from toolroute.transcript._detect import detect
from toolroute.transcript._registry import format_names
from toolroute.transcript._types import FormatUnknown, Settled, TranscriptError

FINE: Final = 0
FOUND: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    try:
        options = parser().parse_args(list(argv))
    except SystemExit as asked:
        return asked.code if isinstance(asked.code, int) else MISUSED
    try:
        with _nothing_collected():
            return (
                _check(options, argv)
                if options.command == "check"
                else _settle(options)
            )
    except Unusable as unusable:
        return _misused(str(unusable))
    except TranscriptError as error:
        return _misused(f"{shown(options.file)}: {error}")
    except KeyboardInterrupt:
        return INTERRUPTED
    except RecursionError:
        return _misused(f"{shown(options.file)} is nested too deep to be a transcript.")


@contextmanager
def _nothing_collected() -> Generator[None]:
    """JSON holds no cycles: looking for them takes half the time of a large file."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _misused(sentence: str) -> int:
    _put(sys.stderr, f"toolroute: {escaped(sentence)}\n")
    return MISUSED


def _check(options: argparse.Namespace, argv: Sequence[str]) -> int:
    source = read(options.file, options.max_size)
    document = _document(source)
    form = _format(options, document)
    violations = check(document.messages, form, **_context(options, document))
    if options.output_format == "json":
        _put(sys.stdout, check_json(options.file, form, violations))
    else:
        _put(sys.stdout, check_text(options.file, form, document, violations))
    found = f"{len(violations)} to settle" if violations else "nothing to settle"
    _say(options, form, document, found)
    if violations and options.output_format == "text":
        _put(sys.stderr, f"To settle: {_settling(options, argv)}\n")
    return FOUND if violations else FINE


def _settling(options: argparse.Namespace, argv: Sequence[str]) -> str:
    """The command that settles what was checked, with the same options."""
    arguments = list(argv)
    arguments.remove("check")
    place = [] if options.file == STANDARD else ["--in-place"]
    return escaped(
        shlex.join(["toolroute", "transcript", "settle", *place, *arguments])
    )


def _settle(options: argparse.Namespace) -> int:
    _check_places(options)
    source = read(options.file, options.max_size)
    document = _document(source)
    form = _format(options, document)
    answers = read_answers(options.answer, options.file, options.max_size)
    settled = settle(
        document.messages,
        form,
        evidence=answers,
        orphans=options.orphans,
        **_context(options, document),
    )
    text = document.with_messages(settled.messages) if settled.changed else None
    data = source.data if text is None else source.encode(text)
    written = None if options.dry_run else _write(options, source, data, settled)
    _report(options, form, document, settled, data, written)
    for given in answers.unused():
        _put(sys.stderr, f"toolroute: {given}\n")
    return FOUND if settled.remaining else FINE


def _check_places(options: argparse.Namespace) -> None:
    if options.in_place:
        check_in_place(options.file)
    elif options.out not in {None, STANDARD}:
        check_output(options.out, options.file)


def _write(
    options: argparse.Namespace, source: Source, data: bytes, settled: Settled
) -> str | None:
    """What was written where, in words; None where the transcript goes to stdout."""
    if options.in_place:
        if not settled.changed:
            return "not written, since nothing changed"
        backup = replace(source, data)
        return f"written in place; what it was is in {shown(str(backup))}"
    if options.out in {None, STANDARD}:
        return None
    write(options.out, data)
    return f"written to {shown(options.out)}"


def _report(  # noqa: PLR0913, PLR0917
    options: argparse.Namespace,
    form: str,
    document: Document,
    settled: Settled,
    data: bytes,
    written: str | None,
) -> None:
    piped = written is None and not options.dry_run
    if options.output_format == "json":
        report = settle_json(
            options.file, form, settled, messages=piped, written=written
        )
        _put(sys.stdout, report)
    elif piped:
        _put(sys.stderr, settle_text(options.file, document, settled))
        _put_bytes(sys.stdout, data)
    else:
        _put(sys.stdout, settle_text(options.file, document, settled))
    changes = len(settled.changes)
    done = "nothing to settle" if not changes else f"{changes} settled"
    if options.dry_run:
        done += "; nothing written (--dry-run)"
    _say(options, form, document, f"{done}; {written}" if written else done)


def _say(
    options: argparse.Namespace, form: str, document: Document, outcome: str
) -> None:
    count = len(document.messages)
    things = f"{count} message{'' if count == 1 else 's'}"
    named = "" if options.format else " (detected)"
    line = f"{shown(options.file)}: {form}{named}, {things}: {outcome}\n"
    _put(sys.stderr, line)


def _document(source: Source) -> Document:
    text = source.text()
    try:
        return read_document(text)
    except Misread as misread:
        line = text.count("\n", 0, misread.at) + 1
        column = misread.at - (text.rfind("\n", 0, misread.at) + 1) + 1
        raise Unusable(
            f"{shown(source.name)}:{line}:{column}: {misread.sentence}."
        ) from None


_FORMAT_OF: Final = {"contents": "gemini", "input": "openai_responses"}


def _format(options: argparse.Namespace, document: Document) -> str:
    """The named format, or what the messages or the field they stand in tell."""
    if options.format is not None:
        return str(options.format)
    try:
        return detect(document.messages)
    except FormatUnknown as unknown:
        if document.field in _FORMAT_OF:
            return _FORMAT_OF[document.field]
        raise Unusable(
            f"{shown(options.file)}: {unknown} "
            f"Use --format with one of {', '.join(format_names())}."
        ) from None


def _context(options: argparse.Namespace, document: Document) -> dict[str, Any]:
    return {
        "open_calls": frozenset(options.open_call),
        "previous_response_id": options.previous_response_id or document.held_by,
        "target": options.target,
    }


def _put(stream: TextIO | None, text: str) -> None:
    """Text, in the stream's own encoding; what it can't say is escaped."""
    encoding = (stream and stream.encoding) or "utf-8"
    _put_bytes(stream, text.encode(encoding, errors="backslashreplace"))


def _put_bytes(stream: TextIO | None, data: bytes) -> None:
    """A stream that is closed, or whose reader has gone, takes nothing."""
    if stream is None:
        return
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.flush()
    except OSError as error:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        if not isinstance(error, BrokenPipeError):
            why = (error.strerror or str(error)).lower()
            raise Unusable(f"{stream.name} can't be written: {why}.") from None
