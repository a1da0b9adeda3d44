"""What a generated module is built on: hosts don't call this themselves."""

from toolroute._text import one_line
from toolroute.routing._asked import (
    by_id,
    check_failed,
    declared,
    found,
    unwrapped,
)
from toolroute.routing._bound import Answering, Bound
from toolroute.routing._callers import in_turn_by, offered_by
from toolroute.routing._matched import ClientPlane, Matched, ServerPlane
from toolroute.routing._names import near
from toolroute.routing._once import inside, is_inside, once
from toolroute.routing._routes import Routes
from toolroute.routing._rows import Named, Shaped
from toolroute.routing._shapes import AnyName, Glob, Prefix, Shape, Shapes, Split
from toolroute.routing._speaks import __getattr__ as __getattr__
from toolroute.routing._speaks import speaks
from toolroute.routing._surface import surface_of

__all__ = [
    "Answering",
    "AnyName",
    "Bound",
    "ClientPlane",
    "Glob",
    "Matched",
    "Named",
    "Prefix",
    "Routes",
    "ServerPlane",
    "Shape",
    "Shaped",
    "Shapes",
    "Split",
    "by_id",
    "check_failed",
    "declared",
    "found",
    "in_turn_by",
    "inside",
    "is_inside",
    "near",
    "offered_by",
    "once",
    "one_line",
    "speaks",
    "surface_of",
    "unwrapped",
]
