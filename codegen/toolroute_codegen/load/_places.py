"""Where the nodes of a file stand.

Places are wanted when there is something to say, which is rarely. So the first pass
over a file keeps none; the first question is answered by a second, which keeps all.
"""

from functools import cached_property
from typing import Any, Final, TypeAlias, final

import yaml

from toolroute_codegen.diagnostics import Place
from toolroute_codegen.load._parser import parser_of

Path: TypeAlias = tuple[str | int, ...]


@final
class Places:
    """The places in one file, which is known to be YAML."""

    def __init__(self, source: str) -> None:
        self._source: Final = source
        self._children: Final[dict[int, dict[object, tuple[Any, Any]]]] = {}

    def of_value(self, path: Path) -> Place:
        """Where the value at `path` stands, or the last on the way that is there."""
        return self._span(self._found(path)[1])

    def of_key(self, path: Path) -> Place:
        """Where the key stands that leads to `path`; in a list, the element itself."""
        key, value = self._found(path)
        return self._span(key or value)

    def written(self, path: Path) -> str:
        """The scalar at `path`, as the file has it."""
        return str(self._found(path)[1].value)

    def line(self, number: int) -> str:
        """The line with this number, from 1."""
        return self._lines[number - 1] if number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self._source.split("\n")

    @cached_property
    def _root(self) -> Any:
        parser = parser_of(self._source)
        try:
            return parser.get_single_node()
        finally:
            parser.dispose()

    def _found(self, path: Path) -> tuple[Any, Any]:
        key, value = None, self._root
        for step in path:
            pair = self._child(value, step)
            if pair is None:
                break
            key, value = pair
        return key, value

    def _child(self, node: Any, step: str | int) -> tuple[Any, Any] | None:
        """The key, if there is one, and the value that `step` leads to."""
        if isinstance(node, yaml.ScalarNode):
            return None
        if id(node) not in self._children:
            self._children[id(node)] = _children(node)
        return self._children[id(node)].get(step)

    def _span(self, node: Any) -> Place:
        node = _first_line_of(node)
        start, end = node.start_mark, node.end_mark
        line = self.line(start.line + 1)
        stop = end.column if end.line == start.line else len(line.rstrip())
        return Place(start.line + 1, start.column + 1, max(stop - start.column, 1))


def _children(node: Any) -> dict[object, tuple[Any, Any]]:
    if isinstance(node, yaml.SequenceNode):
        return {step: (None, value) for step, value in enumerate(node.value)}
    pairs: dict[object, tuple[Any, Any]] = {}
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode):
            pairs.setdefault(key.value, (key, value))
    return pairs


def _first_line_of(node: Any) -> Any:
    """What to point at for `node`: of a block, the first thing in it."""
    while node.id != "scalar" and node.value and not node.flow_style:
        first = node.value[0]
        node = first[0] if node.id == "mapping" else first
    return node
