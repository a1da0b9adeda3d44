from typing import final


@final
class Trouble(Exception):  # noqa: N818 - not a fault of ours: what keeps a command from its work
    """Misuse, or a file that can't be used: exit status 2.

    The text is for the person: what was seen, where, and what to do next.
    """
