"""A lookup has `when_missing`.

What it finds: `when_missing` on a route with `lookup`.

Why it matters: a lookup is asked about names that others may take, and it isn't asked
when a capability is absent. A refusal in place of asking would refuse all those names,
though this route may not have had them.

For example:

    capabilities:
      servers: {doc: "there are connected servers"}
    lookups:
      server: {type: "host.servers:Server"}
    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
      no_servers: {code: NOT_NOW, retry: after-delay, text: "{name} isn't connected."}
    routes:
      - kind: remote
        lookup: server
        within: {split: "--"}
        requires: [servers]
        when_missing: no_servers

Let the call go on; what no later route takes, `otherwise` answers:

    capabilities:
      servers: {doc: "there are connected servers"}
    lookups:
      server: {type: "host.servers:Server"}
    routes:
      - kind: remote
        lookup: server
        within: {split: "--"}
        requires: [servers]
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR224"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each lookup with a refusal for when it isn't asked."""
    for at, route in enumerate(facts.routes):
        if route.lookup is not None and route.when_missing is not None:
            yield Diagnostic(
                facts.place_of_key(("routes", at, "when_missing")),
                CODE,
                "a lookup that isn't asked can't refuse, since the name may be another "
                "route's",
                "Take `when_missing` out; a later route, or `otherwise`, answers then.",
            )
