"""Readers as browsers are: each keeps the last view and all events it was told, comes and goes."""

import random
import re
from typing import Any

import msgspec

from royalcrypt.play.view_changes import apply_changes
from tests.server.wire.stage import Stage
from tests.server.wire.worlds import TABLE

VALUE = re.compile(rb'"([IJMPRT])[1-4]"')

REVEAL = b'"type":"reveal"'
NOTHING = msgspec.Raw(b"null")


class Told(msgspec.Struct):
    """As much of a message as a browser needs to follow a table."""

    type: str
    ply: int | None = None
    view: msgspec.Raw = NOTHING
    changes: dict[str, Any] | None = None
    events: tuple[msgspec.Raw, ...] = ()


class Numbered(msgspec.Struct):
    n: int


def without_values(event: bytes) -> bytes:
    """What was told when it happened may have been hidden then, and be known now."""
    return VALUE.sub(rb'"\1?"', event)


class Follower:
    """A reader with one seat's view at a time, or a spectator's."""

    def __init__(self, stage: Stage, channel: str, name: str, seat: int | None, link: str | None) -> None:
        self.name = name
        self.seat = seat
        self.view = b""
        self.ply = 0
        self.events: dict[int, bytes] = {}
        self._stage = stage
        self._channel = channel
        self._link = link

    @property
    def is_there(self) -> bool:
        return self._channel in self._stage.taps

    @property
    def heard(self) -> int:
        """How many events it has without a gap."""
        return next(n for n in range(len(self.events) + 1) if n not in self.events)

    async def arrive(self, since: int = 0) -> None:
        await self._stage.connect(self._channel, self.name)
        await self.watch(since)

    async def leave(self) -> None:
        await self._stage.disconnect(self._channel)

    async def watch(self, since: int) -> None:
        await self._tell(type="watch", table=TABLE, since=since, seat=self.seat, invite=self._link)

    async def turn_to(self, seat: int) -> None:
        """Look with the eyes of another seat of one's own, and forget what the last one saw."""
        self.seat, self.events = seat, {}
        await self.watch(0)

    async def listen(self) -> None:
        """Take in everything that was sent up to now."""
        await self._tell(type="ping")

    async def miss(self) -> None:
        """Everything that was sent up to now is lost on the way."""
        await self._stage.taps[self._channel].tell(type="ping")

    async def try_in_vain(self) -> None:
        """A command that comes much too late: it is refused, with a fresh view."""
        await self._tell(type="act", table=TABLE, ply=0, actions=[{"do": "recover"}])

    async def _tell(self, **message: Any) -> None:
        for raw in await self._stage.taps[self._channel].tell_and_hear(**message):
            self._take(msgspec.json.decode(raw, type=Told))

    def _take(self, told: Told) -> None:
        self._take_view(told)
        for event in told.events:
            self.events[msgspec.json.decode(event, type=Numbered).n] = bytes(event)

    def _take_view(self, told: Told) -> None:
        """After a gap, updates without a view are of no use until one comes."""
        is_gap = told.type == "update" and told.ply != self.ply + 1
        if told.ply is None or (is_gap and told.view == NOTHING):
            return
        self.ply = told.ply
        if told.view != NOTHING:
            self.view = bytes(told.view)
        elif told.changes is not None:
            self.view = msgspec.json.encode(apply_changes(msgspec.json.decode(self.view), told.changes))


class Wanderer:
    """Comes and goes beside those who stay, and never ends up with another view than they have."""

    def __init__(
        self, follower: Follower, stayers: dict[tuple[str, int | None], Follower], rng: random.Random
    ) -> None:
        self.follower = follower
        self.trips = 0
        self._stayers = stayers
        self._rng = rng

    async def stroll(self, seats: tuple[int, ...]) -> None:
        """Do something or other, and compare."""
        follower, rng = self.follower, self._rng
        if not follower.is_there:
            await follower.arrive(self._any_number())
            await self.compare()
            return
        match rng.choice(("leave", "leave", "miss", "ask", "try", "turn" if seats else "ask")):
            case "leave":
                await follower.leave()
                self.trips += 1
            case "miss":
                await follower.miss()
                self.trips += 1
            case "ask":
                await follower.watch(self._any_number())
                await self.compare()
            case "try":
                await follower.try_in_vain()
                await self.compare()
            case _:
                await follower.turn_to(rng.choice(seats))
                await self.compare()

    def _any_number(self) -> int:
        """As a browser says it, or another: from nothing to more than there is."""
        heard = self.follower.heard
        return self._rng.choice((heard, heard, 0, self._rng.randint(0, heard), heard + 7))

    async def come_home(self, *, remembers: bool) -> None:
        """Whatever happened: ask for what is missing, and have what those have who never left.

        Who likes to remember by themselves may lack events of earlier rounds.
        """
        if not self.follower.is_there:
            await self.follower.arrive(self.follower.heard)
        await self.follower.watch(self.follower.heard)
        await self.compare()
        told = self._stayer.events
        first = 0 if remembers else max(number for number in told if REVEAL in told[number])
        assert {number for number in told if number >= first} <= set(self.follower.events)

    @property
    def _stayer(self) -> Follower:
        return self._stayers[self.follower.name, self.follower.seat]

    async def compare(self) -> None:
        stayer = self._stayer
        for one in (stayer, self.follower):
            await one.listen()
        assert self.follower.view == stayer.view
        assert self.follower.ply == stayer.ply
        for number, event in self.follower.events.items():
            assert without_values(event) == without_values(stayer.events[number])
