"""The `toolroute` command.

`transcript` runs on the standard library alone; every other command is the compiler's,
in the extra `codegen`.
"""

import sys
from collections.abc import Sequence
from typing import Final

STOPPED: Final = 130
"""As a shell says it of what Ctrl-C ended."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 1 for findings, 2 for misuse."""
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:  # most likely while what the command needs is imported
        sys.stderr.write("toolroute: stopped.\n")
        return STOPPED


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["transcript"]:
        from toolroute.transcript._command import main as transcript  # noqa: PLC0415

        return transcript(arguments[1:])
    try:
        from toolroute_codegen.cli import main as compiler  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] in {"toolroute", "toolroute_codegen"}:
            raise
        sys.stderr.write(
            f"toolroute: this command needs the package {missing.name}, which isn't "
            "installed. Install the compiler with: pip install 'toolroute[codegen]', "
            "and for `call` and `serve` the host with: pip install 'toolroute[host]'. "
            "`toolroute transcript` needs neither.\n"
        )
        return 2
    return compiler(arguments)


if __name__ == "__main__":
    sys.exit(main())
