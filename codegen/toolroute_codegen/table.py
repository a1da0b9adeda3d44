"""The table as it is written: its shape checked, its meaning not yet.

Keys and nesting are those of `routes.yaml`, so that a finding's path through these
classes is its path through the file; a field with a `_` behind it is the key without.
What stands beside each type is what the key says: the JSON Schema and the findings tell
it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Annotated, Any, Literal, TypeAlias, cast, final

from toolroute_codegen.diagnostics import Place

Path: TypeAlias = tuple[str | int, ...]
"""The way from the top of the file to a node: `("routes", 3, "requires", 0)`."""

RoadName: TypeAlias = Literal["turn", "script", "host", "puppet", "module"]
RetryName: TypeAlias = Literal[
    "no", "yes", "with-changes", "after-delay", "check-first"
]
Form: TypeAlias = Literal["trim", "control_tokens", "functions_prefix", "case"]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who can make a call."""

    road: Annotated[RoadName, "The road that this caller's calls come by."]
    doc: Annotated[str, "Who this is, in a sentence."] = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """What can be present or absent, on this host, for this agent, now."""

    doc: Annotated[str, "What is there when it is present."] = ""
    type: Annotated[
        str | None,
        (
            "`package.module:Class` of what a handler gets when it is present; without "
            "it, the capability is only true or false."
        ),
    ] = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """Names that only the running host knows."""

    doc: Annotated[str, "What the host looks up."] = ""
    type: Annotated[str, "`package.module:Class` of the target that it finds."]
    refuses: Annotated[tuple[str, ...], "The refusals that it may answer with."] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """A check that the host writes and the table places: every road makes it."""

    doc: Annotated[str, "What it checks."] = ""
    sees: Annotated[
        Literal["agent", "input"],
        (
            "`agent`: the name and the caller, so it filters the surface too; `input`: "
            "the whole call."
        ),
    ]
    refuses: Annotated[tuple[str, ...], "The refusals that it may answer with."]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Unwrap:
    """A call that carries another."""

    doc: Annotated[str, "Which call is inside, and when."] = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalText:
    """The words a caller is refused with."""

    code: Annotated[str, "The code that programs read: capitals and `_`."]
    retry: Annotated[RetryName, "What the caller may do next."]
    text: Annotated[str, "What the model reads; `{name}` and its like are put in."]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseEntry:
    """A refusal that holds when all of its parts do."""

    callers: Annotated[tuple[str, ...] | None, "Any of these callers."] = None
    names: Annotated[tuple[str, ...] | None, "Any of these names."] = None
    when: Annotated[
        tuple[str, ...] | None,
        "All of these capabilities are present.",
    ] = None
    unless: Annotated[
        tuple[str, ...] | None,
        "At least one of these capabilities is absent.",
    ] = None
    with_: Annotated[str, "The refusal to answer with."]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """What a lookup is asked about: exactly one of the three."""

    prefix: Annotated[str | None, "Names with something after this."] = None
    glob: Annotated[str | None, "A pattern with one `*`."] = None
    split: Annotated[
        str | None,
        "Names with something on both sides of this separator.",
    ] = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One row of the table: exactly one of names, prefix, glob, split and lookup."""

    kind: Annotated[str, "The arm of the dispatch, and the class a handler gets."]
    doc: Annotated[str, "What the tools of this kind do."] = ""
    names: Annotated[tuple[str, ...] | None, "These exact names."] = None
    prefix: Annotated[str | None, "Names that begin with this and go on."] = None
    glob: Annotated[
        str | None,
        "Names like this, where `*` is one character or more.",
    ] = None
    split: Annotated[
        str | None,
        "Names with something on both sides of this separator.",
    ] = None
    lookup: Annotated[str | None, "Names that this lookup finds a target for."] = None
    within: Annotated[Within | None, "The names that the lookup is asked about."] = None
    requires: Annotated[
        tuple[str, ...],
        "Capabilities without which this route doesn't exist.",
    ] = ()
    when_missing: Annotated[
        str | None,
        "The refusal when one is missing, in place of going on.",
    ] = None
    refuse: Annotated[
        tuple[RefuseEntry, ...],
        "Refusals in order; the first that holds wins.",
    ] = ()
    off_turn: Annotated[
        str | None,
        "The refusal for a call that isn't made in a live turn.",
    ] = None
    guard: Annotated[str | None, "The guard that is asked last."] = None
    unwrap: Annotated[str | None, "The unwrap that reads the call inside."] = None
    ends_turn: Annotated[bool, "The answer ends the turn."] = False
    plane: Annotated[
        Literal["server", "client"],
        "`client`: the call is handed out, to be run elsewhere.",
    ] = "server"
    advertise: Annotated[
        Literal["never"] | tuple[str, ...],
        "`never`, or further capabilities for the surface to show it.",
    ] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The whole file."""

    version: Annotated[Literal[1], "The language's version: 1."]
    callers: Annotated[dict[str, Caller], "Who can make a call."]
    capabilities: Annotated[
        dict[str, Capability],
        "What is present or absent when a call is decided.",
    ] = field(default_factory=dict[str, Capability])
    lookups: Annotated[
        dict[str, Lookup],
        "Names that only the running host knows.",
    ] = field(default_factory=dict[str, Lookup])
    guards: Annotated[
        dict[str, Guard],
        "Checks that the host writes and the table places.",
    ] = field(default_factory=dict[str, Guard])
    unwraps: Annotated[
        dict[str, Unwrap],
        "Calls that carry another.",
    ] = field(default_factory=dict[str, Unwrap])
    refusals: Annotated[
        dict[str, RefusalText],
        "Every word a caller can be refused with.",
    ]
    normalise: Annotated[
        tuple[Form, ...],
        "Forms of a name that are tried one after the other.",
    ] = ()
    guard: Annotated[str | None, "The guard that is asked before any route."] = None
    routes: Annotated[tuple[Route, ...], "First match wins."]
    otherwise: Annotated[str, "The refusal when no route takes the call."]


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


Node: TypeAlias = (
    Caller
    | Capability
    | Lookup
    | Guard
    | Unwrap
    | RefusalText
    | RefuseEntry
    | Within
    | Route
    | Written
)
"""A mapping of the file with keys of its own."""


def key_of(name: str) -> str:
    """The key in the file that a field stands for."""
    return name.removesuffix("_")


def as_written(node: Node) -> dict[str, Any]:
    """A mapping as the file could have it: what is left to its default isn't in it."""
    written = (
        (each.name, getattr(node, each.name), each.default) for each in fields(node)
    )
    return {
        key_of(name): _plain(value)
        for name, value, default in written
        if value != ({} if default is MISSING else default)
    }


def _plain(value: Any) -> Any:
    match value:
        case tuple():
            return [_plain(each) for each in cast("Sequence[Any]", value)]
        case dict():
            named = cast("Mapping[str, Any]", value)
            return {name: _plain(each) for name, each in named.items()}
        case _:
            return as_written(value) if isinstance(value, Node) else value
