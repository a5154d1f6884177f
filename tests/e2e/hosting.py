"""A real server beside the test, in a thread of its own: it can be closed and opened again at its address."""

import asyncio
import json
import secrets
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

from royalcrypt.tables import commands
from tests.server.harness import Host, Json, serving

T = TypeVar("T")
PATIENCE = 60.0
"""Seconds, on a machine that is busy with other tests."""
SECRET = "c0ffee" * 10 + "c0de"
"""With what browsers add, cards and dice are the same every time (RECORD.md, Chance)."""


class Settled:
    """Chance as tables draw it when they are opened, without the surprise."""

    token_urlsafe = staticmethod(secrets.token_urlsafe)

    def token_hex(self, _: int) -> str:
        return SECRET

    def choice(self, offered: str) -> str:
        return offered[-1]

    def randbelow(self, _: int) -> int:
        return 0


class House:
    def __init__(self, data: Path, **settings: Any) -> None:
        self.data = data
        self.settings = settings
        self.port = 0
        self.url = ""
        self._host: Host | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._opened = threading.Event()
        self._failure: BaseException | None = None

    def open(self) -> "House":
        self._opened.clear()
        self._thread = threading.Thread(target=self._serve, name="house")
        self._thread.start()
        assert self._opened.wait(PATIENCE)
        if self._failure:
            raise self._failure
        return self

    def close(self) -> None:
        if self._thread and self._loop and self._stop:
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(PATIENCE)
            self._thread = None

    def ask(self, question: Callable[[Host], Awaitable[T]]) -> T:
        """Has something done where the server runs."""
        host = self._host
        assert host
        assert self._loop

        async def answer() -> T:
            return await question(host)

        return asyncio.run_coroutine_threadsafe(answer(), self._loop).result(PATIENCE)

    def truth(self, table: str) -> Json | None:
        """The record of a game with everything in it, also while it runs; None before it starts."""

        async def look(host: Host) -> Json | None:
            game = (await host.service.tables.table(table)).game
            return json.loads(game.record().to_json()) if game else None

        return self.ask(look)

    def _serve(self) -> None:
        try:
            with mock.patch.object(commands, "secrets", Settled()):
                asyncio.run(self._run())
        except BaseException as error:  # noqa: BLE001 (told where it is waited for)
            self._failure = error
            self._opened.set()

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        async with serving(self.data, port=self.port, **self.settings) as host:
            self._host = host
            self.url = host.url
            self.port = int(host.url.rpartition(":")[2])
            self._opened.set()
            await self._stop.wait()
