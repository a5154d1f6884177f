"""Connections that keep every byte the server sent."""

import asyncio
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect

Json = dict[str, Any]
PATIENCE = 20.0
CHANGING = (b"date:", b"sec-websocket-accept:")
"""Headers that differ from one moment and one handshake to the next."""
PING, PONG = 9, 10


class Wire(ClientConnection):
    """Hears the bytes before anything is made of them."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.raw = bytearray()

    def data_received(self, data: bytes) -> None:
        self.raw += data
        super().data_received(data)


class Answered(msgspec.Struct):
    re: int | None = None


class Frame(NamedTuple):
    opcode: int
    payload: bytes


def frames_in(raw: bytes) -> Iterator[Frame]:
    """The frames of a server's stream: never masked, and here never in parts."""
    at = 0
    while at < len(raw):
        assert raw[at] & 0x80, "a message in parts"
        opcode, length = raw[at] & 0x0F, raw[at + 1]
        assert length < 0x80, "a masked frame"
        at += 2
        more = {126: 2, 127: 8}.get(length, 0)
        if more:
            length = int.from_bytes(raw[at : at + more])
            at += more
        yield Frame(opcode, bytes(raw[at : at + length]))
        at += length


class Tap:
    """One connection: asks, waits for answers, and keeps what came."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self._number = 0

    @classmethod
    async def connect(cls, url: str, credentials: dict[str, str], origin: str) -> "Tap":
        headers = {"Origin": origin} | credentials
        wire: Any = await connect(
            url,
            additional_headers=headers,
            compression=None,
            max_size=None,
            max_queue=None,
            ping_interval=None,
            create_connection=Wire,
        )
        tap = cls(wire)
        await tap.hear()
        return tap

    async def hear(self) -> bytes:
        """The next message."""
        async with asyncio.timeout(PATIENCE):
            return await self.wire.recv(decode=False)

    async def tell(self, **message: Any) -> Json:
        """Send, and wait for the answer."""
        return msgspec.json.decode((await self.tell_and_hear(**message))[-1])

    async def tell_and_hear(self, **message: Any) -> list[bytes]:
        """Send, and give everything that comes up to the answer."""
        self._number += 1
        await self.wire.send(msgspec.json.encode({"id": self._number} | message).decode())
        heard = [await self.hear()]
        while msgspec.json.decode(heard[-1], type=Answered).re != self._number:
            heard.append(await self.hear())
        return heard

    async def mumble(self, text: str | bytes) -> Json:
        """Send what cannot be understood, and wait for the refusal."""
        await self.wire.send(text)
        while (answer := msgspec.json.decode(await self.hear()))["type"] != "refused":
            pass
        return answer

    async def hang_up(self) -> list[bytes]:
        """Hang up, and give everything that came."""
        await self.tell(type="ping")  # whatever was sent before has come now
        await self.wire.close()
        return self.kept()

    async def sent_away(self) -> list[bytes]:
        """The same, where it is the server that hangs up."""
        await self.wire.wait_closed()
        return self.kept()

    def kept(self) -> list[bytes]:
        """The head of the handshake's answer, then each message."""
        head, _, stream = bytes(self.wire.raw).partition(b"\r\n\r\n")
        messages = [frame for frame in frames_in(stream) if frame.opcode not in (PING, PONG)]
        return [lasting(head), *(bytes([frame.opcode]) + frame.payload for frame in messages)]


class Answer(NamedTuple):
    head: bytes
    """The status and headers, without those that change."""
    body: bytes

    @property
    def status(self) -> int:
        return int(self.head.split()[1])

    def is_of(self, media_type: bytes) -> bool:
        return b"\ncontent-type: " + media_type in self.head


class Letters:
    """One connection for requests, one after the other."""

    def __init__(self, url: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._origin = {"Host": urlsplit(url).netloc, "Origin": url}
        self._reader = reader
        self._writer = writer

    @classmethod
    @asynccontextmanager
    async def opened(cls, url: str) -> AsyncGenerator["Letters"]:
        place = urlsplit(url)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        letters = cls(url, reader, writer)
        try:
            yield letters
        finally:
            letters._writer.close()
            await letters._writer.wait_closed()

    async def _reconnect(self) -> None:
        """The server has hung up on a connection that was silent for some seconds."""
        self._writer.close()
        host, _, port = self._origin["Host"].partition(":")
        self._reader, self._writer = await asyncio.open_connection(host, int(port))

    async def ask(self, method: str, path: str, headers: dict[str, str], body: Any) -> Answer:
        if self._reader.at_eof():
            await self._reconnect()
        content = b"" if body is None else msgspec.json.encode(body)
        lines = self._origin | {"Content-Length": str(len(content))} | headers
        if content:
            lines["Content-Type"] = "application/json"
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self._writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + content)
        async with asyncio.timeout(PATIENCE):
            answered = (await self._reader.readuntil(b"\r\n\r\n"))[:-4]
            length = re.search(rb"(?i)\ncontent-length: (\d+)", answered)
            return Answer(lasting(answered), await self._reader.readexactly(int(length[1]) if length else 0))


def lasting(head: bytes) -> bytes:
    """Status and headers, without those that change by themselves."""
    return b"\n".join(line for line in head.split(b"\r\n") if not line.lower().startswith(CHANGING))
