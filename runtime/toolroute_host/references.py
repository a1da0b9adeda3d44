"""References: what others pointed at, under a name that stands for it.

A name is given once and never again, so one that is no longer kept is unknown and never
somebody else's.
"""

import re
from dataclasses import dataclass
from typing import Final, Protocol, final

from toolroute import ToolError
from toolroute._text import one_line
from toolroute_host._kept import Kept

__all__ = ["FetchError", "Fetched", "Fetcher", "Reference", "References"]

KEPT: Final = 2_000
LONGEST_URL: Final = 4_096
NAME: Final = re.compile(r"ref_([0-9]{1,15})")


@final
@dataclass(frozen=True, slots=True)
class Reference:
    """What a name stands for: where it is, and what who pointed at it called it."""

    id: str
    url: str
    title: str


class FetchError(Exception):
    """It wasn't fetched; the message says why, for people."""


@final
@dataclass(frozen=True, slots=True)
class Fetched:
    """What came: its bytes, and what the server says that they are."""

    data: bytes
    content_type: str


class Fetcher(Protocol):
    """What gets the bytes that are at a URL."""

    async def fetch(self, url: str) -> Fetched:
        """The bytes, or a `FetchError`."""
        ...


@final
class References(Kept):
    """The references that are kept; beyond so many, the oldest goes."""

    def register(self, url: str, title: str = "") -> Reference:
        """Give a name to what is at `url`; `ValueError` where it's too long."""
        if len(url) > LONGEST_URL:
            raise ValueError(
                f"a reference's URL holds at most {LONGEST_URL} characters"
            )
        with self._store.change() as db:
            number = db.execute(
                "INSERT INTO refs (url, title) VALUES (?, ?)", (url, title)
            ).lastrowid
            db.execute("DELETE FROM refs WHERE id <= ? - ?", (number, KEPT))
        return Reference(f"ref_{number}", url, title)

    def get(self, name: str) -> Reference:
        """What a name stands for; a `ToolError` says when it stands for nothing."""
        number = NAME.fullmatch(name)
        rows = number and self._store.read(
            "SELECT url, title FROM refs WHERE id = ?", int(number[1])
        )
        if not rows:
            raise ToolError(
                f"unknown reference: {one_line(name)} — it may have been evicted; "
                "ids are never reused"
            )
        return Reference(name, *rows[0])
