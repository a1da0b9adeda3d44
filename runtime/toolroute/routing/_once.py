from typing import Any, TypeVar, cast

HostT = TypeVar("HostT")


def once(host: HostT) -> HostT:
    """`host` for one decision: each of its attributes is read at most once.

    Where several routes could take a call, they see the same capabilities, whatever
    comes or goes meanwhile.
    """
    return cast("HostT", _Once(host))


class _Once:
    def __init__(self, host: object) -> None:
        self._host = host

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._host, name)
        self.__dict__[name] = value
        return value
