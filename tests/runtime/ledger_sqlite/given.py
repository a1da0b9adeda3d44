"""What the fixtures give, by short names."""

from collections.abc import Callable
from typing import Any

from toolroute.runtime._answer import Answer
from toolroute.runtime._ledger import Opened
from toolroute.runtime._sqlite import SqliteLedger

Open = Callable[..., SqliteLedger]
Call = Callable[..., Opened]
Result = Callable[[Any], Answer]
