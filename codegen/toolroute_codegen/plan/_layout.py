"""Python source laid out as `ruff format` would, for any names and texts.

A construct stands on one line where it fits, and otherwise in one of the shapes that
the formatter leaves alone. Widths are counted generously, so that a line which is only
possibly too long is broken: the broken shape is stable either way.
"""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

WIDTH: Final = 88
INDENT: Final = "    "


@final
@dataclass(frozen=True, slots=True)
class Group:
    """Items between brackets: a call, a display, a list of parameters.

    `together`: where the line is too long, but the items fit on one of their own, they
    stand on it, as the formatter has it for calls and parameters, not for displays.
    """

    head: str
    items: tuple["Item", ...]
    tail: str
    together: bool = False


@final
@dataclass(frozen=True, slots=True)
class Filled:
    """An expression in an f-string."""

    expression: str


Item: TypeAlias = str | Group


def call(function: str, *arguments: Item) -> Group:
    """`function(arguments)`."""
    return Group(f"{function}(", arguments, ")", together=True)


def keyword(name: str, value: Group) -> Group:
    """`name=value`, as an argument."""
    return Group(f"{name}={value.head}", value.items, value.tail, value.together)


def signature(
    name: str, parameters: Sequence[str], gives: str, after: str = ":"
) -> Group:
    """`def name(parameters) -> gives:`."""
    tail = f") -> {gives}{after}"
    return Group(f"def {name}(", tuple(parameters), tail, together=len(parameters) > 1)


def literals(values: Iterable[str]) -> Group:
    """A tuple of strings."""
    items = tuple(map(literal, values))
    return Group("(", items, ",)" if len(items) == 1 else ")")


def one_of(values: Iterable[str]) -> Group:
    """A frozen set of strings; there is at least one."""
    return call("frozenset", Group("{", tuple(map(literal, values)), "}"))


def laid_out(item: Item, indent: str = "", before: str = "", after: str = "") -> str:
    """`item` after `before` and with `after` behind it, at `indent`; no line end."""
    flat = _flat(item)
    whole = f"{indent}{before}{flat}{after}"
    if isinstance(item, str) or _width(whole) <= WIDTH:
        return whole
    inner = indent + INDENT
    opening = f"{indent}{before}{item.head}"
    if before and len(opening) > WIDTH and len(f"{inner}{item.head}") <= WIDTH:
        return f"{indent}{before}(\n{laid_out(item, inner)}\n{indent}){after}"
    closing = f"{indent}{item.tail.lstrip(',')}{after}"
    if item.together and whole.isascii():
        body = f"{inner}{flat[len(item.head) : -len(item.tail)]}"
        if len(body) <= WIDTH:
            return f"{opening}\n{body}\n{closing}"
    lines = [laid_out(each, inner, after=",") for each in item.items]
    return "\n".join([opening, *lines, closing])


def after_equals(before: str, value: str, indent: str = "") -> str:
    """`value` after `before`, in brackets on a line of its own where that helps."""
    if _width(f"{indent}{before}{value}") <= WIDTH:
        return f"{indent}{before}{value}"
    if _width(f"{indent}{INDENT}{value}") > WIDTH:
        return f"{indent}{before}{value}"
    return f"{indent}{before}(\n{indent}{INDENT}{value}\n{indent})"


def operands(
    before: str, parts: Sequence[str], operator: str, after: str = "", indent: str = ""
) -> str:
    """`parts` with `operator` between them, after `before`; broken before operators."""
    joined = f" {operator} ".join(parts)
    if _width(f"{indent}{before}{joined}{after}") <= WIDTH:
        return f"{indent}{before}{joined}{after}"
    inner = indent + INDENT
    if _width(f"{inner}{joined}") > WIDTH:
        lines = (f"{operator} {part}" if at else part for at, part in enumerate(parts))
        joined = f"\n{inner}".join(_broken(line, inner) for line in lines)
    return f"{indent}{before}(\n{inner}{joined}\n{indent}){after}"


def _broken(condition: str, indent: str) -> str:
    """A condition, broken before its operator where it's too long for one line."""
    if len(indent) + len(condition) <= WIDTH:
        return condition
    for operator in (" is ", " == "):
        subject, found, value = condition.partition(operator)
        if found:
            return f"{subject}\n{indent}{operator.strip()} {value}"
    return condition


def escaped(text: str, quote: str) -> str:
    """`text` as it stands between quotes: on one line, and all of it seen."""
    if text.isprintable() and "\\" not in text and (not quote or quote not in text):
        return text
    return "".join(_escape(each, quote) for each in text)


def _escape(character: str, quote: str) -> str:
    if character in ("\\", quote):
        return f"\\{character}"
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def literal(text: str) -> str:
    """A string as the formatter quotes it; what doesn't print is escaped."""
    quote = _quote(text)
    return quote + escaped(text, quote) + quote


def f_string(parts: Sequence[str | Filled]) -> str:
    """An f-string of texts and expressions, as the formatter quotes it."""
    quote = _quote("".join(part for part in parts if isinstance(part, str)))
    body = (
        escaped(part, quote).replace("{", "{{").replace("}", "}}")
        if isinstance(part, str)
        else f"{{{part.expression}}}"
        for part in parts
    )
    return f"f{quote}{''.join(body)}{quote}"


def docstring(text: str, indent: str) -> str:
    """A docstring that says `text`: wrapped, on one line if it fits."""
    words = " ".join(text.split())
    safe = escaped(words, "").replace('"""', r"\x22" * 3)
    if safe.startswith('"'):
        safe = r"\x22" + safe[1:]
    if safe.endswith('"'):
        safe = safe[:-1] + r"\x22"
    if _width(f'{indent}"""{safe}"""') <= WIDTH:
        return f'{indent}"""{safe}"""'
    lines = textwrap.wrap(
        f'"""{safe}',
        WIDTH - len(indent),
        break_long_words=False,
        break_on_hyphens=False,
    )
    if len(lines) == 1:
        return f'{indent}{lines[0]}"""'
    return textwrap.indent("\n".join([*lines, '"""']), indent)


def _flat(item: Item) -> str:
    if isinstance(item, str):
        return item
    return item.head + ", ".join(map(_flat, item.items)) + item.tail


def _width(line: str) -> int:
    return len(line) if line.isascii() else sum(2 - each.isascii() for each in line)


def _quote(text: str) -> str:
    return "'" if text.count('"') > text.count("'") else '"'


def import_line(module: str, names: Iterable[str], indent: str = "") -> str:
    """`from module import names`, sorted as the linter would."""
    items = sorted(names, key=import_order)
    flat = f"{indent}from {module} import {', '.join(items)}"
    if len(flat) <= WIDTH:
        return flat
    inner = "".join(f"{indent}{INDENT}{item},\n" for item in items)
    return f"{indent}from {module} import (\n{inner}{indent})"


def import_order(name: str) -> tuple[int, str]:
    constant = name.isupper() and len(name) > 1
    return (0 if constant else 1 if name[0].isupper() else 2, name)
