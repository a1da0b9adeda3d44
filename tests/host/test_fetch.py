"""Who is asked for a URL: an allowed host in a public network, else nobody."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from toolroute_host.fetching import AllowedHost, HttpFetcher, _is_public
from toolroute_host.references import Fetched

from .serving import HERE, allowing, refused, saying, serving

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"


def at(address: str) -> Callable[[str, int], Coroutine[Any, Any, list[str]]]:
    async def resolver(host: str, port: int) -> list[str]:
        del host, port
        return [address]

    return resolver


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
        (
            "http://files.example:99999/",
            "its URL names no host, or no port from 1 to 65535",
        ),
        ("http://:80/", "its URL names no host, or no port from 1 to 65535"),
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
        *("::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "fec0::1", "ff02::1"),
        *("2002:7f00:1::", "2001:0:7f00:1::1", "100.64.0.1", "fe80::1%lo"),
    ],
)
def test_an_allowed_name_that_leads_into_a_private_network_is_refused(
    address: str,
) -> None:
    fetcher = HttpFetcher([AllowedHost("files.example")], resolver=at(address))
    assert asyncio.run(refused(fetcher, "http://files.example/")) == (
        f"files.example stands at {address}, in a private network"
    )


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"],
)
def test_what_stands_in_a_public_network_is_asked(address: str) -> None:
    assert _is_public(address)


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


def test_what_one_host_set_is_not_told_another_at_the_same_address() -> None:
    seen: list[str] = []

    async def run() -> None:
        async def serve(head: str, writer: asyncio.StreamWriter) -> None:
            seen.append(head)
            there = f"http://b.example:{port}/then"
            moved = f"HTTP/1.1 302 .\r\nSet-Cookie: a=b\r\nLocation: {there}\r\n\r\n"
            writer.write(moved.encode() if "Host: a.example" in head else OK)

        async with serving(serve) as port:
            names = ("a.example", "b.example")
            allowed = [AllowedHost(name, private=True) for name in names]
            fetcher = HttpFetcher(allowed, resolver=at(HERE))
            await fetcher.fetch(f"http://a.example:{port}/")

    asyncio.run(run())
    assert "Host: b.example" in seen[1]
    assert "cookie" not in seen[1].lower()


def test_where_one_address_takes_no_connection_the_next_is_asked() -> None:
    async def both(host: str, port: int) -> list[str]:
        del host, port
        return ["127.0.0.99", HERE]

    async def run() -> Fetched:
        async with serving(saying(OK)) as port:
            allowed = [AllowedHost("a.example", private=True)]
            fetcher = HttpFetcher(allowed, resolver=both)
            return await fetcher.fetch(f"http://a.example:{port}/")

    assert asyncio.run(run()).data == b"hello"


def test_a_foreign_name_is_asked_for_in_the_form_that_was_allowed() -> None:
    asked: list[str] = []

    async def resolver(host: str, port: int) -> list[str]:
        del port
        asked.append(host)
        return [HERE]

    async def run() -> None:
        async with serving(saying(OK)) as port:
            allowed = [
                AllowedHost("stra\xdfe.example", private=True),
                AllowedHost("*.m\xfcll.example", private=True),
            ]
            fetcher = HttpFetcher(allowed, resolver=resolver)
            await fetcher.fetch(f"http://stra\xdfe.example:{port}/")
            await fetcher.fetch(f"http://a.xn--mll-hoa.example:{port}/")

    asyncio.run(run())
    assert asked == ["xn--strae-oqa.example", "a.xn--mll-hoa.example"]


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("a.example", AllowedHost("a.example")),
        ("*.a.example:8443", AllowedHost("*.a.example", port=8443)),
        ("[::1]", AllowedHost("::1")),
        ("[::1]:80", AllowedHost("::1", port=80)),
    ],
)
def test_a_host_is_read_as_a_configuration_writes_it(
    written: str, host: AllowedHost
) -> None:
    assert AllowedHost.of(written) == host


@pytest.mark.parametrize(
    "url",
    [
        *("http://", "http://[", "http://a:99999/", "http://a:0/", "\0", "a b"),
        *("http://a:-1/", "http://a/\ud800", f"http://{'b' * 64}.b/"),
    ],
)
def test_a_url_that_is_none_is_words(url: str) -> None:
    assert asyncio.run(
        refused(HttpFetcher([AllowedHost("a"), AllowedHost("*.b")]), url)
    )
