"""Simulated people as a browser would have them: they take their time, and come back as the page does."""

import asyncio
import itertools
import json
from collections.abc import Sequence

import httpx

from tests.e2e.knowledge import leaks
from tests.server.faults.crowd import Player
from tests.server.faults.ledger import Kept, Ledger
from tests.server.harness import Host, Json

FIRST_PAUSE, LONGEST_PAUSE = 0.4, 10.0
"""Seconds, as in web/src/wire/socket.ts."""


class Pace:
    """How long people think, on average; all of them until they are told to hurry."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._hurry = asyncio.Event()

    def hurry(self) -> None:
        self._hurry.set()

    async def think(self, seconds: float) -> None:
        """Or until nobody takes their time any more."""
        try:
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
        except TimeoutError:
            pass


class Guest(Player):
    """Keeps everything that was shown."""

    def __init__(
        self, host: Host, http: httpx.AsyncClient, name: str, ledger: Ledger, pace: Pace | None = None
    ) -> None:
        super().__init__(host, http, name, ledger)
        self.pace = pace
        self.heard: list[bytes] = []
        self.returns = 0
        self._pause = FIRST_PAUSE

    def take_in(self, raw: bytes) -> Json:
        self.heard.append(raw)
        message = super().take_in(raw)
        if message["type"] == "welcome":
            self._pause = FIRST_PAUSE
        return message

    def pause(self) -> float:
        pause, self._pause = self._pause, min(2 * self._pause, LONGEST_PAUSE)
        self.returns += 1
        return pause * self.chance.uniform(0.75, 1.25)

    async def think(self) -> None:
        if self.pace is not None:
            await self.pace.think(self.chance.uniform(0, 2 * self.pace.seconds))


def leaked(guests: Sequence[Guest], kept: Kept) -> list[str]:
    """What reached anybody who could not know it, of games that are over."""
    found = (
        leaks(json.loads(kept.records[guest.table]), [raw.decode() for raw in guest.heard], guest.table)
        for guest in guests
        if guest.table in kept.records
    )
    return list(itertools.chain.from_iterable(found))
