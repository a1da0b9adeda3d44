"""What is too much, too slow or not all of it is words, and is given up."""

import asyncio

import pytest

from toolroute_host.fetching import Limits

from .serving import HERE, allowing, refused, saying, serving


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


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"404 Not Found", "the server answered with status 404"),
        (b"206 Partial Content", "the server answered with status 206"),
        (
            b"200 OK\r\nContent-Encoding: gzip",
            "the server packed it as gzip, unasked",
        ),
    ],
)
def test_what_is_not_all_of_it_as_it_is_is_not_taken(head: bytes, words: str) -> None:
    async def run() -> str:
        answer = b"HTTP/1.1 " + head + b"\r\nContent-Length: 2\r\n\r\nok"
        async with serving(saying(answer)) as port:
            return await refused(allowing(port), f"http://{HERE}:{port}/")

    assert asyncio.run(run()) == words


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
