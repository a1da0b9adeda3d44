"""The compiler's commands."""

from toolroute_codegen.cli._main import main

__all__ = ["main"]
