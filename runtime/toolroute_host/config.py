"""A host on disk: `host.toml` in a folder that also holds all that the host keeps.

    [agents.ada]
    primary = true
    channel = "lobby"

    [agents.fay]
    home = "fay-room"
    allowed_tools = ["think", "channel_publish"]

    [channels]
    lobby = {}                    # kept in the host's store
    log = {file = "log.jsonl"}    # appended to a file

    [workspace]
    pictures = "pictures"         # a mount, and the folder that it is

    [files]                       # the module `files`
    folder = "files"

    [toolsets.archive]
    tools = ["files--delete"]

    [fetch]
    hosts = ["pages.example", "*.docs.example", "files.example:8443"]
    private_hosts = ["wiki.lan"]  # that may stand in this machine's own networks

    [scripts]
    seconds = 30

Paths are beneath the folder. `servers.json` beside it, where there is one, names the
tool servers.
"""

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)
from pydantic_core import PydanticCustomError

from toolroute._text import one_line

__all__ = ["FILE", "ConfigError", "HostConfig", "load", "parse"]

FILE: Final = "host.toml"
LARGEST: Final = 1_000_000
HOST: Final = re.compile(r"(\*\.)?([^\s/:@*?#\[\]]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


def _beneath(path: str) -> str:
    parts = path.split("/")
    if not path.isprintable() or any(part in {"", ".", ".."} for part in parts):
        raise PydanticCustomError(
            "beneath", "must be a path beneath the host's folder, like `a/b`"
        )
    return path


def _asked(host: str) -> str:
    if not HOST.fullmatch(host):
        raise PydanticCustomError(
            "asked", "must be a host, like `a.example`, `*.a.example` or `a.example:80`"
        )
    return host


Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]
Beneath = Annotated[str, AfterValidator(_beneath)]
Asked = Annotated[str, AfterValidator(_asked)]

Count = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(gt=0)]


class ConfigError(Exception):
    """The file can't be used; the message says where and why."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class AgentPart(_Part):
    """An agent, as `agents.Agent` has it."""

    primary: bool = False
    home: Name | None = None
    channel: Name | None = None
    allowed_tools: list[str] | None = None
    explicit_prose: bool = False


class ChannelPart(_Part):
    """A channel: in the store, or in a file."""

    title: str = ""
    file: Beneath | None = None


class FilesPart(_Part):
    """The module `files`."""

    folder: Beneath = "files"


class ToolsetPart(_Part):
    """A toolset."""

    tools: list[str]
    doc: str = ""


class FetchPart(_Part):
    """Whom `fetch_reference` may ask, and how much it takes."""

    hosts: list[Asked] = []
    private_hosts: list[Asked] = []
    size: Count = 25_000_000
    seconds: Seconds = 30.0


class ScriptsPart(_Part):
    """What a script may use."""

    seconds: Seconds = 60.0
    memory: Count = 512 << 20
    output: Count = 1_000_000
    disk: Count = 50_000_000
    files: Count = 1_000
    at_once: Count = 4


class HostConfig(_Part):
    """All that a host's file can say. What is left out is as an empty file has it."""

    agents: dict[Name, AgentPart] = {"agent": AgentPart(primary=True, channel="local")}
    channels: dict[Name, ChannelPart] = {"local": ChannelPart()}
    workspace: dict[Name, Beneath] = {"workspace": "workspace"}
    files: FilesPart | None = FilesPart()
    toolsets: dict[Name, ToolsetPart] = {}
    fetch: FetchPart = FetchPart()
    scripts: ScriptsPart | None = ScriptsPart()


def load(folder: Path) -> HostConfig:
    """What a host's folder says; a folder without the file is a host of one agent."""
    path = folder / FILE
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        return HostConfig()
    except OSError as error:
        reason = (error.strerror or "the system refused it").lower()
        raise ConfigError(f"{path}: can't be read: {reason}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: isn't text in UTF-8") from error
    if len(data) > LARGEST:
        raise ConfigError(f"{path}: holds over {LARGEST:,} bytes")
    try:
        return parse(text)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def parse(text: str) -> HostConfig:
    """What the text of a host's file says."""
    try:
        return HostConfig.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"isn't TOML: {error}") from error
    except ValidationError as error:
        raise ConfigError(_words(error.errors()[0])) from error


def _words(error: Any) -> str:
    place = one_line(".".join(str(each) for each in error["loc"] if each != "[key]"))
    if error["type"] == "extra_forbidden":
        return f"there is no `{place}` here"
    return f"`{place}`: {error['msg'][:1].lower()}{error['msg'][1:]}"
