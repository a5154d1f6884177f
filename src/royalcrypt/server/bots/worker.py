"""A bot-worker: takes thoughts of servers while it has a process to spare, and answers them.

It needs the channel and nothing else. Whatever happens to it, a server waits a moment and thinks by itself;
so it keeps nothing, and a thought that it cannot answer any more is simply gone.
"""

import asyncio
import os
import random
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from secrets import token_hex

import msgspec
import structlog

from royalcrypt.bots.registry import known_names
from royalcrypt.server.bots.move_requests import (
    WORKERS,
    Announcement,
    Answer,
    Answered,
    Failed,
    MoveRequest,
    QueueUnavailable,
    RequestQueue,
    Returned,
    Taken,
    WorkerMessage,
    read_request,
    written,
)
from royalcrypt.server.bots.pool import BotFailed, BotPool, PoolWarmup, think
from royalcrypt.server.cluster.channel import Channel, open_channel

ANNOUNCE_SECONDS = 1.0
TAKE_SECONDS = 0.4
"""For which a thought is waited for in one go, and so the end of a worker."""
LONGEST_REPLY = 2.0
"""Seconds for Redis, beyond which it counts as gone."""
PAUSE = 0.3
"""Seconds until a Redis that is gone is looked for again."""
ALLOWANCE = 2.0
"""Seconds beyond a bot's own until its process is ended; by then nobody waits for it."""
SAME_MOMENT = 0.1
CLOSE_SECONDS = 1.0
"""Seconds for all that is under way when the worker is to end."""
log = structlog.get_logger()


class BotWorker:
    def __init__(self, url: str, processes: int, *, is_ready: Callable[[str], bool]) -> None:
        """``is_ready``: which bots need not be compiled, or no more."""
        self.name = f"{socket.gethostname()[:60]}:{os.getpid()}:{token_hex(3)}"
        self._url = url
        self._processes = processes
        self._requests = RequestQueue(url, longest=LONGEST_REPLY)
        self._minds = BotPool(processes)
        self._waking = PoolWarmup(
            processes,
            known_names(),
            is_ready=is_ready,
            is_resting=self._minds.is_resting,
            on_change=self._change,
        )
        self._channel: Channel | None = None
        self._thinking: set[asyncio.Task[None]] = set()
        self._is_awake, self._leave = asyncio.Event(), asyncio.Event()
        self._is_cut_off = False

    def leave(self) -> None:
        """Soon; what is under way then is finished or given back."""
        self._leave.set()
        self._is_awake.set()  # as much as it will ever be

    async def run(self, *, on_open: Callable[[], object]) -> None:
        """Think until it is to leave; ``on_open`` is told when the first bots are awake."""
        channel = self._channel = open_channel(self._url, self)
        chores = [asyncio.create_task(self._waking.keep())]
        try:
            await self._is_awake.wait()
            if not self._leave.is_set():
                on_open()
                taking = asyncio.create_task(self._take_all())
                chores += [taking, asyncio.create_task(self._announce_all())]
                await self._leave.wait()
                self._announce()
                await asyncio.wait({taking, *self._thinking}, timeout=CLOSE_SECONDS)
        finally:
            for task in (*chores, *self._thinking):
                task.cancel()
            await asyncio.gather(*chores, *self._thinking, return_exceptions=True)
            await channel.close()
            await self._requests.close()

    def on_message(self, topic: str, hint: bytes) -> None:
        """Nothing is told to a worker: it takes what there is."""

    def on_subscribed(self, topic: str) -> None:
        """Nor is anything missed."""

    # Who it is.

    def _change(self) -> None:
        """Some bots are awake that were not, or cannot be asked for a while."""
        if self._waking.bots():
            self._is_awake.set()
        self._announce()

    async def _announce_all(self) -> None:
        while True:
            self._announce()
            await asyncio.sleep(ANNOUNCE_SECONDS)

    def _announce(self) -> None:
        bots = () if self._leave.is_set() else tuple(self._waking.bots())
        self._tell(WORKERS, Announcement(self.name, self._processes, len(self._thinking), bots))

    def _tell(self, topic: str, message: Announcement | WorkerMessage) -> None:
        if self._channel is not None:
            self._channel.publish(topic, written(message))

    # What it does.

    async def _take_all(self) -> None:
        """Take a thought whenever a process has nothing to do; others may have more of them."""
        while not self._leave.is_set():
            await self._waking.spare.acquire()
            thought = None
            try:
                thought = await self._taken()
            finally:
                if thought is None:
                    self._waking.spare.release()
            if thought is not None:
                task = asyncio.create_task(self._think(thought))
                self._thinking.add(task)
                task.add_done_callback(self._done)

    async def _taken(self) -> MoveRequest | None:
        bots = self._waking.bots()
        random.shuffle(bots)  # None goes before the others.
        if not bots:
            await asyncio.sleep(PAUSE)
            return None
        try:
            found = await self._requests.take(bots, seconds=TAKE_SECONDS)
            thought = None if found is None else read_request(found)
            is_late = thought is not None and await self._requests.now() > thought.not_after
        except msgspec.DecodeError as problem:
            log.warning("not understood", why=str(problem))
            return None
        except QueueUnavailable as trouble:
            self._note_trouble(str(trouble))
            await asyncio.sleep(PAUSE)
            return None
        self._note_trouble(None)
        return None if is_late else thought

    def _note_trouble(self, why: str | None) -> None:
        """Once each time it begins and ends."""
        if why is not None and not self._is_cut_off:
            log.warning("no thoughts can be taken", why=why)
        elif why is None and self._is_cut_off:
            log.info("thoughts can be taken again")
        self._is_cut_off = why is not None

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._thinking.discard(task)
        self._waking.spare.release()

    async def _think(self, thought: MoveRequest) -> None:
        answer: Answer = Returned(thought.number)
        try:
            if not self._leave.is_set():
                self._tell(thought.topic, Taken(thought.number, self.name))
                answer = await self._answer(thought)
        finally:
            self._tell(thought.topic, answer)

    async def _answer(self, thought: MoveRequest) -> Answer:
        longest = thought.seconds + ALLOWANCE
        work = partial(think, seconds=thought.seconds)
        try:
            move = await self._minds.ask(work, thought.bot, thought.view, thought.seed, longest=longest)
        except BotFailed as failure:
            why = str(failure)
        except Exception as error:  # noqa: BLE001 (whatever ended the process, the worker goes on)
            self._waking.stir_soon()
            why = f"{type(error).__name__}: {error}"[:200]
        else:
            return Returned(thought.number) if move is None else Answered(thought.number, move)
        return Returned(thought.number) if await self._is_leaving() else self._failed(thought, why)

    async def _is_leaving(self) -> bool:
        """The signal that ends a worker may end a bot's process first, which is not the bot's fault."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._leave.wait(), SAME_MOMENT)
        return self._leave.is_set()

    def _failed(self, thought: MoveRequest, why: str) -> Failed:
        log.warning("bot failed", bot=thought.bot, why=why)
        return Failed(thought.number, why)


def note_failure(names: list[str], why: str) -> None:
    log.warning("bots not ready", bots=", ".join(names), why=why)
