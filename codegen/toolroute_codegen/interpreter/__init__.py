"""What a table decides, read off the table itself.

This is the design's `decide` over the parsed table: the oracle that generated modules
are tested against, and what `toolroute explain` walks through. It shares nothing with
the generator, and is as slow as it is plain.
"""

from toolroute_codegen.interpreter._types import Decision, Step, Taken, World
from toolroute_codegen.interpreter._walk import decide, surface, walk

__all__ = ["Decision", "Step", "Taken", "World", "decide", "surface", "walk"]
