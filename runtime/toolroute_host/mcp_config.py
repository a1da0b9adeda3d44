"""Which tool servers to connect to: a JSON file, in the shape that others use too.

{"mcpServers": {
"dictionary": {"command": "python", "args": ["server.py"], "prefix": "words",
"deny": ["forget*"]},
"weather": {"url": "https://tools.example/mcp", "seconds": 20}}}
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias, assert_never, cast, final
from urllib.parse import urlsplit

from toolroute._text import one_line
from toolroute_host._arguments import is_positive
from toolroute_host._json_text import loads
from toolroute_host.mcpl import ToolPolicy

__all__ = ["Http", "ServerConfig", "ServersError", "Stdio", "load", "parse"]

LARGEST: Final = 1_000_000
SECONDS: Final = 60.0
SHORTEST: Final = 4
"""Characters of a value that can be a secret, and taken out of a sentence."""
PREFIX: Final = re.compile(r"[A-Za-z0-9_.:-]{1,100}")
HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
TYPES: Final = {"stdio": "command", "http": "url", "streamable-http": "url"}
"""What other clients call the two ways, and the key that each goes with."""

SHARED: Final = frozenset({"allow", "deny", "prefix", "seconds", "type"})
STDIO: Final = frozenset({"args", "command", "cwd", "env"})
HTTP: Final = frozenset({"headers", "url"})


@final
class ServersError(Exception):
    """The file can't be used; the message says where and why."""


@final
@dataclass(frozen=True, slots=True)
class Stdio:
    """A server that is a process of this host, spoken to over its standard streams.

    It gets only what `env` says, and the little that any process needs.
    """

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str | None = None


@final
@dataclass(frozen=True, slots=True)
class Http:
    """A server that is reached over streamable HTTP."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


Transport: TypeAlias = Stdio | Http


@final
@dataclass(frozen=True, slots=True)
class ServerConfig:
    """One server: where it is, what its tools' names begin with, what may be called."""

    name: str
    transport: Transport
    prefix: str
    policy: ToolPolicy = field(default_factory=ToolPolicy)
    seconds: float = SECONDS

    def secrets(self) -> list[str]:
        """What no log may show: the values that only the server is meant to get."""
        match self.transport:
            case Stdio():
                given = [*self.transport.env.values()]
            case Http():
                given = [self.transport.url, *self.transport.headers.values()]
            case _:
                assert_never(self.transport)
        return sorted((each for each in given if len(each) >= SHORTEST), key=len)[::-1]


def load(path: Path) -> list[ServerConfig]:
    """The servers of a file."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or "the system refused it").lower()
        raise ServersError(f"{path}: can't be read: {reason}") from error
    except UnicodeDecodeError as error:
        raise ServersError(f"{path}: isn't text in UTF-8") from error
    if len(data) > LARGEST:
        raise ServersError(f"{path}: holds over {LARGEST:,} bytes")
    try:
        return parse(text)
    except ServersError as error:
        raise ServersError(f"{path}: {error}") from error


def parse(text: str) -> list[ServerConfig]:
    """The servers that a file's text says."""
    try:
        read = loads(text)
    except ValueError as error:
        raise ServersError(f"isn't JSON: {error}") from error
    whole = cast("dict[str, object]", read) if isinstance(read, dict) else {}
    listed = whole.get("mcpServers")
    if set(whole) != {"mcpServers"} or not isinstance(listed, dict):
        raise ServersError('must be {"mcpServers": {NAME: {...}, ...}}')
    servers = cast("dict[str, object]", listed)
    configs = [_server(name, each) for name, each in servers.items()]
    for place, config in enumerate(configs):
        for other in configs[:place]:
            if other.prefix == config.prefix:
                raise ServersError(
                    f"{other.name} and {config.name} have the same prefix, "
                    f"{config.prefix}"
                )
    return configs


def _server(name: str, written: object) -> ServerConfig:
    shown = one_line(name)
    if not isinstance(written, dict):
        raise ServersError(f"{shown} must be an object")
    keys = cast("dict[str, Any]", written)
    if ("command" in keys) == ("url" in keys):
        raise ServersError(f"{shown} must have a `command` or a `url`, and not both")
    known = SHARED | (STDIO if "command" in keys else HTTP)
    for key in keys:
        if key not in known:
            raise ServersError(
                f"{shown} has no key {one_line(key)!r}. It has "
                f"{', '.join(sorted(known))}"
            )
    seconds: object = keys.get("seconds", SECONDS)
    if not is_positive(seconds):
        raise ServersError(f"{shown}: `seconds` must be a positive number")
    kind: object = keys.get("type")
    if kind is not None and (not isinstance(kind, str) or TYPES.get(kind) not in keys):
        raise ServersError(
            f'{shown}: `type` is "stdio" with a `command`, and "http" with a `url`'
        )
    prefix = _text(keys, "prefix", shown, name)
    if not PREFIX.fullmatch(prefix) or not all(prefix.split("--")):
        raise ServersError(
            f"{shown}: {one_line(prefix)!r} can't be a prefix. Give it a `prefix` of "
            "letters, digits and _ . : - for its tools' names to begin with"
        )
    policy = ToolPolicy(
        _texts(keys, "allow", shown, ("*",)), _texts(keys, "deny", shown)
    )
    return ServerConfig(name, _transport(keys, shown), prefix, policy, float(seconds))


def _transport(keys: dict[str, Any], shown: str) -> Transport:
    if "url" in keys:
        return _http(keys, shown)
    cwd = _text(keys, "cwd", shown) if "cwd" in keys else None
    command = _text(keys, "command", shown)
    args, env = _texts(keys, "args", shown), _table(keys, "env", shown)
    if "\0" in "".join((command, cwd or "", *args, *env, *env.values())):
        raise ServersError(f"{shown}: no text of a process can hold a NUL")
    if any("=" in name or not name for name in env):
        raise ServersError(f"{shown}: a name in `env` can't be empty or hold `=`")
    return Stdio(command, args, env, cwd)


def _http(keys: dict[str, Any], shown: str) -> Http:
    """The messages show neither the URL nor a header: both may hold a secret."""
    url, headers = _text(keys, "url", shown), _table(keys, "headers", shown)
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname)
        good = good and parts.port != 0 and url.isprintable() and " " not in url
    except ValueError:
        good = False
    if not good:
        raise ServersError(f"{shown}: `url` must be like https://tools.example/mcp")
    for name, value in headers.items():
        plain = value.isascii() and (value.isprintable() or not value)
        if not HEADER.fullmatch(name) or not plain:
            raise ServersError(
                f"{shown}: the header {one_line(name)!r} can't be sent: names and "
                "values are printable ASCII on one line"
            )
    return Http(url, headers)


def _text(keys: dict[str, Any], key: str, shown: str, default: str = "") -> str:
    value = keys.get(key, default)
    if not isinstance(value, str) or not value:
        raise ServersError(f"{shown}: `{key}` must be a string that holds something")
    return value


def _texts(
    keys: dict[str, Any], key: str, shown: str, default: tuple[str, ...] = ()
) -> tuple[str, ...]:
    value: object = keys.get(key, list(default))
    if not isinstance(value, list) or not all(
        isinstance(each, str) for each in cast("list[object]", value)
    ):
        raise ServersError(f"{shown}: `{key}` must be a list of strings")
    return tuple(cast("list[str]", value))


def _table(keys: dict[str, Any], key: str, shown: str) -> Mapping[str, str]:
    value: object = keys.get(key, {})
    if not isinstance(value, dict) or not all(
        isinstance(each, str) for each in cast("dict[str, object]", value).values()
    ):
        raise ServersError(f"{shown}: `{key}` must be an object of strings")
    return cast("dict[str, str]", value)
