from pydantic import ValidationError

from toolroute_codegen._collector import collector_paused
from toolroute_codegen.diagnostics import Rejected
from toolroute_codegen.load import Document
from toolroute_codegen.parse._misshapen import misshapen
from toolroute_codegen.parse._unmodelled import unmodelled
from toolroute_codegen.table import Table, Written


def parse(document: Document) -> Table:
    """The table that a document states; `Rejected` with all that is misshapen in it."""
    found = [*document.found, *unmodelled(document)]
    try:
        with collector_paused():
            written = Written.model_validate(document.content)
    except ValidationError as refused:
        found += misshapen(refused, document)
        raise Rejected(document.filename, document.source, found) from None
    if found:
        raise Rejected(document.filename, document.source, found)
    places = document.places
    return Table(
        document.filename, document.source, written, places.of_value, places.of_key
    )
