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
    "TR201": "unknown_capability",
    "TR202": "unknown_refusal",
    "TR203": "unreachable_route",
    "TR204": "unknown_caller",
    "TR205": "unknown_guard",
    "TR206": "unknown_lookup",
    "TR207": "unknown_unwrap",
    "TR211": "unused_capability",
    "TR212": "unused_refusal",
    "TR215": "unused_guard",
    "TR216": "unused_lookup",
    "TR217": "unused_unwrap",
    "TR221": "unreachable_refusal",
    "TR222": "foreign_name",
    "TR223": "greedy_lookup",
    "TR224": "lookup_when_missing",
    "TR225": "idle_when_missing",
    "TR226": "missing_off_turn",
    "TR227": "mixed_kind",
    "TR228": "too_many_kinds",
    "TR229": "repeated_entry",
    "TR231": "unportable_name",
    "TR232": "unfit_pattern",
    "TR233": "unusable_identifier",
    "TR234": "clashing_name",
    "TR235": "unusable_type",
    "TR236": "unusable_code",
    "TR237": "unknown_placeholder",
    "TR238": "misplaced_placeholder",
    "TR239": "stray_brace",
    "TR240": "empty_text",
    "TR301": "idle_allowance",
}
"""Each rule's name by its code: of reading, shape, meaning, and what is allowed."""

ALLOWABLE: Final = frozenset(
    {
        *("TR203", "TR211", "TR212", "TR215", "TR216", "TR217", "TR221", "TR222"),
        *("TR223", "TR225", "TR228", "TR229", "TR231", "TR236", "TR240"),
    }
)
"""The rules that a table can break and still say what becomes of every call."""


def page_of(name: str) -> str:
    """The docstring of the rule's file, which isn't imported: it needs the compiler."""
    import ast  # noqa: PLC0415 - where a page is wanted, which is rare
    from importlib.resources import files  # noqa: PLC0415 - the same

    source = files("toolroute_codegen.rules").joinpath(f"{name}.py").read_text("utf-8")
    return ast.get_docstring(ast.parse(source)) or ""
