"""One file a rule: its page, its code, and what it finds.

`toolroute rule CODE` prints the page, which is the file's docstring.
"""

from toolroute_codegen.rules._pages import ALLOWABLE, NAMES, page_of

__all__ = ["ALLOWABLE", "NAMES", "page_of"]
