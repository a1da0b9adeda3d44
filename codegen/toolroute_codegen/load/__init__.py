"""Text to YAML nodes with places: the strict YAML that a table is written in."""

from toolroute_codegen.load._comments import comments
from toolroute_codegen.load._document import Content, Document, Unquoted
from toolroute_codegen.load._load import load
from toolroute_codegen.load._places import Places
from toolroute_codegen.load._scalars import said, tag_of

__all__ = [
    "Content",
    "Document",
    "Places",
    "Unquoted",
    "comments",
    "load",
    "said",
    "tag_of",
]
