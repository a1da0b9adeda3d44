from toolroute_codegen._collector import collector_paused
from toolroute_codegen.diagnostics import Rejected
from toolroute_codegen.language import TOP
from toolroute_codegen.load import Document
from toolroute_codegen.parse._rest import rest
from toolroute_codegen.parse._shape import Shaping
from toolroute_codegen.table import Table


def parse(document: Document) -> Table:
    """The table that a document states; `Rejected` with all that is misshapen in it."""
    shaping = Shaping(document)
    with collector_paused():
        written = shaping.of(document.content, TOP)
        found = [*shaping.found, *rest(document)]
    if found:
        raise Rejected(document.filename, document.source, found)
    places = document.places
    return Table(
        document.filename, document.source, written, places.of_value, places.of_key
    )
