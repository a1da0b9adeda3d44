"""Fetching over HTTP, to allowed hosts alone, within limits of size and time.

Every address is checked where it's used: a name is looked up here, the addresses that
it gives are judged, and the connection is made to one of those. A redirect is a new
request and passes the same checks; whoever answers can't lead the host to itself.
"""

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Self, TypeAlias, final

import httpx2 as httpx

from toolroute._text import one_line
from toolroute_host.references import Fetched, FetchError

__all__ = ["AllowedHost", "HttpFetcher", "Limits", "resolve"]

SCHEMES: Final = {"http": 80, "https": 443}
MOST_REDIRECTS: Final = 5
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})

WHOLE: Final = frozenset({200, 203})
"""The statuses that all of it comes with: not a part (206), nor nothing (204)."""

PORTS: Final = range(1, 65_536)
LENGTH: Final = re.compile(r"[0-9]{1,20}")
NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
UNICAST: Final = ipaddress.ip_network("2000::/3")
"""All of IPv6 that is routed between networks, private ones within it apart."""

Resolver: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
"""The addresses of a host's name."""


@final
@dataclass(frozen=True, slots=True)
class AllowedHost:
    """A host that may be asked: its name, or `*.` and a domain's for all beneath it.

    `private` says that it may stand in this machine's own networks; `port`, that only
    that one may be asked.
    """

    name: str
    private: bool = False
    port: int | None = None

    @classmethod
    def of(cls, written: str, *, private: bool = False) -> Self:
        """A host as a configuration writes it: `a.example`, `a.example:80`, `[::1]`."""
        name, colon, port = written.rpartition(":")
        if not colon or "]" in port:
            name, port = written, ""
        return cls(name.strip("[]"), private, int(port) if port else None)

    def matches(self, host: str, port: int) -> bool:
        """Whether this is about that host and port."""
        if self.port not in {None, port}:
            return False
        above, star, name = self.name.rpartition("*.")
        if not star:
            return host == _ascii(name)
        return not above and host.endswith(f".{_ascii(name)}")


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read, in bytes, and for how long, in seconds."""

    size: int = 25_000_000
    seconds: float = 30.0


def _ascii(name: str) -> str:
    """A host's name as it's asked for: lower case, and a foreign one encoded."""
    if name.isascii():
        return name.lower()
    return httpx.URL(f"http://{name}").raw_host.decode("ascii")


async def resolve(host: str, port: int) -> list[str]:
    """Ask the system for a name's addresses."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


@final
class HttpFetcher:
    """Fetches what the allowed hosts have."""

    def __init__(
        self,
        allowed: Iterable[AllowedHost],
        limits: Limits | None = None,
        resolver: Resolver = resolve,
    ) -> None:
        self._allowed = tuple(allowed)
        self._limits = limits or Limits()
        self._resolve = resolver

    async def fetch(self, url: str) -> Fetched:
        """The bytes at a URL, or a `FetchError`."""
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._follow(url)
        except TimeoutError as error:
            raise FetchError(
                f"it took longer than {self._limits.seconds:g} seconds"
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as error:
            words = one_line(str(error)) or "the connection broke"
            raise FetchError(f"it can't be reached: {words}") from error

    async def _follow(self, url: str) -> Fetched:
        async with httpx.AsyncClient(
            trust_env=False, follow_redirects=False, timeout=None
        ) as client:
            for _ in range(MOST_REDIRECTS + 1):
                response = await self._answer(client, httpx.URL(url))
                try:
                    if response.status_code not in REDIRECTS:
                        return await self._read(response)
                    url = _next(url, response)
                finally:
                    await response.aclose()
        raise FetchError(f"it was redirected more than {MOST_REDIRECTS} times")

    async def _answer(
        self, client: httpx.AsyncClient, url: httpx.URL
    ) -> httpx.Response:
        """The answer of the first judged address that can be connected to."""
        host, port = self._checked(url)
        *others, last = await self._addresses(host, port)
        for address in others:
            with suppress(httpx.ConnectError):
                return await _ask(client, url, host, address)
        return await _ask(client, url, host, last)

    def _checked(self, url: httpx.URL) -> tuple[str, int]:
        if url.scheme not in SCHEMES:
            raise FetchError(f"only http and https are fetched, not {url.scheme!r}")
        if url.userinfo:
            raise FetchError("a URL with a user's name in it isn't fetched")
        host = url.raw_host.decode("ascii").lower().rstrip(".")
        port = SCHEMES[url.scheme] if url.port is None else url.port
        if not host or port not in PORTS:
            raise FetchError("its URL names no host, or no port from 1 to 65535")
        if not any(each.matches(host, port) for each in self._allowed):
            raise FetchError(f"{one_line(host)}:{port} isn't an allowed host")
        return host, port

    async def _addresses(self, host: str, port: int) -> list[str]:
        here = (each for each in self._allowed if each.matches(host, port))
        private = any(each.private for each in here)
        addresses = await self._resolve(host, port)
        for address in addresses:
            if not private and not _is_public(address):
                raise FetchError(f"{host} stands at {address}, in a private network")
        if not addresses:
            raise FetchError(f"{host} has no address")
        return addresses

    async def _read(self, response: httpx.Response) -> Fetched:
        if response.status_code not in WHOLE:
            raise FetchError(f"the server answered with status {response.status_code}")
        packed = response.headers.get("Content-Encoding", "").strip().lower()
        if packed not in {"", "identity"}:
            raise FetchError(f"the server packed it as {one_line(packed)}, unasked")
        size = self._limits.size
        claimed = response.headers.get("Content-Length", "")
        if LENGTH.fullmatch(claimed) and int(claimed) > size:
            raise FetchError(f"it holds {int(claimed):,} bytes, more than {size:,}")
        data = bytearray()
        async for piece in response.aiter_raw():
            data += piece
            if len(data) > size:
                raise FetchError(f"it holds more than {size:,} bytes")
        return Fetched(bytes(data), response.headers.get("Content-Type", ""))


async def _ask(
    client: httpx.AsyncClient, url: httpx.URL, host: str, address: str
) -> httpx.Response:
    """Ask at an address that was judged, under the name that it was judged for."""
    client.cookies.clear()  # kept by address: one host's would go to another there
    request = client.build_request(
        "GET",
        url.copy_with(host=address),
        headers={
            "Host": url.netloc.decode("ascii"),
            "Accept-Encoding": "identity",
            "User-Agent": "toolroute-host",
        },
        extensions={"sni_hostname": host},
    )
    return await client.send(request, stream=True)


def _is_public(address: str) -> bool:
    """Whether it's everybody's, also where an IPv6 address leads to an IPv4 one."""
    at = ipaddress.ip_address(address)
    if isinstance(at, ipaddress.IPv6Address):
        mapped = (
            ipaddress.IPv4Address(at.packed[-4:]) if at in NAT64 else at.ipv4_mapped
        )
        if mapped is None:
            tunnel = at.sixtofour or at.teredo
            return at in UNICAST and at.is_global and tunnel is None
        at = mapped
    return at.is_global and not at.is_multicast


def _next(url: str, response: httpx.Response) -> str:
    location = response.headers.get("Location")
    if not location:
        raise FetchError("it was redirected to nowhere")
    return str(httpx.URL(url).join(location))
