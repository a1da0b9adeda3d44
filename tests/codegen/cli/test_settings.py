"""[tool.toolroute] in pyproject.toml is read, or told with a place."""

import pytest

from toolroute_codegen.config import Misconfigured, Settings, read_settings


def test_a_file_without_the_section_has_no_settings() -> None:
    assert read_settings("[project]\nname = 'x'\n[tool.ruff]\n", "p") is None


def test_both_keys_are_read_as_they_are_written() -> None:
    text = '[tool.toolroute]\nsource = "a/routes.yaml"\noutput = "a/b.py"\n'
    assert read_settings(text, "p") == Settings("a/routes.yaml", "a/b.py")


def test_either_key_may_be_left_out() -> None:
    assert read_settings("[tool.toolroute]\n", "p") == Settings(None, None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "[tool.toolroute]\nsorce = 'r.yaml'\n",
            (
                "p.toml:2: [tool.toolroute] has no key `sorce`. Did you mean `source`? "
                "Its keys are `source` and `output`."
            ),
        ),
        (
            "[tool.toolroute]\n'a\\b' = 1\n",
            (
                "p.toml:2: [tool.toolroute] has no key `a\\\\b`. "
                "Its keys are `source` and `output`."
            ),
        ),
        (
            "[tool]\ntoolroute = 3\n",
            (
                "p.toml:2: `tool.toolroute` is a number, and a table is wanted. "
                'Write [tool.toolroute], and under it: source = "routes.yaml"'
            ),
        ),
        (
            "tool = []\n",
            "p.toml:1: `tool` is a list, and a table is wanted: [tool.toolroute]",
        ),
        (
            "x = 1\n\n[tool.toolroute]\noutput = ''\n",
            (
                "p.toml:4: `output` is '', and a path is wanted, as text: "
                'output = "app/dispatch.py"'
            ),
        ),
        (
            '[tool.toolroute]\nsource = "a\\u0000\\u202eb"\n',
            (
                "p.toml:2: `source` is 'a\\x00\\u202eb', and a path is wanted, "
                'as text: source = "routes.yaml"'
            ),
        ),
        (
            "x = \n",
            (
                "p.toml:1:5: from here on this isn't TOML, so [tool.toolroute] "
                "can't be read. Mend this line, or the one before it."
            ),
        ),
        (
            "ok = 1\nx = [1,\n",
            (
                "p.toml:2: from here on this isn't TOML, so [tool.toolroute] can't be "
                "read. Mend this line, or the one before it."
            ),
        ),
        (
            "x = " + "9" * 5000,
            (
                "p.toml: from here on this isn't TOML, so [tool.toolroute] can't be "
                "read. Mend this line, or the one before it."
            ),
        ),
        (
            "x = " + "[" * 100_000,
            "p.toml: this is nested too deeply to be read. Flatten it.",
        ),
    ],
    ids=lambda value: value[:30],
)
def test_what_cannot_be_used_is_told_with_its_place(text: str, told: str) -> None:
    with pytest.raises(Misconfigured) as stopped:
        read_settings(text, "p.toml")
    assert str(stopped.value) == told


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ("true", "true or false"),
        ("1.5", "a number"),
        ("['x']", "a list"),
        ("{x = 1}", "a table"),
        ("2020-01-01", "a date or a time"),
    ],
)
def test_a_path_that_is_not_text_is_told_for_what_it_is(value: str, seen: str) -> None:
    with pytest.raises(Misconfigured) as stopped:
        read_settings(f"[tool.toolroute]\nsource = {value}\n", "p")
    assert str(stopped.value) == (
        f"p:2: `source` is {seen}, and a path is wanted, as text: "
        'source = "routes.yaml"'
    )
