"""Nodes to `Table`: the shape is checked, what it means isn't yet."""

from toolroute_codegen.parse._parse import parse

__all__ = ["parse"]
