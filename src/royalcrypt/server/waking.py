"""Bots are awake once every process has loaded what they need: from then on they answer at once."""

import asyncio
import time
from collections.abc import Callable, Iterable

import structlog

from royalcrypt.play.game import Game
from royalcrypt.server.thinking import Minds, think

LONGEST_WAKING = 60.0
LEAST_WAKING = 0.05
"""Seconds that waking takes at least, so that no process gets another's turn."""
STIR_SECONDS = 120.0
"""After which all processes are asked something, lest they be ended for idleness."""
LOOK_SECONDS = 0.5
log = structlog.get_logger()


def wake(name: str, packed: bytes, seed: int) -> str:
    """In a process that thinks: load what this bot needs, by a short thought."""
    began = time.monotonic()
    answer = think(name, packed, seed, seconds=LEAST_WAKING)
    time.sleep(max(0.0, began + LEAST_WAKING - time.monotonic()))
    return answer


class Waking:
    """Keeps these bots awake, each from when it is ready."""

    def __init__(
        self, processes: int, minds: Minds, names: Iterable[str], *, is_ready: Callable[[str], bool]
    ) -> None:
        self.spare = asyncio.Semaphore(processes)
        """Processes that have nothing to do; whoever asks one of them takes it from here."""
        self._processes = processes
        self._minds = minds
        self._is_ready = is_ready
        self._asleep = list(names)
        self._awake: list[str] = []
        self._view = Game.new(players=2, seed=1).view(0).pack()
        self._stirred = time.monotonic()

    def bots(self) -> list[str]:
        """Those that answer at once."""
        return [name for name in self._awake if not self._minds.is_resting(name)]

    def stir_soon(self) -> None:
        """A process was lost: whichever takes its place is asleep."""
        self._stirred = float("-inf")

    async def keep(self) -> None:
        """For ever."""
        while True:
            for name in list(filter(self._is_ready, self._asleep)):
                self._asleep.remove(name)
                if await self._is_woken([name]):
                    self._awake.append(name)
                    log.info("bot ready", bot=name)
                else:
                    log.warning("bot not ready", bot=name)
            if time.monotonic() - self._stirred > STIR_SECONDS:
                await self._is_woken(self.bots())
            await asyncio.sleep(LOOK_SECONDS)

    async def _is_woken(self, names: list[str]) -> bool:
        """Ask every process at once, when none has anything else to do."""
        taken = 0
        try:
            for _ in range(self._processes):
                await self.spare.acquire()
                taken += 1
            self._stirred = time.monotonic()
            return all([await self._is_awake(name) for name in names])
        finally:
            for _ in range(taken):
                self.spare.release()

    async def _is_awake(self, name: str) -> bool:
        asked = [
            self._minds.ask(wake, name, self._view, 0, longest=LONGEST_WAKING) for _ in range(self._processes)
        ]
        return all([isinstance(answer, str) for answer in await asyncio.gather(*asked, return_exceptions=True)])
