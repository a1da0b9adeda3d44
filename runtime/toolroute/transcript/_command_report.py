"""What the command says: findings and changes, for people or as JSON."""

import json
from collections.abc import Sequence
from typing import Any, Final

from toolroute._text import one_line
from toolroute.transcript._command_document import Document
from toolroute.transcript._command_files import shown
from toolroute.transcript._types import Change, Settled, Violation

VERSION: Final = 1
"""Of the JSON reports: it changes when a field goes or means something else."""


def escaped(sentence: str) -> str:
    """A sentence on one line: line ends, controls and bidi marks as escapes."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii")
        for c in sentence
    )


def check_text(
    name: str, form: str, document: Document, violations: Sequence[Violation]
) -> str:
    """Each violation: where it stands, what the provider says, what settling does."""
    lines: list[str] = []
    for violation in violations:
        where = _where(name, document, violation.message)
        lines.append(f"{where}: {violation.kind}{_whose(violation)}")
        if violation.says:
            lines.append(f"    {form}: {escaped(violation.says)}")
        if violation.remedy:
            lines.append(f"    settling: {escaped(violation.remedy)}")
    return "".join(f"{line}\n" for line in lines)


def _where(name: str, document: Document, message: int | None) -> str:
    if message is None or message >= len(document.spans):
        return shown(name)
    field = document.field or "messages"
    return f"{shown(name)}:{document.line(message)}: {field}[{message}]"


def _whose(violation: Violation) -> str:
    call = "" if violation.call_id is None else f" `{one_line(violation.call_id)}`"
    return call + (f" ({one_line(violation.name)})" if violation.name else "")


def check_json(name: str, form: str, violations: Sequence[Violation]) -> str:
    """The same as a versioned object."""
    found = [_violation(violation) for violation in violations]
    report = {"version": VERSION, "file": name, "format": form, "violations": found}
    return json.dumps(report, indent=2) + "\n"


def _violation(violation: Violation) -> dict[str, Any]:
    return {
        "kind": violation.kind,
        "call_id": violation.call_id,
        "message": violation.message,
        "index": violation.index,
        "block": violation.block,
        "name": violation.name,
        "says": violation.says,
        "remedy": violation.remedy,
    }


def settle_text(name: str, document: Document, settled: Settled) -> str:
    """Each change; what must be sent later, whole; and what couldn't be mended."""
    lines = [
        f"{_where(name, document, change.message)}: {escaped(change.text)}"
        for change in settled.changes
    ]
    if settled.send_later:
        lines.append(
            f"{shown(name)}: to be sent after the assistant's next message, since it "
            "can't go with this request:"
        )
        lines += [f"    {json.dumps(message)}" for message in settled.send_later]
    for violation in settled.remaining:
        lines.append(
            f"{shown(name)}: left as it is: {violation.kind}{_whose(violation)}"
        )
        lines.append(f"    {escaped(violation.says)}")
    return "".join(f"{line}\n" for line in lines)


def settle_json(
    name: str, form: str, settled: Settled, *, messages: bool, written: str | None
) -> str:
    """The same as a versioned object; `messages` puts the settled ones in it."""
    report: dict[str, Any] = {
        "version": VERSION,
        "file": name,
        "format": form,
        "changed": settled.changed,
        "changes": [_change(change) for change in settled.changes],
        "send_later": list(settled.send_later),
        "remaining": [_violation(violation) for violation in settled.remaining],
        "written": written,
    }
    if messages:
        report["messages"] = list(settled.messages)
    return json.dumps(report, indent=2) + "\n"


def _change(change: Change) -> dict[str, Any]:
    return {
        "did": change.did,
        "call_id": change.call_id,
        "message": change.message,
        "text": change.text,
        "removed": change.removed,
    }
