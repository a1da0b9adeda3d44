"""Random tables in long names and hostile texts, for the shape of what they become."""

import json
import re
import string
from typing import Any

from hypothesis import strategies as st
from tables import tables

LONGEST = 64

identifiers = st.one_of(
    st.text(string.ascii_lowercase + "_", min_size=1, max_size=8),
    st.text(string.ascii_lowercase + "_", min_size=20, max_size=LONGEST - 2),
).map(lambda text: f"q{text.strip('_')}q")
"""Words that clash with nothing, in every length."""

HOSTILE = [
    *(
        '"',
        "'",
        '"""',
        "'''",
        "\\",
        "\\n",
        "\n",
        "\r",
        "\t",
        "\0",
        "{{",
        "}}",
        "{{ x }}",
    ),
    *(
        "{% raw %}",
        "{#",
        "\u2028",
        "\u202e",
        "\u200b",
        "\ufeff",
        "\x1b[2J",
        "é",
    ),
    *(
        "日本語",
        "\U0001f600",
        "e\u0301",
        "\u0430dmin",
        "# type: ignore",
        "# fmt: off",
        "\\N{DASH}",
    ),
    *(
        "f'",
        '"; import os #',
        "  ",
        "\\x41",
        "%s",
        "{{0}}",
        "\xa0",
        "\x7f",
        "\x85",
        "''",
    ),
]

texts = st.lists(
    st.one_of(
        st.sampled_from(HOSTILE),
        st.text(max_size=6),
        st.text(string.ascii_letters + " ", max_size=40),
    ),
    max_size=8,
).map("".join)
"""Anything that can stand in a doc."""


def braced(text: str) -> str:
    """`text` as a refusal says it: with braces doubled."""
    return text.replace("{", "{{").replace("}", "}}")


@st.composite
def dressed(draw: st.DrawFn) -> dict[str, Any]:
    """A table with every word renamed, and docs and texts that try to get out."""
    written = draw(tables())
    words = sorted(
        {
            *written["callers"],
            *written["capabilities"],
            *written["lookups"],
            *written["guards"],
            *written["unwraps"],
            *written["refusals"],
            *(route["kind"] for route in written["routes"]),
        }
    )
    renamed = draw(
        st.lists(
            identifiers,
            min_size=len(words),
            max_size=len(words),
            unique_by=lambda word: word.replace("_", ""),
        )
    )
    written = _renamed(written, dict(zip(words, renamed, strict=True)))
    for section in ("callers", "capabilities", "lookups", "guards", "unwraps"):
        for entry in written[section].values():
            entry["doc"] = draw(texts)
    for entry in (*written["capabilities"].values(), *written["lookups"].values()):
        if "type" in entry:
            entry["type"] = f"{draw(modules)}:{draw(classes)}"
    for refusal in written["refusals"].values():
        refusal["text"] = braced(draw(texts)) + refusal["text"] + braced(draw(texts))
        refusal["code"] = draw(st.sampled_from(["NO", "A" * 60]))
    for route in written["routes"]:
        route["doc"] = draw(texts)
    return written


modules = st.lists(identifiers, min_size=1, max_size=3).map(".".join)
classes = st.one_of(
    identifiers.map(str.title),
    st.sampled_from(["Host", "Route", "str", "Caller", "List.Inner", "ToolCall", "q"]),
)


def _renamed(written: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """`written` with each of these words as another, wherever it stands whole."""
    text = json.dumps(written)
    pattern = re.compile("|".join(rf'"{re.escape(word)}"' for word in names))
    renamed = pattern.sub(lambda found: f'"{names[found[0][1:-1]]}"', text)
    return dict(json.loads(renamed))
