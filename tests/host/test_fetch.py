"""What is fetched, from whom, how much and for how long: else words, and nothing."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import pytest

from toolroute_host.fetching import AllowedHost, HttpFetcher, Limits
from toolroute_host.references import Fetched, FetchError

Serve: TypeAlias = Callable[[str, asyncio.StreamWriter], Awaitable[None]]

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
HERE = "127.0.0.1"


@asynccontextmanager
async def serving(serve: Serve) -> AsyncIterator[int]:
    """A server on this machine; `serve` gets a request's head. Gives the port."""

    async def handle(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            await serve(head.decode(), writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(handle, HERE, 0) as server:
        yield server.sockets[0].getsockname()[1]


def saying(answer: bytes, seen: list[str] | None = None) -> Serve:
    async def serve(head: str, writer: asyncio.StreamWriter) -> None:
        if seen is not None:
            seen.append(head)
        writer.write(answer)

    return serve


def at(address: str) -> Callable[[str, int], Coroutine[Any, Any, list[str]]]:
    async def resolver(host: str, port: int) -> list[str]:
        del host, port
        return [address]

    return resolver


def allowing(port: int, **more: Any) -> HttpFetcher:
    return HttpFetcher([AllowedHost(HERE, private=True, port=port)], **more)


async def refused(fetcher: HttpFetcher, url: str) -> str:
    with pytest.raises(FetchError) as error:
        await fetcher.fetch(url)
    return str(error.value)


def test_an_allowed_host_is_asked_under_its_own_name() -> None:
    async def run() -> None:
        seen: list[str] = []
        async with serving(saying(OK, seen)) as port:
            fetcher = HttpFetcher(
                [AllowedHost("files.example", private=True)], resolver=at(HERE)
            )
            got = await fetcher.fetch(f"http://files.example:{port}/a?b=c")
        assert got == Fetched(b"hello", "text/plain")
        assert seen[0].startswith("GET /a?b=c HTTP/1.1\r\n")
        assert f"\r\nHost: files.example:{port}\r\n" in seen[0]
        assert "\r\nAccept-Encoding: identity\r\n" in seen[0]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://files.example/a", "only http and https are fetched, not 'ftp'"),
        ("file:///etc/passwd", "only http and https are fetched, not 'file'"),
        ("//files.example/a", "only http and https are fetched, not ''"),
        ("http://evil.example/", "evil.example:80 isn't an allowed host"),
        ("https://files.example.evil/", "files.example.evil:443 isn't an allowed host"),
        (
            "http://files.example@evil.example/",
            "a URL with a user's name in it isn't fetched",
        ),
        ("http://sub.files.example/", "sub.files.example:80 isn't an allowed host"),
        ("http://example.net/", "example.net:80 isn't an allowed host"),
    ],
)
def test_only_http_and_only_allowed_hosts(url: str, words: str) -> None:
    fetcher = HttpFetcher([AllowedHost("files.example"), AllowedHost("*.example.net")])
    assert asyncio.run(refused(fetcher, url)) == words


@pytest.mark.parametrize("host", ["a.example.net", "A.B.example.NET", "a.example.net."])
def test_a_domains_pattern_allows_what_is_beneath_it(host: str) -> None:
    async def run() -> None:
        async with serving(saying(OK)) as port:
            fetcher = HttpFetcher(
                [AllowedHost("*.example.net", private=True)], resolver=at(HERE)
            )
            got = await fetcher.fetch(f"http://{host}:{port}/")
        assert got.data == b"hello"

    asyncio.run(run())


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.8", "192.168.1.1", "169.254.169.254", "0.0.0.0"),  # noqa: S104
        *("::1", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "224.0.0.1"),
    ],
)
def test_an_allowed_name_that_leads_into_a_private_network_is_refused(
    address: str,
) -> None:
    fetcher = HttpFetcher([AllowedHost("files.example")], resolver=at(address))
    assert asyncio.run(refused(fetcher, "http://files.example/")) == (
        f"files.example stands at {address}, in a private network"
    )


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    async def both(host: str, port: int) -> list[str]:
        del host, port
        return ["93.184.216.34", "127.0.0.1"]

    fetcher = HttpFetcher([AllowedHost("files.example")], resolver=both)
    assert asyncio.run(refused(fetcher, "http://files.example/")) == (
        "files.example stands at 127.0.0.1, in a private network"
    )


def test_a_redirect_to_loopback_is_refused_and_nothing_there_is_asked() -> None:
    async def run() -> None:
        seen: list[str] = []
        async with serving(saying(OK, seen)) as inner:
            location = f"HTTP/1.1 302 Found\r\nLocation: http://{HERE}:{inner}/\r\n\r\n"
            async with serving(saying(location.encode())) as port:
                words = await refused(allowing(port), f"http://{HERE}:{port}/")
        assert words == f"127.0.0.1:{inner} isn't an allowed host"
        assert seen == []

    asyncio.run(run())


def test_a_redirect_within_an_allowed_host_is_followed() -> None:
    async def serve(head: str, writer: asyncio.StreamWriter) -> None:
        first = head.startswith("GET /first ")
        writer.write(b"HTTP/1.1 301 .\r\nLocation: /then\r\n\r\n" if first else OK)

    async def run() -> None:
        async with serving(serve) as port:
            got = await allowing(port).fetch(f"http://{HERE}:{port}/first")
        assert got.data == b"hello"

    asyncio.run(run())


def test_a_redirect_without_end_is_given_up() -> None:
    async def run() -> str:
        loop = b"HTTP/1.1 302 .\r\nLocation: /again\r\n\r\n"
        async with serving(saying(loop)) as port:
            return await refused(allowing(port), f"http://{HERE}:{port}/")

    assert asyncio.run(run()) == "it was redirected more than 5 times"


def test_a_gigabyte_that_is_announced_is_not_begun() -> None:
    async def run() -> str:
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"
        async with serving(saying(head)) as port:
            return await refused(allowing(port), f"http://{HERE}:{port}/")

    assert asyncio.run(run()) == "it holds 1,000,000,000 bytes, more than 25,000,000"


def test_a_gigabyte_that_is_not_announced_is_cut_off() -> None:
    sent = 0

    async def endless(head: str, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        del head
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while sent < 1_000_000_000:
            writer.write(b"x" * 65_536)
            await writer.drain()
            sent += 65_536

    async def run() -> str:
        async with serving(endless) as port:
            fetcher = allowing(port, limits=Limits(size=100_000))
            return await refused(fetcher, f"http://{HERE}:{port}/")

    assert asyncio.run(run()) == "it holds more than 100,000 bytes"
    assert sent < 50_000_000


def test_a_slow_host_is_given_up_after_the_time_for_all_of_it() -> None:
    async def dripping(head: str, writer: asyncio.StreamWriter) -> None:
        del head
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b".")
            await writer.drain()
            await asyncio.sleep(0.01)

    async def run() -> str:
        async with serving(dripping) as port:
            fetcher = allowing(port, limits=Limits(seconds=0.2))
            async with asyncio.timeout(10):
                return await refused(fetcher, f"http://{HERE}:{port}/")

    assert asyncio.run(run()) == "it took longer than 0.2 seconds"


def test_a_status_that_is_no_success_is_told() -> None:
    async def run() -> str:
        missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        async with serving(saying(missing)) as port:
            return await refused(allowing(port), f"http://{HERE}:{port}/")

    assert asyncio.run(run()) == "the server answered with status 404"


@pytest.mark.parametrize(
    "nonsense", [b"", b"SMTP ready\r\n\r\n", b"HTTP/1.1 200 OK\r\nA: b"]
)
def test_a_server_that_talks_nonsense_is_words_and_no_traceback(
    nonsense: bytes,
) -> None:
    async def run() -> str:
        async with serving(saying(nonsense)) as port:
            return await refused(allowing(port), f"http://{HERE}:{port}/")

    assert asyncio.run(run()).startswith("it can't be reached: ")


@pytest.mark.parametrize("url", ["http://", "http://[", "http://a:99999/", "\0", "a b"])
def test_a_url_that_is_none_is_words(url: str) -> None:
    assert asyncio.run(refused(HttpFetcher([AllowedHost("a")]), url))
