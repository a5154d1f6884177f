"""Performs a script in several worlds, and tells where what somebody received differs."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple, Self, TypeVar

from tests.server.wire.scripts import Script
from tests.server.wire.stage import LOG, Recording, Theatre
from tests.server.wire.worlds import Knowledge, World, differing

T = TypeVar("T")


class Difference(NamedTuple):
    """Where a reader could tell two worlds apart."""

    channel: str
    kind: str
    """``count``, ``length`` or ``bytes``."""
    one: bytes
    other: bytes

    def __str__(self) -> str:
        pairs = enumerate(zip(self.one, self.other, strict=False))
        at = next((at for at, (mine, theirs) in pairs if mine != theirs), 0)
        near = slice(max(0, at - 120), at + 60)
        return f"{self.channel}, {self.kind}, at {at}:\n  {self.one[near]!r}\n  {self.other[near]!r}"


@dataclass
class Findings:
    """What came of performing a script in all its worlds."""

    differences: list[Difference] = field(default_factory=list[Difference])
    hidden: int = 0
    """Cards that were others in another world."""
    messages: int = 0
    """Compared, of sockets and REST."""
    reasons: set[str] = field(default_factory=set[str])
    """Codes of all refusals that were provoked."""
    log: list[bytes] = field(default_factory=list[bytes])
    """What the server had to say about it to its host."""

    def __iadd__(self, other: "Findings") -> Self:
        self.differences += other.differences
        self.hidden += other.hidden
        self.messages += other.messages
        self.reasons |= other.reasons
        self.log += other.log
        return self


class Company:
    """Performs scripts, one after the other, on one server."""

    def __init__(self, runner: asyncio.Runner, theatre: Theatre) -> None:
        self._runner = runner
        self._theatre = theatre

    def run(self, act: Callable[[Theatre], Coroutine[Any, Any, T]]) -> T:
        return self._runner.run(act(self._theatre))

    def perform(self, script: Script, world: World, protocol: int) -> tuple[Recording, set[str]]:
        return self.run(lambda theatre: perform(theatre, script, world, protocol))

    def compare(self, script: Script, protocol: int) -> Findings:
        """Perform it in the true world, and in another for each thing that somebody may know."""
        true, reasons = self.perform(script, script.true, protocol)
        found = Findings(reasons=reasons, log=true[LOG])
        for known, world in script.others.items():
            other, _ = self.perform(script, world, protocol)
            found += compared(script, known, true, other)
            found.hidden += differing(script.played, world.outcomes)
        return found


async def perform(
    theatre: Theatre, script: Script, world: World, protocol: int
) -> tuple[Recording, set[str]]:
    async with theatre.world(world, protocol, rate_limits=script.scene.rate_limits) as stage:
        for step in script.steps:
            await step(stage)
        return await stage.finish(), stage.reasons


def compared(script: Script, known: Knowledge, one: Recording, other: Recording) -> Findings:
    """On the channels of those who know no more than that: the first difference on each."""
    found = Findings()
    for channel, may_know in script.channels.items():
        if known.covers(may_know):
            found.differences += first_difference(channel, one.get(channel, []), other.get(channel, []))
            found.messages += len(other.get(channel, []))
    return found


def first_difference(channel: str, one: list[bytes], other: list[bytes]) -> list[Difference]:
    if one == other:
        return []
    kind = "count" if len(one) != len(other) else "length" if sizes(one) != sizes(other) else "bytes"
    pairs = zip_longest(one, other, fillvalue=b"")
    return [next(Difference(channel, kind, *pair) for pair in pairs if pair[0] != pair[1])]


def sizes(messages: list[bytes]) -> list[int]:
    return [len(message) for message in messages]
