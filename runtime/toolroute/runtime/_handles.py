"""The handles of those whose calls come from outside any turn: the host, a module."""

from typing import TYPE_CHECKING, Final, final

from toolroute._calls import ProtocolError
from toolroute._text import one_line
from toolroute.runtime._answer import Answer
from toolroute.runtime._awaited import Awaited, follow
from toolroute.runtime._read import AnyCall
from toolroute.runtime._who import PLAIN, Act, Who

if TYPE_CHECKING:
    from toolroute.runtime._core import Core


@final
class Host:
    """The handle for the host's own calls, as an agent or as nobody."""

    __slots__ = ("_core", "_who")

    def __init__(self, core: "Core", who: Who) -> None:
        self._core = core
        self._who = who

    async def call(self, call: AnyCall, *, key: str | None = None) -> Answer:
        """Make a call, and wait for its answer.

        `key` names this very call, where the host may have to try it again.
        """
        act = PLAIN if key is None else Act(key)
        tracked = self._core.begin(self._who, call, act)
        return tracked.answer or await follow(self._core, tracked)

    def start(self, call: AnyCall, *, key: str | None = None) -> Awaited:
        """Make a call, to be awaited later."""
        awaited = Awaited(self._core)
        awaited.begun(self._core.begin(self._who, call, Act(key), awaited))
        return awaited


@final
class Module:
    """The handle for one module's calls, made when the module is registered.

    It can't be turned into another's: the name is fixed, and taken until `close`.
    """

    __slots__ = ("_caller", "_closed", "_core", "_name")

    def __init__(self, core: "Core", caller: str, name: str) -> None:
        self._core: Final = core
        self._caller: Final = caller
        self._name: Final = name
        self._closed = False

    @property
    def name(self) -> str:
        """The module's."""
        return self._name

    async def call(
        self, call: AnyCall, *, agent: str | None = None, key: str | None = None
    ) -> Answer:
        """Make a call, and wait for its answer.

        Naming an agent confers nothing: the call sees the host's own capabilities, and
        that agent's guards can refuse it.
        """
        return await self.start(call, agent=agent, key=key)

    def start(
        self, call: AnyCall, *, agent: str | None = None, key: str | None = None
    ) -> Awaited:
        """Make a call, to be awaited later."""
        if self._closed:
            raise ProtocolError(
                f"The module {one_line(self._name)} was unregistered: its handle makes "
                "no calls any more."
            )
        who = Who("module", self._caller, agent, self._name)
        awaited = Awaited(self._core)
        awaited.begun(self._core.begin(who, call, Act(key), awaited))
        return awaited

    def close(self) -> None:
        """The module is unregistered; its name can be registered again."""
        if not self._closed:
            self._closed = True
            self._core.modules.discard(self._name)
