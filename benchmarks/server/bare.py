"""The barest program to compare with: keeps one row a message, with group commit, then sends four messages.

The same uvicorn with the same settings, the same SQLite with the same promises; no framework, no rules.
"""

import asyncio
import queue
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import uvicorn

from royalcrypt.server.http.connection_limits import ConnectionLimits
from royalcrypt.server.run import make_config
from royalcrypt.server.settings import ServerSettings
from royalcrypt.storage.sqlite.connection import connect

MAX_BATCH = 512
Row = tuple[str, int, bytes]


class Keeper:
    """One thread writes: all that waits, in one transaction."""

    def __init__(self, path: Path) -> None:
        self._loop = asyncio.get_running_loop()
        self._rows: queue.SimpleQueue[tuple[Row, asyncio.Future[None]]] = queue.SimpleQueue()
        self._path = path
        threading.Thread(target=self._serve, daemon=True).start()

    def keep(self, row: Row) -> asyncio.Future[None]:
        kept: asyncio.Future[None] = self._loop.create_future()
        self._rows.put((row, kept))
        return kept

    def _serve(self) -> None:
        database: Any = connect(self._path)
        execute = database.cursor().execute
        execute("CREATE TABLE rows (id TEXT, n INTEGER, entry BLOB, PRIMARY KEY (id, n)) WITHOUT ROWID")
        while True:
            group = [self._rows.get()]
            while len(group) < MAX_BATCH and not self._rows.empty():
                group.append(self._rows.get())
            execute("BEGIN IMMEDIATE")
            for row, _ in group:
                execute("INSERT INTO rows VALUES (?, ?, ?)", row)
            execute("COMMIT")
            self._loop.call_soon_threadsafe(self._answer, [kept for _, kept in group])

    def _answer(self, group: list[asyncio.Future[None]]) -> None:
        for kept in group:
            kept.set_result(None)


class Bare:
    """An ASGI application. Sockets that open the same address sit at the same table."""

    def __init__(self, path: Path, size: int, row: int) -> None:
        self._path = path
        self._text = "x" * size
        self._entry = b"x" * row
        self._tables: dict[str, list[Any]] = {}
        self._counts: dict[str, int] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await self._talk(scope["query_string"].decode(), receive, send)
        else:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    async def _live(self, receive: Any, send: Any) -> None:
        await receive()
        self._keeper = Keeper(self._path)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _talk(self, table: str, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        seats = self._tables.setdefault(table, [])
        seats.append(send)
        while (await receive())["type"] == "websocket.receive":
            count = self._counts[table] = self._counts.get(table, 0) + 1
            await self._keeper.keep((table, count, self._entry))
            for each in seats:
                await each({"type": "websocket.send", "text": self._text})
        seats.remove(send)


def main() -> None:
    path, size, row = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    settings = ServerSettings(data=path.parent)
    config = make_config(Bare(path, size, row), settings, ConnectionLimits(settings))
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
