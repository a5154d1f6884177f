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
        self,
        host: Host,
        http: httpx.AsyncClient,
        name: str,
        ledger: Ledger,
        pace: Pace | None = None,
        *,
        gathers: bool = False,
    ) -> None:
        """``gathers``: goes where the others at the table are, when told that they came in elsewhere."""
        super().__init__(host, http, name, ledger)
        self.pace = pace
        self.heard: list[bytes] = []
        self.returns = 0
        self.changes = 0
        """Of lines, to be near others."""
        self._pause = FIRST_PAUSE
        self._gathers = gathers
        self._is_near = self._is_apart = False

    @property
    def socket_url(self) -> str:
        return f"{super().socket_url}&near={self.table[-3:]}" if self._is_near else super().socket_url

    def take_in(self, raw: bytes) -> Json:
        self.heard.append(raw)
        message = super().take_in(raw)
        if message["type"] == "welcome":
            self._pause = FIRST_PAUSE
        if message["type"] == "presence":
            self._is_apart = message.get("is_apart", False)
        return message

    def pause(self) -> float:
        pause, self._pause = self._pause, min(2 * self._pause, LONGEST_PAUSE)
        self.returns += 1
        return pause * self.chance.uniform(0.75, 1.25)

    async def think(self) -> None:
        if self._gathers and self._is_apart and not self._is_near:
            await self._change_over()
        if self.pace is not None:
            await self.pace.think(self.chance.uniform(0, 2 * self.pace.seconds))

    async def _change_over(self) -> None:
        """The line that was left is closed once the next one has said everything anew."""
        left = self.socket
        self._is_near = True
        try:
            await self.connect()
            await self.watch(self.table, seat=self.view["seat"], since=self.events)
        finally:
            if left is not None:
                left.transport.abort()
        self.changes += 1


def leaked(guests: Sequence[Guest], kept: Kept) -> list[str]:
    """What reached anybody who could not know it, of games that are over."""
    found = (
        leaks(json.loads(kept.records[guest.table]), [raw.decode() for raw in guest.heard], guest.table)
        for guest in guests
        if guest.table in kept.records
    )
    return list(itertools.chain.from_iterable(found))
