"""Which tool servers to connect to: a JSON file, in the shape that others use too.

{"mcpServers": {
"dictionary": {"command": "python", "args": ["server.py"], "prefix": "words",
"deny": ["forget*"]},
"weather": {"url": "https://tools.example/mcp", "seconds": 20}}}
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias, cast, final

from toolroute._text import one_line
from toolroute_host._arguments import is_positive
from toolroute_host.mcpl import ToolPolicy

__all__ = ["Http", "ServerConfig", "ServersError", "Stdio", "load", "parse"]

LARGEST: Final = 1_000_000
SECONDS: Final = 60.0
SHARED: Final = frozenset({"allow", "deny", "prefix", "seconds"})
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
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str | None = None


@final
@dataclass(frozen=True, slots=True)
class Http:
    """A server that is reached over streamable HTTP."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


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
        read: object = json.loads(text)
    except (ValueError, RecursionError) as error:
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
    prefix = _text(keys, "prefix", shown, name)
    if not all(prefix.split("--")):
        raise ServersError(f"{shown}: {one_line(prefix)!r} can't be a prefix")
    policy = ToolPolicy(
        _texts(keys, "allow", shown, ("*",)), _texts(keys, "deny", shown)
    )
    return ServerConfig(name, _transport(keys, shown), prefix, policy, float(seconds))


def _transport(keys: dict[str, Any], shown: str) -> Transport:
    if "url" in keys:
        return Http(_text(keys, "url", shown), _table(keys, "headers", shown))
    cwd = _text(keys, "cwd", shown) if "cwd" in keys else None
    command = _text(keys, "command", shown)
    return Stdio(command, _texts(keys, "args", shown), _table(keys, "env", shown), cwd)


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
