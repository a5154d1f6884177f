"""Where the event loop hands work in and a thread takes it, many pieces at once."""

import asyncio
from collections.abc import Iterable
from queue import Empty, SimpleQueue
from typing import Any

from royalcrypt.notation.reasons import Reason
from royalcrypt.tables.journal import NotKept


class Job:
    """A piece of work and, once it was done, what came of it: never both a result and an error."""

    __slots__ = ("error", "future", "result", "work")

    def __init__(self, work: Any, future: asyncio.Future[Any]) -> None:
        self.work = work
        self.future = future
        self.result: Any = None
        self.error: BaseException | None = None


class Desk:
    """Bounded; whoever finds it full is refused at once, so the event loop never waits."""

    def __init__(self, room: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._room = room
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._unanswered = 0
        self._is_closed = False
        self._is_done = False

    def hand_in(self, work: Any) -> asyncio.Future[Any]:
        """Raises NotKept if there is no room left, or no more work is taken."""
        if self._is_closed:
            raise NotKept(Reason.STORAGE_CLOSED)
        if self._unanswered >= self._room:
            raise NotKept(Reason.STORAGE_BUSY)
        self._unanswered += 1
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put(Job(work, future))
        return future

    def close(self) -> None:
        """Take no more work; what was handed in is still done."""
        if not self._is_closed:
            self._is_closed = True
            self._jobs.put(None)

    def take(self, most: int) -> list[Job]:
        """In the thread: wait for work and take all there is; nothing once the desk is closed and cleared."""
        taken: list[Job] = []
        while not self._is_done and len(taken) < most:
            try:
                job = self._jobs.get(block=not taken)
            except Empty:
                break
            if job is None:
                self._is_done = True
            else:
                taken.append(job)
        return taken

    def answer(self, jobs: list[Job]) -> None:
        """In the thread: tell the event loop what came of them, waking it once for all."""
        try:
            self._loop.call_soon_threadsafe(self._deliver, jobs)
        except RuntimeError:
            # The loop was closed, so nobody waits any more.
            return

    def _deliver(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            self._unanswered -= 1
            if job.future.done():  # Whoever asked has gone.
                continue
            if job.error is None:
                job.future.set_result(job.result)
            elif isinstance(job.error, StopIteration):  # No future takes it.
                job.future.set_exception(RuntimeError(repr(job.error)))
            else:
                job.future.set_exception(job.error)
