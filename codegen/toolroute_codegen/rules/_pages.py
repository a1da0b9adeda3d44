from importlib import import_module
from typing import Final

NAMES: Final[dict[str, str]] = {
    "TR001": "not_yaml",
    "TR002": "hidden_character",
    "TR003": "deep_nesting",
    "TR004": "multiplying_alias",
    "TR005": "second_document",
    "TR006": "empty_file",
    "TR007": "duplicate_key",
    "TR008": "merge_key",
    "TR009": "yaml_tag",
    "TR010": "unquoted_key",
    "TR101": "unknown_key",
    "TR102": "missing_key",
    "TR103": "wrong_shape",
    "TR104": "unknown_word",
    "TR105": "unquoted_text",
    "TR106": "not_one_matcher",
    "TR107": "stray_within",
    "TR108": "nothing_listed",
}
"""Each rule's name by its code: those of reading, of shape, of meaning."""


def page(code: str) -> str:
    """A rule's page; raises `KeyError` where there is no such code."""
    rule = import_module(f"toolroute_codegen.rules.{NAMES[code]}")
    return f"{code} {NAMES[code]}\n\n{rule.__doc__}"
