"""What every format is read into: turns, and the calls and results that stand in them.

A format's adapter fills these in; pairing and planning decide the fields below the line
in each; the layout writes them out again.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, final

Role: TypeAlias = Literal[
    "model", "user", "result", "thought", "server", "copy", "aside"
]
"""`result` turns hold results and nothing else. `thought` may stand between the calls
of one batch, what the `server` ran behind them as well; a `copy` of an earlier item
counts as not there. `aside` is nobody's turn, such as a system message."""

Fate: TypeAlias = Literal["stray", "kept", "moved", "dropped", "orphan", "held"]
"""What becomes of a result: `stray` until it is decided; `held` answers a call that the
server holds."""


@final
@dataclass(slots=True, eq=False)
class Call:
    """A tool call that the client must answer, as it stands in the transcript."""

    message: int
    block: int | None
    index: int
    id: str | None
    name: str
    input: Any
    raw: Any
    family: str = ""
    cut: bool = False
    """Its arguments are cut off or aren't JSON, so it can't have run."""
    partial: bool = False
    """It is cut off in a way that the format itself doesn't accept."""
    stopped: bool = False
    """Its own state says that it was cut off."""
    settled: bool = False
    """It holds its own result."""
    own: bool = False
    """It does, and settling wrote it."""
    empty_error: bool = False
    """It does, and that is an error without words."""
    denied: bool = False
    """The transcript says that it wasn't allowed, so it can't have run."""

    result: "Result | None" = None
    running: bool = False
    new_id: str | None = None
    new_name: str | None = None


@final
@dataclass(slots=True, eq=False)
class Result:
    """A tool result, as it stands in the transcript."""

    message: int
    block: int | None
    id: str | None
    name: str | None
    raw: Any
    family: str = ""
    given_id: str | None = None
    """The id that it carries, where that names its call in a way that isn't taken."""
    own: bool = False
    """Settling wrote it: a real answer takes its place."""
    empty_error: bool = False
    unfit: bool = False
    """Its content isn't in a form that the provider takes."""
    disordered: bool = False
    """It stands in the right message, but behind what must come after it."""
    whole: bool = False
    """Its message can't be taken apart, and stays where it is."""

    call: Call | None = None
    fate: Fate = "stray"
    doubles: bool = False
    """It is one result too many for its call."""


@final
@dataclass(slots=True, eq=False)
class Other:
    """Whatever else stands in a message: text, images, thinking, server calls."""

    message: int
    block: int | None
    raw: Any


Unit: TypeAlias = Call | Result | Other


@final
@dataclass(slots=True, eq=False)
class Turn:
    """A message, item or content."""

    message: int
    role: Role
    raw: Any
    units: list[Unit] = field(default_factory=list[Unit])
    calls: list[Call] = field(default_factory=list[Call])
    results: list[Result] = field(default_factory=list[Result])


@final
@dataclass(slots=True, eq=False)
class Batch:
    """The calls of one model turn, whose results belong right behind it.

    `zone` are the results that stand there. Batches with one `chain` follow each other
    with nothing in between.
    """

    calls: list[Call]
    last: int
    """The place of its last turn in the list of turns."""
    chain: int
    zone: list[Result] = field(default_factory=list[Result])


@final
@dataclass(slots=True)
class Out:
    """A message of the outcome; `source` is the place of the turn it comes from."""

    message: Any
    role: Role
    source: int | None = None
    calls: list[Call] = field(default_factory=list[Call])
