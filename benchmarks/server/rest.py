"""Requests over a few connections that stay open while they are used."""

import asyncio
from typing import Any, NamedTuple

import msgspec

IDLE = 2.0
"""Seconds after which the server may be about to hang up."""


class Line(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    used: float


class Rest:
    def __init__(self, host: str, connections: int = 8) -> None:
        self._host = host
        self._clock = asyncio.get_running_loop().time
        self._free: asyncio.LifoQueue[Line | None] = asyncio.LifoQueue()
        for _ in range(connections):
            self._free.put_nowait(None)

    async def post(self, path: str, cookie: str, body: Any) -> Any:
        """What is answered; anything but success is an error."""
        reader, writer = await self._line(await self._free.get())
        content = msgspec.json.encode(body)
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nCookie: {cookie}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        size = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        answer = await reader.readexactly(size)
        self._free.put_nowait(Line(reader, writer, self._clock()))
        if not head.startswith(b"http/1.1 2"):
            raise ConnectionError(f"{path}: {answer.decode()}")
        return msgspec.json.decode(answer)

    async def _line(self, line: Line | None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if line is not None and self._clock() - line.used < IDLE:
            return line.reader, line.writer
        if line is not None:
            line.writer.close()
        address, port = self._host.split(":")
        return await asyncio.open_connection(address, int(port))
