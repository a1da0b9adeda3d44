from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

HostT = TypeVar("HostT")


def once(host: HostT) -> HostT:
    """`host` for one decision: each of its attributes is read at most once.

    Where several routes could take a call, they see the same capabilities, whatever
    comes or goes meanwhile.
    """
    return host if isinstance(host, _Once) else cast("HostT", _Once(host))


def inside(host: HostT) -> HostT:
    """`host` for the call that another carried, as it was read for the outer one."""
    inner = _Inside(host)
    inner.__dict__.update(host.__dict__)
    return cast("HostT", inner)


def is_inside(host: object) -> bool:
    """Whether the call being decided was carried by another."""
    return isinstance(host, _Inside)


def shown(host: HostT, unasked: Iterable[str]) -> HostT:
    """`host` for a surface: nobody asks what it would say of a call's input."""
    view = _Once(host)
    view.__dict__.update(dict.fromkeys(unasked, _nothing))
    return cast("HostT", view)


class _Once:
    def __init__(self, host: object) -> None:
        self.__dict__[_HOST] = host

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.__dict__[_HOST], name)
        self.__dict__[name] = value
        return value


class _Inside(_Once):
    pass


_HOST: Final = " host"
"""A key that no attribute of a host can have."""


def _nothing(*_asked: object) -> None:
    return None
