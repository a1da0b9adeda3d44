"""A file of MCP servers is read, or it is said what is wrong with it."""

import json
from pathlib import Path

import pytest

from toolroute_host.mcp_config import (
    Http,
    ServerConfig,
    ServersError,
    Stdio,
    load,
    parse,
)
from toolroute_host.mcpl import ToolPolicy


def test_a_file_of_servers_is_read(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    written = {
        "mcpServers": {
            "a": {"command": "x", "args": ["-y"], "env": {"K": "v"}, "deny": ["rm*"]},
            "b": {"url": "https://b.example/mcp", "prefix": "b--c", "seconds": 5},
        }
    }
    path.write_text(json.dumps(written))
    assert load(path) == [
        ServerConfig(
            "a", Stdio("x", ("-y",), {"K": "v"}), "a", ToolPolicy(deny=("rm*",))
        ),
        ServerConfig("b", Http("https://b.example/mcp"), "b--c", seconds=5.0),
    ]


@pytest.mark.parametrize(
    ("servers", "words"),
    [
        ("[]", 'must be {"mcpServers": {NAME: {...}, ...}}'),
        ("{}", 'must be {"mcpServers": {NAME: {...}, ...}}'),
        ("nonsense", "isn't JSON: Expecting value: line 1 column 1 (char 0)"),
        ({"a": 1}, "a must be an object"),
        ({"a": {}}, "a must have a `command` or a `url`, and not both"),
        (
            {"a": {"command": "x", "url": "y"}},
            "a must have a `command` or a `url`, and not both",
        ),
        (
            {"a": {"command": "x", "headers": {}}},
            (
                "a has no key 'headers'. It has allow, args, command, cwd, deny, env, "
                "prefix, seconds, type"
            ),
        ),
        ({"a": {"command": ""}}, "a: `command` must be a string that holds something"),
        ({"a": {"command": "x", "args": "-y"}}, "a: `args` must be a list of strings"),
        (
            {"a": {"command": "x", "env": {"K": 1}}},
            "a: `env` must be an object of strings",
        ),
        (
            {"a": {"command": "x", "seconds": 0}},
            "a: `seconds` must be a positive number",
        ),
        (
            {"a": {"command": "x", "prefix": "--"}},
            (
                "a: '--' can't be a prefix. Give it a `prefix` of letters, digits and "
                "_ . : - for its tools' names to begin with"
            ),
        ),
        (
            {"my server": {"command": "x"}},
            (
                "my server: 'my server' can't be a prefix. Give it a `prefix` of "
                "letters, digits and _ . : - for its tools' names to begin with"
            ),
        ),
        (
            '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}',
            "isn't JSON: the key 'a' is in one object twice",
        ),
        (
            {"a": {"command": "x", "type": "http"}},
            'a: `type` is "stdio" with a `command`, and "http" with a `url`',
        ),
        (
            {"a": {"command": "x", "args": ["\0"]}},
            "a: no text of a process can hold a NUL",
        ),
        (
            {"a": {"command": "x", "env": {"A=B": "secret"}}},
            "a: a name in `env` can't be empty or hold `=`",
        ),
        *(
            (
                {"a": {"url": url}},
                "a: `url` must be like https://tools.example/mcp",
            )
            for url in ("ftp://a.example?key=secret", "secret", "http://", "http://[")
        ),
        (
            {"a": {"url": "http://b.example", "headers": {"Key": "secret\n"}}},
            (
                "a: the header 'Key' can't be sent: names and values are printable "
                "ASCII on one line"
            ),
        ),
        (
            {"a": {"command": "x"}, "b": {"command": "y", "prefix": "a"}},
            "a and b have the same prefix, a",
        ),
    ],
)
def test_what_is_no_server_is_told(servers: object, words: str) -> None:
    text = servers if isinstance(servers, str) else json.dumps({"mcpServers": servers})
    with pytest.raises(ServersError) as refused:
        parse(text)
    assert str(refused.value) == words


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ServersError) as refused:
        load(tmp_path / "none.json")
    assert str(refused.value) == (
        f"{tmp_path / 'none.json'}: can't be read: no such file or directory"
    )
