"""`[tool.toolroute]` of pyproject.toml: which table, and where its module goes."""

import difflib
import re
import tomllib
from dataclasses import dataclass
from typing import Any, Final, cast, final

from toolroute._text import one_line

KEYS: Final = ("source", "output")


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """The section's values, as written: paths from the folder of pyproject.toml."""

    source: str | None = None
    output: str | None = None


@final
class Misconfigured(Exception):  # noqa: N818 - the file is at fault, and it says how
    """The file can't be used: a place, what is seen there and what to do next."""


def read_settings(text: str, filename: str) -> Settings | None:
    """The settings in pyproject.toml's `text`; None where it has no such section."""
    section = _section(text, filename)
    if section is None:
        return None
    for key, value in section.items():
        _check(key, value, f"{filename}{_line_of(key, text)}")
    return Settings(**section)


def _section(text: str, filename: str) -> dict[str, Any] | None:
    whole = _parsed(text, filename)
    tool = whole.get("tool", {})
    if not isinstance(tool, dict):
        where = f"{filename}{_line_of('tool', text)}"
        raise Misconfigured(
            f"{where}: `tool` is {_seen(tool)}, and a table is wanted: [tool.toolroute]"
        )
    section = cast("dict[str, Any]", tool).get("toolroute")
    if section is not None and not isinstance(section, dict):
        where = f"{filename}{_line_of('toolroute', text)}"
        raise Misconfigured(
            f"{where}: `tool.toolroute` is {_seen(section)}, and a table is wanted. "
            'Write [tool.toolroute], and under it: source = "routes.yaml"'
        )
    return cast("dict[str, Any] | None", section)


def _parsed(text: str, filename: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Misconfigured(
            f"{filename}: this is nested too deeply to be read. Flatten it."
        ) from None
    except ValueError as stopped:
        where = f"{filename}{_where_it_stopped(str(stopped), text)}"
        raise Misconfigured(
            f"{where}: from here on this isn't TOML, so [tool.toolroute] can't be "
            "read. Mend this line, or the one before it."
        ) from None


def _check(key: str, value: object, where: str) -> None:
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, n=1)
        meant = f" Did you mean `{near[0]}`?" if near else ""
        raise Misconfigured(
            f"{where}: [tool.toolroute] has no key `{one_line(key)}`.{meant} "
            "Its keys are `source` and `output`."
        )
    example = {"source": "routes.yaml", "output": "app/dispatch.py"}[key]
    wanted = f'a path is wanted, as text: {key} = "{example}"'
    if not isinstance(value, str):
        raise Misconfigured(f"{where}: `{key}` is {_seen(value)}, and {wanted}")
    if not value or not value.isprintable():
        raise Misconfigured(f"{where}: `{key}` is '{one_line(value)}', and {wanted}")


def _seen(value: object) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or a time"


def _line_of(key: str, text: str) -> str:
    """`:LINE` of what looks like `key` being set; nothing where nothing does.

    For a message only: TOML's reader keeps no places.
    """
    anywhere = key in {"tool", "toolroute"}
    inside = anywhere
    setting = re.compile(rf"\s*(?:tool\s*\.\s*)?[\"']?{re.escape(key)}[\"']?\s*=")
    for number, line in enumerate(text.splitlines(), 1):
        if inside and setting.match(line):
            return f":{number}"
        if re.match(r"\s*\[\s*tool\s*\.\s*toolroute\s*\]", line):
            inside = True
        elif re.match(r"\s*\[", line):
            inside = anywhere
    return ""


def _where_it_stopped(message: str, text: str) -> str:
    found = re.search(r"\(at line (\d+), column (\d+)\)$", message)
    if found:
        return f":{found[1]}:{found[2]}"
    if message.endswith("(at end of document)"):
        return f":{len(text.splitlines()) or 1}"
    return ""
