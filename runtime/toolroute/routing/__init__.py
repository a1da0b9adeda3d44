"""What a generated module is built on: hosts don't call this themselves."""

from toolroute.routing._bound import Answering, Bound
from toolroute.routing._matched import ClientPlane, Matched, ServerPlane
from toolroute.routing._once import once

__all__ = ["Answering", "Bound", "ClientPlane", "Matched", "ServerPlane", "once"]
