from typing import TypeVar, final

from toolroute._calls import ProtocolError

CallerT = TypeVar("CallerT", bound=str)
ValueT = TypeVar("ValueT")


@final
class ByCaller(dict[CallerT, ValueT]):
    """Something for each of a table's callers; nobody else makes calls."""

    def __missing__(self, caller: CallerT) -> ValueT:
        raise ProtocolError(
            f"the table has no caller {caller!r}, only {', '.join(map(repr, self))}"
        )
