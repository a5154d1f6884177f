"""Bots are awake once every process has loaded what they need: from then on they answer at once."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import structlog

from royalcrypt.play.game import Game
from royalcrypt.server.bots.pool import Minds, think

LONGEST_WAKING = 60.0
LEAST_WAKING = 0.05
"""Seconds that waking takes at least, so that no process gets another's turn."""
STIR_SECONDS = 120.0
"""After which all processes are asked something, lest they be ended for idleness."""
POLL_SECONDS = 0.5
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
        self,
        processes: int,
        names: Iterable[str],
        *,
        is_ready: Callable[[str], bool],
        is_resting: Callable[[str], bool],
        on_change: Callable[[], object],
    ) -> None:
        self.spare = asyncio.Semaphore(processes)
        """Processes that have nothing to do; whoever asks one of them takes it from here."""
        self._processes = processes
        self._minds = Minds(processes)
        """To whom it does not matter how a bot does when it is asked in earnest, nor the other way round."""
        self._is_ready = is_ready
        self._is_resting = is_resting
        self._on_change = on_change
        self._asleep = list(names)
        self._awake: list[str] = []
        self._is_waking = False
        self._view = Game.new(players=2, seed=1).view(0).pack()
        self._stirred = time.monotonic()

    def bots(self) -> list[str]:
        """Those that answer at once: none while the processes load another."""
        return [] if self._is_waking else [name for name in self._awake if not self._is_resting(name)]

    def stir_soon(self) -> None:
        """A process was lost: whichever takes its place is asleep."""
        self._stirred = float("-inf")
        self._change(is_waking=True)

    async def keep(self) -> None:
        """For ever."""
        while True:
            ready = list(filter(self._is_ready, self._asleep))
            is_time_to_stir = time.monotonic() - self._stirred > STIR_SECONDS
            if ready or is_time_to_stir:
                self._change(is_waking=True)
                async with self._all_processes():
                    for name in self._awake if is_time_to_stir else ():
                        await self._is_awake(name)
                    for name in ready:
                        await self._wake(name)
                self._change(is_waking=False)
            await asyncio.sleep(POLL_SECONDS)

    def _change(self, *, is_waking: bool) -> None:
        self._is_waking = is_waking
        self._on_change()

    @asynccontextmanager
    async def _all_processes(self) -> AsyncGenerator[None]:
        """When none has anything else to do."""
        async with AsyncExitStack() as stack:
            for _ in range(self._processes):
                await stack.enter_async_context(self.spare)
            self._stirred = time.monotonic()
            yield

    async def _wake(self, name: str) -> None:
        self._asleep.remove(name)
        if await self._is_awake(name):
            self._awake.append(name)
            log.info("bot ready", bot=name)
        else:
            log.warning("bot not ready", bot=name)

    async def _is_awake(self, name: str) -> bool:
        """Ask every process at once."""
        ask = partial(self._minds.ask, wake, name, self._view, 0, longest=LONGEST_WAKING)
        answers = await asyncio.gather(*(ask() for _ in range(self._processes)), return_exceptions=True)
        return all(isinstance(answer, str) for answer in answers)
