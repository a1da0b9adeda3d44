"""Telling JSON values apart, for the reader and for the type checkers."""

from typing import Any, Final, TypeGuard

LIST: Final[Any] = list
DICT: Final[Any] = dict
"""For `type(value) is LIST`, the quickest test there is: a checker that narrowed by it
would take the value for a list of unknowns."""


def is_record(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether this is a JSON object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether this is a JSON array."""
    return isinstance(value, list)
