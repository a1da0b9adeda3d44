from toolroute_codegen._collector import collector_paused
from toolroute_codegen.diagnostics import Rejected
from toolroute_codegen.load._characters import hidden_characters
from toolroute_codegen.load._document import Document
from toolroute_codegen.load._places import Places
from toolroute_codegen.load._reader import Fatal, Reader


def load(text: str, filename: str) -> Document:
    """The nodes of a file; raises `Rejected` where it isn't YAML, or can't be trusted.

    A byte-order mark and CRLF line ends are taken away first, so that every place
    counts lines and characters as an editor does.
    """
    source = text.removeprefix("\ufeff").replace("\r\n", "\n")
    hidden = hidden_characters(source)
    if hidden:
        raise Rejected(filename, source, hidden)
    reader = Reader(source)
    try:
        with collector_paused():
            content = reader.read()
    except Fatal as stopped:
        raise Rejected(filename, source, [*reader.found, stopped.finding]) from None
    return Document(filename, source, content, tuple(reader.found), Places(source))
