"""The end of a generated module: a handler a kind, and the match that calls it."""

from collections.abc import Sequence
from typing import Final

from toolroute_codegen.module import Dispatch
from toolroute_codegen.names import class_name
from toolroute_codegen.plan._kinds import Kind
from toolroute_codegen.plan._layout import INDENT, call, laid_out, signature

_VARIABLES: Final = (
    '_C = TypeVar("_C")',
    '_R = TypeVar("_R")',
    '_C_contra = TypeVar("_C_contra", contravariant=True)',
    '_R_co = TypeVar("_R_co", covariant=True)',
)


def dispatch_of(kinds: Sequence[Kind]) -> Dispatch:
    """The dispatch over the kinds that run here: there may be none."""
    own = [kind for kind in kinds if not kind.client]
    if not own:
        return Dispatch(
            variables=(),
            handlers="class Handlers(Protocol):",
            methods=(),
            signature=_dispatch("object", "Handlers", "Never"),
            arms=(),
            bind=_bind("Handlers"),
        )
    return Dispatch(
        variables=_VARIABLES,
        handlers="class Handlers(Protocol[_C_contra, _R_co]):",
        methods=tuple(map(_method, own)),
        signature=_dispatch("_C", "Handlers[_C, _R]", "_R"),
        arms=tuple(map(_arm, own)),
        bind=_bind("Handlers[Context, Answering]"),
    )


def _dispatch(context: str, handlers: str, gives: str) -> str:
    parameters = ("route: ServerRoute", f"context: {context}", f"handlers: {handlers}")
    return laid_out(signature("dispatch", parameters, gives))


def _bind(handlers: str) -> str:
    parameters = (f"handlers: {handlers}",)
    return laid_out(signature("bind", parameters, "Bound[Caller, Host, ServerRoute]"))


def _method(kind: Kind) -> str:
    parameters = ("self", f"route: {class_name(kind.name)}", "context: _C_contra")
    return laid_out(signature(kind.name, parameters, "_R_co", ": ..."), INDENT)


def _arm(kind: Kind) -> str:
    asked = call(f"handlers.{kind.name}", "route", "context")
    inner = 3 * INDENT
    return (
        f"{2 * INDENT}case {class_name(kind.name)}():\n"
        f"{laid_out(asked, inner, 'return ')}"
    )
