"""A script is performed while some readers stay, others come and go, and the server forgets or restarts."""

import random
from typing import NamedTuple

from tests.server.wire.followers import Follower, Wanderer
from tests.server.wire.scripts import Script
from tests.server.wire.stage import Stage
from tests.server.wire.worlds import TABLE

Viewer = tuple[str, int | None]
"""A person, and the seat whose view it is; None for a spectator's."""


class End(NamedTuple):
    """What a reader has in the end. Of the events, those that are told when asked for anew."""

    view: bytes
    ply: int
    events: dict[int, bytes]


class Journey:
    def __init__(self, stage: Stage, script: Script) -> None:
        self.trips = 0
        self.restarts = 0
        self.evictions = 0
        self._stage = stage
        self._script = script
        self._stayers = {viewer: self._follower("stays", *viewer) for viewer in viewers(script)}

    def _follower(self, what: str, name: str, seat: int | None) -> Follower:
        is_private_spectator = seat is None and not self._script.scene.is_listed
        link = self._stage.world.invite if is_private_spectator else None
        return Follower(self._stage, f"{name} {what} {seat}", name, seat, link)

    async def stay_at_home(self) -> dict[Viewer, End]:
        """Nobody comes or goes but as the script says."""
        await self._begin()
        for step in self._script.middle:
            await step(self._stage)
        return await self._end()

    async def travel(self, rng: random.Random) -> dict[Viewer, End]:
        await self._begin()
        wanderers = [
            Wanderer(self._follower("wanders", *viewer), self._stayers, rng) for viewer in self._stayers
        ]
        for step in self._script.middle:
            await step(self._stage)
            if rng.random() < 0.04:
                await self._interrupt(rng, [wanderer.follower for wanderer in wanderers])
            if rng.random() < 0.4:
                wanderer = rng.choice(wanderers)
                await wanderer.stroll(self._script.scene.seats_of(wanderer.follower.name))
        for wanderer in wanderers:
            await wanderer.come_home(remembers=self._script.scene.remembers)
            self.trips += wanderer.trips
        return await self._end()

    async def _begin(self) -> None:
        for step in self._script.opening:
            await step(self._stage)
        for follower in self._stayers.values():
            await follower.arrive()

    async def _end(self) -> dict[Viewer, End]:
        ends: dict[Viewer, End] = {}
        for viewer, follower in self._stayers.items():
            await follower.listen()
            assert follower.heard == len(follower.events), "who stayed has a gap"
            follower.events.clear()
            await follower.watch(0)
            ends[viewer] = End(follower.view, follower.ply, follower.events)
        return ends

    async def _interrupt(self, rng: random.Random, wanderers: list[Follower]) -> None:
        """Those who stay go last and are the first back: they miss nothing."""
        there = [follower for follower in (*wanderers, *self._stayers.values()) if follower.is_there]
        for follower in there:
            await follower.listen()
            await follower.leave()
        async with self._stage.intermission():
            await rng.choice((self._restart, self._evict))()
        for follower in there:
            await follower.arrive(follower.heard)

    async def _restart(self) -> None:
        """The server stops and starts on the same folder; bots that were to move are woken by the sweeper."""
        await self._stage.stop()
        await self._stage.start()
        await self._stage.service.deadlines.sweep()
        self.restarts += 1

    async def _evict(self) -> None:
        """Nobody looks for a long time, and the table is read from the journal when somebody does again."""
        registry = self._stage.service.tables
        for loaded in registry.loaded.values():
            loaded.used = 0
        registry.forget_idle(lambda _: False)
        self.evictions += TABLE not in registry.loaded


def viewers(script: Script) -> list[Viewer]:
    scene = script.scene
    found: list[Viewer] = [(name, seat) for name in scene.people for seat in scene.seats_of(name)]
    return [*found, ("Eve", None)] if scene.spectators else found
