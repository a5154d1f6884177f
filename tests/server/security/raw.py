"""Requests byte by byte: what no well-behaved client would send."""

import asyncio
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from tests.server.harness import PATIENCE, Host, Json

UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    """With small letters; of several of a name, all in one."""
    body: bytes

    @property
    def reason(self) -> str:
        """The code of a refusal."""
        found: Json = msgspec.json.decode(self.body)
        return found["code"]


async def send_bytes(host: Host, data: bytes) -> Answer:
    """What comes back until the server hangs up, or its answer is whole."""
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(host.url).port)
    try:
        async with asyncio.timeout(PATIENCE):
            writer.write(data)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.strip().split("\r\n")
            headers: dict[str, str] = {}
            for line in lines:
                name, _, value = line.partition(":")
                headers[name.lower()] = f"{headers.get(name.lower(), '')}{value}".strip()
            status = int(first.split(" ")[1])
            has_body = not data.startswith(b"HEAD") and status != 204
            length = int(headers.get("content-length", "0")) if has_body else 0
            return Answer(status, headers, await reader.readexactly(length) if status != 101 else b"")
    finally:
        writer.close()


async def ask(host: Host, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
    """Headers are named with underscores for dashes; the usual Host is left out if another is given."""
    named = {"Host": urlsplit(host.url).netloc} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    if body is not None:
        named = {"Content-Type": "application/json", "Content-Length": str(len(body))} | named
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items())]
    return await send_bytes(host, "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b""))


async def knock(host: Host, **headers: str) -> Answer:
    """A socket's greeting: 101 lets it in."""
    return await ask(host, "GET", "/socket", None, **UPGRADE, **headers)
