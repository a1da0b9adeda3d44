"""The root table's generated module, over a host that says what it is asked to."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from toolroute import Refusal, ToolCall, ToolResult
from toolroute.routing import Answering, Bound, ServerPlane
from toolroute.runtime import Context, Ledger, Limits, Runtime, Window
from toolroute_host import dispatch

OBJECTS = (
    "mcpl_registry",
    "channel_registry",
    "event_gate",
    "tune_out",
    "focus",
    "code_execution",
    "heartbeat",
)
FLAGS = ("primary", "fork")
DECIDING = (*OBJECTS, *FLAGS)
EVERYTHING = frozenset(DECIDING) - {"fork"}

NAMES = {
    "toolsets": ("toolsets--open", "toolsets--act"),
    "mcpl": ("files--read",),
    "channel": ("channel_open", "channel_publish", "channel_x"),
    "utils": ("utils",),
    "agent_settings": ("agent_settings",),
    "save_recent_image": ("save_recent_image",),
    "read_image": ("read_image",),
    "fetch_reference": ("fetch_reference",),
    "gate_status": ("gate_status",),
    "tune_out": ("tune_out",),
    "focus": ("focus",),
    "sleep": ("sleep", "wake"),
    "wake_rule": ("wake_add_rule", "wake_remove_rule"),
    "event_tags": ("event_tags",),
    "agent_verb": ("think", "journal"),
    "skip_reply": ("skip_reply",),
    "code_execution": ("code_execution",),
    "drafts": ("drafts",),
    "heartbeat": ("heartbeat_status", "heartbeat_set"),
    "prose_help": ("prose_help",),
    "module": ("notes--add",),
}
"""Names of all 21 kinds."""

Do = Any


@dataclass
class Target:
    """The server that owns a name."""

    server: str


@dataclass
class RootView:
    """The host, as an agent sees it; as nobody does, without one."""

    host: "RootHost"
    agent: str | None

    def __getattr__(self, name: str) -> Any:
        if name in FLAGS:
            return self.agent is not None and name in self.host.of(self.agent)
        if name in OBJECTS:
            return f"the {name}" if name in self.host.present else None
        return name in ("workspace", "utilities", "explicit_prose")

    def mcpl_server(self, name: str) -> Target | None:
        """The server that listed the name, else the one with the longest prefix."""
        for server, tools in self.host.servers.items():
            if name in tools:
                return Target(server)
        owners = [one for one in self.host.servers if name.startswith(f"{one}--")]
        return Target(max(owners, key=len)) if owners else None

    def allowed_tools(self, name: str, _caller: str) -> Refusal | None:
        allowed = self.host.allowed.get(self.agent)
        if allowed is None or name in allowed:
            return None
        return dispatch.not_allowed(name=name)

    def tool_policy(self, name: str, _caller: str) -> Refusal | None:
        denied = name in self.host.denied
        return dispatch.server_policy(name=name) if denied else None

    def fork_channel(self, call: ToolCall, _caller: str) -> Refusal | None:
        home = self.host.homes.get(self.agent)
        if home is None or call.name != "channel_open":
            return None
        return dispatch.fork_cannot_open(home=home)

    def toolset_act(self, call: ToolCall) -> ToolCall | None:
        inner = call.input.get("tool")
        if call.name != "toolsets--act" or inner is None:
            return None
        return ToolCall(call.id, inner, call.input.get("input", {}))

    def list_mcpl(self) -> Iterable[str]:
        return [tool for tools in self.host.servers.values() for tool in tools]

    def list_channel(self) -> Iterable[str]:
        return NAMES["channel"]

    def list_module(self) -> Iterable[str]:
        return NAMES["module"]


@dataclass
class RootHost:
    """What is present, who the agents are, and what the handlers do."""

    present: frozenset[str] = EVERYTHING
    agents: dict[str, frozenset[str]] = field(
        default_factory=lambda: {"ada": frozenset({"primary"})}
    )
    homes: dict[str | None, str] = field(default_factory=dict)
    allowed: dict[str | None, set[str]] = field(default_factory=dict)
    denied: set[str] = field(default_factory=set)
    servers: dict[str, tuple[str, ...]] = field(
        default_factory=lambda: {"files": NAMES["mcpl"]}
    )
    do: dict[str, Do] = field(default_factory=dict)
    ran: list[str] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)

    def of(self, agent: str) -> frozenset[str]:
        return self.agents.get(agent, frozenset())

    def view(self, agent: str | None) -> RootView:
        return RootView(self, agent)

    def bound(self) -> Bound[Any, Any, Any]:
        return dispatch.bind(cast("Any", RootHandlers(self)))

    def runtime(
        self,
        *,
        window: Window | None = None,
        ledger: Ledger | None = None,
        limits: Limits | None = None,
    ) -> Runtime[Any, Any, Any]:
        return Runtime(
            self.bound(),
            self.view,
            window=window,
            ledger=ledger,
            limits=limits,
            observers=[self.events.append],
        )


class RootHandlers:
    """One answer for each kind, which names everything that its handler was given."""

    def __init__(self, host: RootHost) -> None:
        self._host = host

    def __getattr__(self, kind: str) -> Any:
        def handler(route: ServerPlane, context: Context) -> Answering:
            self._host.ran.append(route.call.name)
            doing = self._host.do.get(route.call.name, said)
            return cast("Answering", doing(route, context))

        return handler


def said(route: Any, _context: Context) -> ToolResult:
    """What a plain handler answers: what it learnt from its route."""
    learnt = {
        name: getattr(route, name, None)
        for name in ("channel_registry", "event_gate", "before", "after")
    }
    target = getattr(route, "target", None)
    return ToolResult(
        {
            "kind": route.kind,
            "name": route.call.name,
            "server": None if target is None else target.server,
            **learnt,
        },
        ends_turn=route.call.name == "sleep",
    )
