"""Every call gets exactly one truthful answer, on every road."""

from toolroute.runtime._answer import (
    Answer,
    AnswerKind,
    BadArguments,
    Failed,
    NotExecuted,
    OutcomeUnknown,
    Refused,
    Returned,
    Status,
)
from toolroute.runtime._awaited import Awaited
from toolroute.runtime._capture import AlreadyAnsweredError, Capture, Late, Step, Tool
from toolroute.runtime._context import Context
from toolroute.runtime._event import Cause, Event, LoggingObserver, Observer, What
from toolroute.runtime._evidence import LedgerEvidence
from toolroute.runtime._handles import Host, Module
from toolroute.runtime._ledger import (
    Entry,
    Ledger,
    LedgerError,
    LedgerErrorKind,
    MemoryLedger,
    Opened,
    State,
    Wanted,
)
from toolroute.runtime._limits import Limits
from toolroute.runtime._puppet import Puppet, PuppetError
from toolroute.runtime._read import AnyCall, RawCall
from toolroute.runtime._register import Pending
from toolroute.runtime._round import Round
from toolroute.runtime._runtime import Runtime
from toolroute.runtime._script import Script
from toolroute.runtime._sqlite import SqliteLedger
from toolroute.runtime._turn import Turn
from toolroute.runtime._window import IDLE, Exchange, Window

__all__ = [
    "IDLE",
    "AlreadyAnsweredError",
    "Answer",
    "AnswerKind",
    "AnyCall",
    "Awaited",
    "BadArguments",
    "Capture",
    "Cause",
    "Context",
    "Entry",
    "Event",
    "Exchange",
    "Failed",
    "Host",
    "Late",
    "Ledger",
    "LedgerError",
    "LedgerErrorKind",
    "LedgerEvidence",
    "Limits",
    "LoggingObserver",
    "MemoryLedger",
    "Module",
    "NotExecuted",
    "Observer",
    "Opened",
    "OutcomeUnknown",
    "Pending",
    "Puppet",
    "PuppetError",
    "RawCall",
    "Refused",
    "Returned",
    "Round",
    "Runtime",
    "Script",
    "SqliteLedger",
    "State",
    "Status",
    "Step",
    "Tool",
    "Turn",
    "Wanted",
    "What",
    "Window",
]
