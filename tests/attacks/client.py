"""An attacker's connections: bytes as they please, from an address of their choice."""

import asyncio
import os
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Self

import msgspec

CUT_OFF = (OSError, EOFError, TimeoutError, ValueError)
"""How it shows that the other side has hung up, or answers with something else."""
PAUSE = 0.02
"""Seconds after which an attacker who was sent away comes back."""
TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION = 1, 2, 8, 9, 10, 0
MASK = bytes(4)
"""Leaves a payload as it is, which costs an attacker nothing."""


class Target(msgspec.Struct, frozen=True):
    """Where a server, or the proxy before it, listens."""

    port: int
    certificate: str | None = None
    """Of a proxy that speaks TLS."""

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    @property
    def url(self) -> str:
        return f"{'https' if self.certificate else 'http'}://{self.host}"

    @property
    def tls(self) -> ssl.SSLContext | None:
        return ssl.create_default_context(cafile=self.certificate) if self.certificate else None


class Answer(msgspec.Struct):
    status: int
    headers: dict[str, str]
    body: bytes


class Link:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str) -> None:
        self.reader = reader
        self.writer = writer
        self._host = host

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def head(self, method: str, path: str, **headers: str) -> bytes:
        """Headers are named with underscores for dashes."""
        named = {"Host": self._host} | {name.replace("_", "-"): text for name, text in headers.items()}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in named.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> bytes:
        if body is not None:
            headers = {"Content_Type": "application/json", "Content_Length": str(len(body))} | headers
        return self.head(method, path, **headers) + (body or b"")

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        raw = body if body is None or isinstance(body, bytes) else msgspec.json.encode(body)
        await self.send(self.request(method, path, raw, **headers))
        return await self.answer(has_body=method != "HEAD")

    async def answer(self, *, has_body: bool = True) -> Answer:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): text.strip() for name, _, text in (line.partition(":") for line in lines)}
        status, body = int(first.split(" ")[1]), b""
        if has_body and "content-length" in headers:
            body = await self.reader.readexactly(int(headers["content-length"]))
        elif has_body and headers.get("transfer-encoding") == "chunked":
            while size := int((await self.reader.readuntil(b"\r\n")).strip(), 16):
                body += await self.reader.readexactly(size)
                await self.reader.readexactly(2)
            await self.reader.readexactly(2)
        return Answer(status, headers, body)

    async def upgrade(self, cookie: str = "", *, protocol: int = 2, **headers: str) -> int:
        """Become a WebSocket; tells the status."""
        asked = self.head(
            "GET",
            f"/socket?protocol={protocol}",
            Connection="Upgrade",
            Upgrade="websocket",
            Sec_WebSocket_Version="13",
            Sec_WebSocket_Key="AAAAAAAAAAAAAAAAAAAAAA==",
            Cookie=cookie,
            **headers,
        )
        await self.send(asked)
        return (await self.answer(has_body=False)).status

    async def say(self, **message: Any) -> None:
        await self.send(frame(TEXT, msgspec.json.encode(message)))

    async def hear(self) -> bytes:
        """The next frame's payload."""
        _, size = await self.reader.readexactly(2)
        if size == 126:
            (size,) = struct.unpack("!H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
        return await self.reader.readexactly(size)

    async def read_all(self) -> None:
        """Until the other side hangs up."""
        while await self.reader.read(2**16):
            pass

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.transport.abort()


class Attacker:
    """Somebody at one address."""

    def __init__(self, target: Target, source: str) -> None:
        self.target = target
        self.source = source
        self.tls = target.tls
        self.made = 0
        """Number of accounts."""

    async def connect(self, *, is_deaf: bool = False, source: str | None = None) -> Link:
        """``is_deaf`` reads nothing that it does not ask for, and has hardly any room for it."""
        raw = socket.socket()
        try:
            raw.setblocking(False)
            if is_deaf:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            raw.bind((source or self.source, 0))
            await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", self.target.port))
            reader, writer = await asyncio.open_connection(
                sock=raw,
                ssl=self.tls,
                server_hostname="localhost" if self.tls else None,
                limit=4096 if is_deaf else 2**20,
            )
        except BaseException:
            raw.close()
            raise
        if is_deaf:
            writer.transport.set_write_buffer_limits(high=2**16)
        return Link(reader, writer, self.target.host)

    async def sign_up(self, source: str | None = None) -> str:
        """The cookie of a new person."""
        self.made += 1
        async with await self.connect(source=source) as link:
            answer = await link.ask("POST", "/api/me", {"name": f"Eve {self.made}"})
        if answer.status != 201:
            raise ValueError(answer.status, answer.body)
        return answer.headers["set-cookie"].partition(";")[0]

    async def socket(self, cookie: str, *, is_deaf: bool = False, protocol: int = 2) -> Link:
        """A WebSocket that was let in."""
        link = await self.connect(is_deaf=is_deaf)
        if await link.upgrade(cookie, protocol=protocol) != 101:
            raise ConnectionError
        return link

    async def again(self, attempt: Callable[[], Awaitable[None]]) -> None:
        """Over and over, whatever the server does about it."""
        while True:
            with suppress(*CUT_OFF):
                await attempt()
            await asyncio.sleep(PAUSE)

    async def crowd(self, count: int, attempt: Callable[[], Awaitable[None]]) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(count):
                group.create_task(self.again(attempt))


def frame(opcode: int, payload: bytes = b"", *, is_last: bool = True) -> bytes:
    size = len(payload)
    first = opcode | (0x80 if is_last else 0)
    if size < 126:
        return struct.pack("!BB", first, 0x80 | size) + MASK + payload
    if size < 2**16:
        return struct.pack("!BBH", first, 0xFE, size) + MASK + payload
    return struct.pack("!BBQ", first, 0xFF, size) + MASK + payload


def garbage(size: int) -> bytes:
    return os.urandom(size)
