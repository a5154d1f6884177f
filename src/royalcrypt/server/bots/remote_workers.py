"""Registry and client of bot-workers: which are online, and move requests to them.

Bot-workers are optional: the server's own processes handle requests that none answers in time.
"""

import asyncio
import itertools
import time
from secrets import token_hex
from typing import NamedTuple

import msgspec
import structlog

from royalcrypt.server.bots.move_requests import (
    WORKERS,
    Announcement,
    Answered,
    Failed,
    MoveRequest,
    QueueUnavailable,
    Reply,
    RequestQueue,
    Taken,
    read_announcement,
    read_message,
    settle,
)
from royalcrypt.server.bots.pool import WorkerFailed
from royalcrypt.server.cluster.channel import open_channel

ONLINE_SECONDS = 3.0
"""Seconds after its last announcement until a worker counts as offline."""
TAKE_SECONDS = 0.5
"""Seconds within which an idle worker must take a request."""
EXTRA_SECONDS = 0.5
"""Seconds added to the bot's time budget for the reply time-out."""
REDIS_TIMEOUT = 0.4
log = structlog.get_logger()


class OnlineWorker(NamedTuple):
    announcement: Announcement
    at: float


class PendingRequest:
    """Futures for the two messages about one request."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.taken: asyncio.Future[str] = loop.create_future()
        """Name of the worker that took the request; empty if only its reply arrived."""
        self.reply: asyncio.Future[Reply] = loop.create_future()


class RemoteWorkers:
    """Pool of all bot-workers on the same channel."""

    def __init__(self, url: str) -> None:
        self._topic = f"answers:{token_hex(8)}"
        self._requests = RequestQueue(url, longest=REDIS_TIMEOUT)
        self._workers: dict[str, OnlineWorker] = {}
        self._pending: dict[int, PendingRequest] = {}
        self._numbers = itertools.count()
        self._channel = open_channel(url, self)
        for topic in (WORKERS, self._topic):
            self._channel.subscribe(topic)

    async def close(self) -> None:
        await self._channel.close()
        await self._requests.close()

    def on_message(self, topic: str, hint: bytes) -> None:
        try:
            if topic == WORKERS:
                self._add(read_announcement(hint))
            elif topic == self._topic:
                message = read_message(hint)
                pending = self._pending.get(message.number)
                if pending is not None and isinstance(message, Taken):
                    settle(pending.taken, message.worker)
                elif pending is not None:
                    settle(pending.taken, "")
                    settle(pending.reply, message)
        except msgspec.DecodeError as problem:
            log.warning("unreadable message", topic=topic, why=str(problem))

    def on_subscribed(self, topic: str) -> None:
        """Do nothing: workers repeat missed announcements within a second."""

    def _add(self, announcement: Announcement) -> None:
        if announcement.worker not in self._workers:
            log.info("bot-worker found", worker=announcement.worker, processes=announcement.processes)
        self._workers[announcement.worker] = OnlineWorker(announcement, time.monotonic())

    def _remove(self, worker: str) -> None:
        if self._workers.pop(worker, None) is not None:
            log.info("bot-worker gone", worker=worker)

    def online(self) -> list[Announcement]:
        for name, worker in list(self._workers.items()):
            if time.monotonic() - worker.at > ONLINE_SECONDS:
                self._remove(name)
        return [worker.announcement for worker in self._workers.values()]

    def has(self, name: str) -> bool:
        return any(name in announcement.bots for announcement in self.online())

    def processes(self) -> tuple[int, int]:
        """Return the total and the busy number of worker processes."""
        online = self.online()
        return sum(each.processes for each in online), sum(each.busy for each in online)

    async def choose(self, name: str, packed: bytes, seed: int, seconds: float) -> str | None:
        """Return the bot's move as text, or None after a time-out; raises WorkerFailed if the bot failed."""
        number, pending = next(self._numbers), PendingRequest()
        self._pending[number] = pending
        worker = ""
        try:
            async with asyncio.timeout(TAKE_SECONDS):
                not_after = await self._requests.now() + TAKE_SECONDS
                request = MoveRequest(number, self._topic, name, packed, seed, seconds, not_after)
                await self._requests.put(request)
                worker = await pending.taken
            async with asyncio.timeout(seconds + EXTRA_SECONDS):
                reply = await pending.reply
        except TimeoutError:
            if worker:  # It may have crashed; otherwise its next announcement adds it again.
                log.warning("bot-worker did not answer", worker=worker, bot=name)
                self._remove(worker)
            return None
        except QueueUnavailable as problem:
            self._workers.clear()  # until the next announcements
            log.warning("requests to bot-workers failed", why=str(problem))
            return None
        finally:
            del self._pending[number]
        if isinstance(reply, Failed):
            raise WorkerFailed(reply.why)
        return reply.move if isinstance(reply, Answered) else None
