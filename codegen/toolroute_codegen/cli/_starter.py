"""What `init` writes: a table that builds, with a comment for each thing in it."""

from typing import Final

TABLE: Final = """\
# Where every tool call goes. The first route that matches wins, in the order of this
# file and nothing else. `toolroute build` compiles it to one typed Python module;
# `toolroute check` says whether both are in order. Every key is described by
# `toolroute schema`, every finding by `toolroute rule CODE`.
version: 1

# Who can make a call. `road` is the way that it comes: turn (the agent's own call, in
# its turn), script, host, puppet (an operator, as the agent) or module.
callers:
  turn: {road: turn, doc: "the agent's own call, made in a turn"}
  host: {road: host, doc: "the program around the agent; it awaits the answer"}

# What is there or isn't, when a call is decided. With a `type: "package.module:Class"`,
# the handler behind it gets an object of that class, never None.
capabilities:
  notebook: {doc: "there is somewhere to keep notes"}

# Every word that a caller can be refused with. `retry` says what it may do next: no,
# yes, with-changes, after-delay or check-first.
refusals:
  unknown_tool:
    code: NO_SUCH_TOOL
    retry: with-changes
    text: "There is no tool named {name}, so nothing was done. Close to it: {near}."
  agents_own:
    code: TOOL_REFUSED
    retry: "no"
    text: "{name} is the agent's own, so nothing was done."

# A kind is an arm of the dispatcher: your host has one handler for each.
routes:
  - kind: greet
    names: [greet]

  # Without a notebook, this route doesn't exist, and the next ones are tried.
  - kind: note
    names: [note_add, note_list]
    requires: [notebook]
    refuse: [{names: [note_add], callers: [host], with: agents_own}]

  # Any name that begins with `file_` and goes on.
  - kind: file
    prefix: file_

# What a call that no route takes is answered with.
otherwise: unknown_tool
"""

SECTION: Final = """\
[tool.toolroute]
source = {source}
output = {output}
"""
