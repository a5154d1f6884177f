"""The queue between the event loop, which submits jobs, and a thread, which takes many at once."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from royalcrypt.notation.reasons import Reason
from royalcrypt.tables.journal import NotKept


class Job:
    """A piece of work and, once it is done, its result or its error."""

    __slots__ = ("error", "future", "result", "work")

    def __init__(self, work: Any, future: asyncio.Future[Any]) -> None:
        self.work = work
        self.future = future
        self.result: Any = None
        self.error: BaseException | None = None


class JobQueue:
    """Bounded. A full queue refuses jobs at once, so the event loop never waits."""

    def __init__(self, capacity: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._capacity = capacity
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._unanswered = 0
        self._is_closed = False
        self._is_done = False

    def submit(self, work: Any) -> asyncio.Future[Any]:
        """Raises NotKept if the queue is full or closed."""
        if self._is_closed:
            raise NotKept(Reason.STORAGE_CLOSED)
        if self._unanswered >= self._capacity:
            raise NotKept(Reason.STORAGE_BUSY)
        self._unanswered += 1
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put(Job(work, future))
        return future

    def close(self) -> None:
        """Accept no more jobs. Those submitted before are still done."""
        if not self._is_closed:
            self._is_closed = True
            self._jobs.put(None)

    def take(self, most: int) -> list[Job]:
        """In the thread: wait for jobs and take all there are. Empty once the queue is closed and drained."""
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
        """In the thread: deliver the results of a group, waking the event loop once."""
        with suppress(RuntimeError):  # The loop is closed, so nobody waits any more.
            self._loop.call_soon_threadsafe(self._deliver, jobs)

    def _deliver(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            self._unanswered -= 1
            if job.future.done():  # The caller was cancelled.
                continue
            if job.error is None:
                job.future.set_result(job.result)
            elif isinstance(job.error, StopIteration):  # A future does not accept it.
                job.future.set_exception(RuntimeError(repr(job.error)))
            else:
                job.future.set_exception(job.error)
