"""Helpers for background tasks on the event loop."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

from royalcrypt.notation.reasons import Refusal

log = logging.getLogger(__name__)


async def cancel_all(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have ended, whatever they raise."""
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class TaskSet:
    """Background tasks, which the event loop itself refers to only weakly."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        await cancel_all(self._tasks)


class SingleFlight:
    """Runs ``work`` in the background, one run at a time; requests during a run cause one further run."""

    def __init__(self, work: Callable[[], Awaitable[None]]) -> None:
        self._work = work
        self._is_requested = False
        self._task: asyncio.Task[None] | None = None

    def request(self) -> None:
        self._is_requested = True
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._is_requested:
                self._is_requested = False
                await self._work()
        except Refusal as refusal:  # The next poll tries again.
            log.warning("background read failed", extra={"reason": refusal.reason})
        finally:
            self._task = None

    async def close(self) -> None:
        if self._task is not None:
            await cancel_all([self._task])
