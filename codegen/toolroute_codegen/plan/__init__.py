"""The plan: every name, shape and line of the generated module, decided."""

from toolroute_codegen.plan._plan import plan

__all__ = ["plan"]
