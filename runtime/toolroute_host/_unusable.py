class UnusableError(Exception):
    """A host or a call can't be made or used; the message says why, for people."""
