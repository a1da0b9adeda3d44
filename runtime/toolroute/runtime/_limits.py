from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from toolroute._calls import ProtocolError


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """How much at once, how long, and what runs in a thread.

    `at_once` calls of one round run at the same time. `seconds` is what an async
    handler, or a sync one in a thread, has before its call is answered without it;
    `by_kind` says otherwise for a route's kind. None is no limit. A sync handler that
    isn't in a thread runs on the event loop, where nothing can interrupt it.
    `in_thread` are the kinds whose sync handlers run in a thread.
    """

    at_once: int = 100
    seconds: float | None = 300.0
    by_kind: Mapping[str, float | None] = field(default_factory=dict[str, float | None])
    in_thread: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.at_once < 1:
            raise ProtocolError(
                f"A round can't run {self.at_once} calls at once; give at least 1."
            )
        for seconds in (self.seconds, *self.by_kind.values()):
            if seconds is not None and not seconds > 0:
                raise ProtocolError(
                    f"A time limit of {seconds} seconds lets nothing run; give more "
                    "than 0, or None for no limit."
                )

    def of(self, kind: str) -> float | None:
        """The seconds that a call of this kind has."""
        return self.by_kind.get(kind, self.seconds)
