"""Which calls get to which route: decided exactly, over every name there is."""

from toolroute_codegen.reach._index import Present
from toolroute_codegen.reach._machines import Undecided
from toolroute_codegen.reach._patterns import pattern_of, why_nothing_fits
from toolroute_codegen.reach._reach import Reach

__all__ = ["Present", "Reach", "Undecided", "pattern_of", "why_nothing_fits"]
