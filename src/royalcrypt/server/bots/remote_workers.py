"""Bot-workers as a server process knows them: who is there, and what they think for it.

Nothing depends on them. Whoever is not heard of counts as gone, and a thought that is not taken, or not
answered in time, is thought here.
"""

import asyncio
import itertools
import time
from secrets import token_hex
from typing import NamedTuple, TypeVar

import msgspec
import structlog

from royalcrypt.server.bots.move_requests import (
    WORKERS,
    Announcement,
    Answer,
    Answered,
    Failed,
    MoveRequest,
    QueueUnavailable,
    RequestQueue,
    Taken,
    read_announcement,
    read_message,
)
from royalcrypt.server.bots.pool import BotFailed
from royalcrypt.server.cluster.channel import open_channel

BELIEF = 3.0
"""Seconds for which an announcement is believed; they come every second."""
TO_BE_TAKEN = 0.5
"""Seconds for a worker with a process to spare to take a thought."""
ALLOWANCE = 0.5
"""Seconds for an answer beyond those that a bot may think."""
LONGEST_PUT = 0.4
"""Seconds for each answer of Redis."""
T = TypeVar("T")
log = structlog.get_logger()


class KnownWorker(NamedTuple):
    announcement: Announcement
    at: float


class PendingRequest:
    """For what becomes of one thought."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.taken: asyncio.Future[str] = loop.create_future()
        self.answer: asyncio.Future[Answer] = loop.create_future()

    def hear(self, news: Taken | Answer) -> None:
        if isinstance(news, Taken):
            settle(self.taken, news.worker)
        else:
            settle(self.taken, "")
            settle(self.answer, news)


def settle(future: "asyncio.Future[T]", result: T) -> None:
    if not future.done():
        future.set_result(result)


class RemoteWorkers:
    def __init__(self, url: str) -> None:
        self._topic = f"answers:{token_hex(8)}"
        self._requests = RequestQueue(url, longest=LONGEST_PUT)
        self._heard: dict[str, KnownWorker] = {}
        self._waiting: dict[int, PendingRequest] = {}
        self._numbers = itertools.count()
        self._channel = open_channel(url, self)
        for topic in (WORKERS, self._topic):
            self._channel.subscribe(topic)

    async def close(self) -> None:
        await self._channel.close()
        await self._requests.close()

    # What is heard.

    def on_message(self, topic: str, hint: bytes) -> None:
        """Whatever cannot be read is none of ours."""
        try:
            if topic == WORKERS:
                self._hear_of_worker(read_announcement(hint))
            elif topic == self._topic:
                news = read_message(hint)
                if news.number in self._waiting:  # else it comes late
                    self._waiting[news.number].hear(news)
        except msgspec.DecodeError as problem:
            log.warning("not understood", topic=topic, why=str(problem))

    def on_subscribed(self, topic: str) -> None:
        """Nothing was missed that would matter: workers say every second that they are there."""

    def _hear_of_worker(self, announcement: Announcement) -> None:
        if announcement.worker not in self._heard:
            log.info("bot-worker found", worker=announcement.worker, processes=announcement.processes)
        self._heard[announcement.worker] = KnownWorker(announcement, time.monotonic())

    def _forget(self, worker: str) -> None:
        if self._heard.pop(worker, None) is not None:
            log.info("bot-worker gone", worker=worker)

    # What they are asked.

    def present(self) -> list[Announcement]:
        for worker, heard in list(self._heard.items()):
            if time.monotonic() - heard.at > BELIEF:
                self._forget(worker)
        return [heard.announcement for heard in self._heard.values()]

    def have(self, name: str) -> bool:
        return any(name in announcement.bots for announcement in self.present())

    def processes(self) -> tuple[int, int]:
        """How many there are in all, and how many of them think."""
        present = self.present()
        return sum(each.processes for each in present), sum(each.busy for each in present)

    async def think(self, name: str, packed: bytes, seed: int, seconds: float) -> str | None:
        """A move as text; None if none came in time. Raises what the bot failed at."""
        number, waiting = next(self._numbers), PendingRequest()
        self._waiting[number] = waiting
        worker = ""
        try:
            async with asyncio.timeout(TO_BE_TAKEN):
                await self._put(number, name, packed, seed, seconds)
                worker = await waiting.taken
            async with asyncio.timeout(seconds + ALLOWANCE):
                answer = await waiting.answer
        except TimeoutError:
            self._note_silence(worker, name)
            return None
        except QueueUnavailable as trouble:
            self._heard.clear()  # Nobody can be asked until somebody is heard again.
            log.warning("bot-workers cannot be asked", why=str(trouble))
            return None
        finally:
            del self._waiting[number]
        if isinstance(answer, Failed):
            raise BotFailed(answer.why)
        return answer.move if isinstance(answer, Answered) else None

    async def _put(self, number: int, name: str, packed: bytes, seed: int, seconds: float) -> None:
        not_after = await self._requests.now() + TO_BE_TAKEN
        await self._requests.put(MoveRequest(number, self._topic, name, packed, seed, seconds, not_after))

    def _note_silence(self, worker: str, bot: str) -> None:
        """Whoever took a thought and kept it may be gone; if not, they will be heard."""
        if worker:
            log.warning("bot-worker did not answer", worker=worker, bot=bot)
            self._forget(worker)
