from itertools import islice
from typing import Final

from toolroute_codegen.language import keys_of
from toolroute_codegen.load import Content
from toolroute_codegen.rules._words import nearest
from toolroute_codegen.table import Node

_MOST: Final = 100
"""Unknown keys of a mapping for which a near one is looked for."""


def meant_in(mapping: dict[str, Content], model: type[Node]) -> set[str | None]:
    """The keys that were probably meant by those that aren't `model`'s.

    They aren't missing: one slip is one finding.
    """
    keys = keys_of(model)
    unknown = islice((key for key in mapping if key not in keys), _MOST)
    return {nearest(key, keys) for key in unknown}
