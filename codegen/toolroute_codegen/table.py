"""The table as it is written: its shape checked, its meaning not yet.

Field names and nesting are those of `routes.yaml`, so that a finding's path through
this model is its path through the file. The field descriptions are the JSON Schema's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, final

from pydantic import BaseModel, ConfigDict, Field

from toolroute_codegen.diagnostics import Place

Path: TypeAlias = tuple[str | int, ...]
"""The way from the top of the file to a node: `("routes", 3, "requires", 0)`."""

RoadName: TypeAlias = Literal["turn", "script", "host", "puppet", "module"]
RetryName: TypeAlias = Literal[
    "no", "yes", "with-changes", "after-delay", "check-first"
]
Form: TypeAlias = Literal["trim", "control_tokens", "functions_prefix", "case"]


class _Node(BaseModel):
    """A mapping of the file: unknown keys are findings, values aren't coerced."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


@final
class Caller(_Node):
    """Who can make a call."""

    road: RoadName = Field(description="The road that this caller's calls come by.")
    doc: str = Field(default="", description="Who this is, in a sentence.")


@final
class Capability(_Node):
    """What can be present or absent, on this host, for this agent, now."""

    doc: str = Field(default="", description="What is there when it is present.")
    type: str | None = Field(
        default=None,
        description=(
            "`package.module:Class` of what a handler gets when it is present; "
            "without it, the capability is only true or false."
        ),
    )


@final
class Lookup(_Node):
    """Names that only the running host knows."""

    doc: str = Field(default="", description="What the host looks up.")
    type: str = Field(description="`package.module:Class` of the target that it finds.")
    refuses: tuple[str, ...] = Field(
        default=(), description="The refusals that it may answer with."
    )


@final
class Guard(_Node):
    """A check that the host writes and the table places: every road makes it."""

    doc: str = Field(default="", description="What it checks.")
    sees: Literal["agent", "input"] = Field(
        description=(
            "`agent`: the name and the caller, so it filters the surface too; "
            "`input`: the whole call."
        )
    )
    refuses: tuple[str, ...] = Field(
        description="The refusals that it may answer with."
    )


@final
class Unwrap(_Node):
    """A call that carries another."""

    doc: str = Field(default="", description="Which call is inside, and when.")


@final
class RefusalText(_Node):
    """The words a caller is refused with."""

    code: str = Field(description="The code that programs read: capitals and `_`.")
    retry: RetryName = Field(description="What the caller may do next.")
    text: str = Field(
        description="What the model reads; `{name}` and its like are put in."
    )


@final
class RefuseEntry(_Node):
    """A refusal that holds when all of its parts do."""

    callers: tuple[str, ...] | None = Field(
        default=None, description="Any of these callers."
    )
    names: tuple[str, ...] | None = Field(
        default=None, description="Any of these names."
    )
    when: tuple[str, ...] | None = Field(
        default=None, description="All of these capabilities are present."
    )
    unless: tuple[str, ...] | None = Field(
        default=None, description="At least one of these capabilities is absent."
    )
    with_: str = Field(alias="with", description="The refusal to answer with.")


@final
class Within(_Node):
    """What a lookup is asked about: exactly one of the three."""

    prefix: str | None = Field(
        default=None, description="Names with something after this."
    )
    glob: str | None = Field(default=None, description="A pattern with one `*`.")
    split: str | None = Field(
        default=None,
        description="Names with something on both sides of this separator.",
    )


@final
class Route(_Node):
    """One row of the table: exactly one of names, prefix, glob, split and lookup."""

    kind: str = Field(
        description="The arm of the dispatch, and the class a handler gets."
    )
    doc: str = Field(default="", description="What the tools of this kind do.")
    names: tuple[str, ...] | None = Field(
        default=None, description="These exact names."
    )
    prefix: str | None = Field(
        default=None, description="Names that begin with this and go on."
    )
    glob: str | None = Field(
        default=None, description="Names like this, where `*` is one character or more."
    )
    split: str | None = Field(
        default=None,
        description="Names with something on both sides of this separator.",
    )
    lookup: str | None = Field(
        default=None, description="Names that this lookup finds a target for."
    )
    within: Within | None = Field(
        default=None, description="The names that the lookup is asked about."
    )
    requires: tuple[str, ...] = Field(
        default=(), description="Capabilities without which this route doesn't exist."
    )
    when_missing: str | None = Field(
        default=None,
        description="The refusal when one is missing, in place of going on.",
    )
    refuse: tuple[RefuseEntry, ...] = Field(
        default=(), description="Refusals in order; the first that holds wins."
    )
    off_turn: str | None = Field(
        default=None,
        description="The refusal for a call that isn't made in a live turn.",
    )
    guard: str | None = Field(default=None, description="The guard that is asked last.")
    unwrap: str | None = Field(
        default=None, description="The unwrap that reads the call inside."
    )
    ends_turn: bool = Field(default=False, description="The answer ends the turn.")
    plane: Literal["server", "client"] = Field(
        default="server",
        description="`client`: the call is handed out, to be run elsewhere.",
    )
    advertise: Literal["never"] | tuple[str, ...] = Field(
        default=(),
        description="`never`, or further capabilities for the surface to show it.",
    )


@final
class Written(_Node):
    """The whole file."""

    version: Literal[1] = Field(description="The language's version: 1.")
    callers: dict[str, Caller] = Field(description="Who can make a call.")
    capabilities: dict[str, Capability] = Field(
        default={}, description="What is present or absent when a call is decided."
    )
    lookups: dict[str, Lookup] = Field(
        default={}, description="Names that only the running host knows."
    )
    guards: dict[str, Guard] = Field(
        default={}, description="Checks that the host writes and the table places."
    )
    unwraps: dict[str, Unwrap] = Field(
        default={}, description="Calls that carry another."
    )
    refusals: dict[str, RefusalText] = Field(
        description="Every word a caller can be refused with."
    )
    normalise: tuple[Form, ...] = Field(
        default=(), description="Forms of a name that are tried one after the other."
    )
    guard: str | None = Field(
        default=None, description="The guard that is asked before any route."
    )
    routes: tuple[Route, ...] = Field(description="First match wins.")
    otherwise: str = Field(description="The refusal when no route takes the call.")


@final
@dataclass(frozen=True, slots=True)
class Table:
    """A table whose shape is right, and where each of its nodes stands.

    `place(path)` is the place of the value there; `place_of_key(path)` that of its key.
    `filename` and `source` are for the reports.
    """

    filename: str
    source: str
    written: Written
    place: Callable[[Path], Place]
    place_of_key: Callable[[Path], Place]
