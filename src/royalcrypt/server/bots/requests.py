"""What servers and bot-workers tell each other: thoughts to think, who thinks them, and what came of them.

A thought holds what one seat sees and nothing else: a worker knows no table, no person and no hidden card.
Thoughts wait in lists of Redis, one for each bot; everything else is said in passing.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from royalcrypt.server.version import VERSION

WORKERS = f"workers:{VERSION}"
"""The topic on which workers announce themselves; a packed view is read by the same version alone."""

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Words = Annotated[str, Meta(max_length=1000)]


class Thought(msgspec.Struct, frozen=True, array_like=True):
    number: int
    """Among those of one process."""
    topic: Name
    """On which that process hears of it."""
    bot: Name
    view: Annotated[bytes, Meta(max_length=65_536)]
    """Packed."""
    seed: Annotated[int, Meta(ge=0, lt=2**62)]
    seconds: Annotated[float, Meta(gt=0, le=60)]
    not_after: float
    """When nobody waits any more for it to be taken, by Redis' clock: machines may disagree on the time."""


class Announcement(msgspec.Struct, frozen=True):
    """A worker, about once a second; without bots it has something else to do, or takes its leave."""

    worker: Name
    processes: Annotated[int, Meta(ge=1, le=1000)]
    busy: Annotated[int, Meta(ge=0, le=1000)]
    bots: Annotated[tuple[Name, ...], Meta(max_length=1000)]


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    number: int
    worker: Name


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    number: int
    move: Words


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """The bot's own fault."""

    number: int
    why: Words


class GivenBack(msgspec.Struct, frozen=True, tag="given back"):
    """Nobody's fault: the worker ends."""

    number: int


Answer = Answered | Failed | GivenBack
News = Taken | Answer
read_thought = msgspec.msgpack.Decoder(Thought).decode
read_announcement = msgspec.msgpack.Decoder(Announcement).decode
read_news = msgspec.msgpack.Decoder[News](News).decode
written = msgspec.msgpack.encode
