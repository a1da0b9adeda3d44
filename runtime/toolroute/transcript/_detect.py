"""Which format a list of messages is in."""

from collections.abc import Sequence
from typing import Any


def detect(messages: Sequence[Any], target: str | None = None) -> str:
    raise NotImplementedError
