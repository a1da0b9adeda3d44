"""What an answer says, and parts of the host."""

from typing import TYPE_CHECKING

from toolroute.runtime import Answer
from toolroute_host.channels import ChannelRegistry

if TYPE_CHECKING:
    from .conftest import Roads


AT = "2027-01-15T08:00:00Z"


def words(answer: Answer) -> str:
    assert answer.is_error, answer.content
    message: str = answer.content["error"]["message"]
    return message


def registry(roads: "Roads") -> ChannelRegistry:
    assert roads.world.channel_registry is not None
    return roads.world.channel_registry
