"""A client that leaves, at whatever moment, is no error: the log says nothing of it."""

import asyncio
import random
import socket
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from tests.server.harness import Host, Person, any_action, person
from tests.server.processes import REAL, Process
from tests.server.security.raw import UPGRADE

ROUNDS = 15
RESET = struct.pack("ii", 1, 0)
"""A linger of no time: closing cuts the connection off."""
MASK = b"\0\0\0\0"
MOVES = 15


class Visitor(NamedTuple):
    """Says something to a server byte by byte, and leaves without reading the answer."""

    url: str
    cookie: str
    table: str

    @property
    def greeting(self) -> bytes:
        headers = UPGRADE | {"Host": urlsplit(self.url).netloc, "Origin": self.url, "Cookie": self.cookie}
        lines = ["GET /socket?protocol=2 HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    @property
    def watch(self) -> bytes:
        return frame(f'{{"type":"watch","table":"{self.table}","id":1}}')


def frame(text: str) -> bytes:
    """A short text as a masked frame."""
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text)]) + MASK + text.encode()


SAID: dict[str, Callable[[Visitor], bytes]] = {
    "nothing": lambda _: b"",
    "half a greeting": lambda visitor: visitor.greeting[:60],
    "a greeting": lambda visitor: visitor.greeting,
    "a greeting without a cookie": lambda visitor: visitor._replace(cookie="").greeting,
    "a greeting from another site": lambda visitor: visitor.greeting.replace(b"Origin: http", b"Origin: ftp"),
    "a first message": lambda visitor: visitor.greeting + visitor.watch,
    "many messages": lambda visitor: visitor.greeting + 40 * visitor.watch,
    "a goodbye": lambda visitor: visitor.greeting + visitor.watch + b"\x88\x80" + MASK,
    "half a message": lambda visitor: visitor.greeting + visitor.watch[:9],
}


async def visit(url: str, said: bytes, chance: random.Random, *, is_cut: bool, waits: float) -> None:
    """``waits`` some milliseconds at most before leaving, so that the server is anywhere in its answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)
    writer.write(said)
    await writer.drain()
    await asyncio.sleep(chance.uniform(0, waits / 1000))
    if is_cut:
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        writer.transport.abort()
    else:
        writer.close()
    del reader


@pytest.mark.parametrize("is_cut", [True, False], ids=["cut off", "closed"])
def test_leaving_at_any_moment_is_not_logged(tmp_path: Path, *, is_cut: bool) -> None:
    chance = random.Random(1)

    async def test(url: str) -> None:
        host = Host(url)
        async with person(host, "Ada") as ada, person(host, "Bo", is_connected=False) as bo:
            table = (await ada.open_table(start=True, players=1, is_listed=True))["info"]["table"]
            await ada.watch(table)
            visitor = Visitor(url, bo.cookie, table)
            for waits in (0.0, 2.0, 20.0):
                await asyncio.gather(playing(ada, table, chance), *visits(visitor, waits))
            await ada.tell(type="ping")

    def visits(visitor: Visitor, waits: float) -> list[Awaitable[None]]:
        return [
            visit(visitor.url, said(visitor), chance, is_cut=is_cut, waits=waits)
            for said in SAID.values()
            for _ in range(ROUNDS)
        ]

    with Process(tmp_path / "data", "serve", "--port", "0", "--no-rate-limits", program=REAL) as server:
        asyncio.run(test(server.url))
        assert server.end() == 0
        assert server.complaints() == ""


async def playing(ada: Person, table: str, chance: random.Random) -> None:
    """Every move is sent to all who watch just now."""
    for _ in range(MOVES):
        if ada.view["phase"] == "over":
            return
        await ada.act(table, any_action(ada.view, chance))
