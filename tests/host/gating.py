"""An event, and the shortest of rules."""

from toolroute_host.events import Event

HELLO = Event("message", "chat", "lobby", "Hello there", frozenset({"chat:ambient"}))
ALWAYS = {"behavior": "always"}
DEFER = {"behavior": "defer"}
