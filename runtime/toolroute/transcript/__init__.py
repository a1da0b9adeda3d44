"""Check and settle transcripts, in the wire's own JSON and with nothing but Python.

    from toolroute.transcript import check, settle

    for violation in check(messages):
        print(violation.message, violation.kind, violation.says)
    request.messages = settle(messages).messages

`check` lists what the provider would refuse; `settle` returns messages that it accepts.
Both are pure: the input is never changed, what is legal comes back as it is, and
settling twice changes nothing more.
"""

from toolroute.transcript._api import check, settle
from toolroute.transcript._detect import detect
from toolroute.transcript._evidence import Answers, Evidence, Known, OpenCall
from toolroute.transcript._growing import Growing
from toolroute.transcript._types import (
    Change,
    Did,
    FormatUnknown,
    Kind,
    NotATranscript,
    Settled,
    TranscriptError,
    Violation,
)

__all__ = [
    "Answers",
    "Change",
    "Did",
    "Evidence",
    "FormatUnknown",
    "Growing",
    "Kind",
    "Known",
    "NotATranscript",
    "OpenCall",
    "Settled",
    "TranscriptError",
    "Violation",
    "check",
    "detect",
    "settle",
]
