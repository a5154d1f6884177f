"""The bot-worker process: computes bot moves for servers, which it receives through Redis.

It is stateless: if it fails, the server computes the move itself after a short time-out.
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
from royalcrypt.live.background import cancel_all
from royalcrypt.server.bots.move_requests import (
    WORKERS,
    Announcement,
    Answered,
    Failed,
    MoveRequest,
    QueueUnavailable,
    Reply,
    RequestQueue,
    RequestReturned,
    Taken,
    WorkerMessage,
    encode,
    read_request,
)
from royalcrypt.server.bots.pool import BotPool, PoolWarmup, WorkerFailed, choose_move
from royalcrypt.server.cluster.channel import Channel, open_channel

ANNOUNCE_SECONDS = 1.0
TAKE_SECONDS = 0.4
"""Seconds for which one Redis command waits for a request; also the maximum delay of a shutdown."""
REDIS_TIMEOUT = 2.0
RECONNECT_SECONDS = 0.3
"""Seconds between attempts to reach Redis."""
EXTRA_SECONDS = 2.0
"""Seconds beyond a bot's time budget until its process is killed; the server has given up by then."""
SIGNAL_SECONDS = 0.1
"""Seconds by which a signal may reach a bot's process earlier than the worker."""
SHUTDOWN_SECONDS = 1.0
"""Seconds for which a shutdown waits for moves in progress."""
log = structlog.get_logger()


class BotWorker:
    def __init__(self, url: str, processes: int, *, is_ready: Callable[[str], bool]) -> None:
        """``is_ready(name)`` is true for bots that are already compiled."""
        self.name = f"{socket.gethostname()[:60]}:{os.getpid()}:{token_hex(3)}"
        self._url = url
        self._processes = processes
        self._requests = RequestQueue(url, longest=REDIS_TIMEOUT)
        self._pool = BotPool(processes)
        self._warmup = PoolWarmup(
            processes,
            known_names(),
            is_ready=is_ready,
            is_paused=self._pool.is_paused,
            on_change=self._on_change,
        )
        self._channel: Channel | None = None
        self._choices: set[asyncio.Task[None]] = set()
        self._started, self._leaving = asyncio.Event(), asyncio.Event()
        self._is_disconnected = False

    def leave(self) -> None:
        """Request shutdown: moves in progress are finished or returned to their servers."""
        self._leaving.set()
        self._started.set()

    async def run(self, *, on_open: Callable[[], object]) -> None:
        """Serve requests until ``leave`` is called; calls ``on_open`` once the first bots are loaded."""
        channel = self._channel = open_channel(self._url, self)
        tasks = [asyncio.create_task(self._warmup.run())]
        try:
            await self._started.wait()
            if not self._leaving.is_set():
                on_open()
                taking = asyncio.create_task(self._take_all())
                tasks += [taking, asyncio.create_task(self._announce_all())]
                await self._leaving.wait()
                self._announce()
                await asyncio.wait({taking, *self._choices}, timeout=SHUTDOWN_SECONDS)
        finally:
            await cancel_all([*tasks, *self._choices])
            await channel.close()
            await self._requests.close()

    def on_message(self, topic: str, hint: bytes) -> None:
        """Do nothing: a worker has no subscriptions."""

    def on_subscribed(self, topic: str) -> None:
        """Do nothing: a worker has no subscriptions."""

    def _on_change(self) -> None:
        if self._warmup.bots():
            self._started.set()
        self._announce()

    async def _announce_all(self) -> None:
        while True:
            self._announce()
            await asyncio.sleep(ANNOUNCE_SECONDS)

    def _announce(self) -> None:
        bots = () if self._leaving.is_set() else tuple(self._warmup.bots())
        self._publish(WORKERS, Announcement(self.name, self._processes, len(self._choices), bots))

    def _publish(self, topic: str, message: Announcement | WorkerMessage) -> None:
        if self._channel is not None:
            self._channel.publish(topic, encode(message))

    async def _take_all(self) -> None:
        """Take and handle requests, one per idle process, until shutdown."""
        while not self._leaving.is_set():
            await self._warmup.idle.acquire()
            request = None
            try:
                request = await self._take()
            finally:
                if request is None:
                    self._warmup.idle.release()
            if request is not None:
                task = asyncio.create_task(self._handle(request))
                self._choices.add(task)
                task.add_done_callback(self._on_done)

    async def _take(self) -> MoveRequest | None:
        bots = self._warmup.bots()
        random.shuffle(bots)  # Redis prefers the first key; shuffling gives no bot priority.
        if not bots:
            await asyncio.sleep(RECONNECT_SECONDS)
            return None
        try:
            found = await self._requests.take(bots, seconds=TAKE_SECONDS)
            request = None if found is None else read_request(found)
            is_expired = request is not None and await self._requests.now() > request.not_after
        except msgspec.DecodeError as problem:
            log.warning("unreadable request", why=str(problem))
            return None
        except QueueUnavailable as problem:
            if not self._is_disconnected:
                log.warning("cannot receive requests", why=str(problem))
            self._is_disconnected = True
            await asyncio.sleep(RECONNECT_SECONDS)
            return None
        if self._is_disconnected:
            log.info("receiving requests again")
        self._is_disconnected = False
        return None if is_expired else request

    def _on_done(self, task: "asyncio.Task[None]") -> None:
        self._choices.discard(task)
        self._warmup.idle.release()

    async def _handle(self, request: MoveRequest) -> None:
        reply: Reply = RequestReturned(request.number)
        try:
            if not self._leaving.is_set():
                self._publish(request.topic, Taken(request.number, self.name))
                reply = await self._reply(request)
        finally:
            self._publish(request.topic, reply)

    async def _reply(self, request: MoveRequest) -> Reply:
        choice = partial(choose_move, seconds=request.seconds)
        timeout = request.seconds + EXTRA_SECONDS
        try:
            move = await self._pool.choose(choice, request.bot, request.view, request.seed, timeout=timeout)
            return RequestReturned(request.number) if move is None else Answered(request.number, move)
        except WorkerFailed as failure:
            why = str(failure)
        except Exception as error:  # noqa: BLE001 (the process may end in any way)
            self._warmup.refresh_soon()
            why = f"{type(error).__name__}: {error}"[:200]
        if await self._is_leaving():
            return RequestReturned(request.number)
        log.warning("bot failed", bot=request.bot, why=why)
        return Failed(request.number, why)

    async def _is_leaving(self) -> bool:
        """Wait SIGNAL_SECONDS: a signal may end the bot's process before it reaches the worker."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._leaving.wait(), SIGNAL_SECONDS)
        return self._leaving.is_set()


def log_failure(names: list[str], why: str) -> None:
    log.warning("bots not ready", bots=", ".join(names), why=why)
