"""Sockets as browsers hold them, with as little work for each message as can be."""

import asyncio
from collections.abc import Callable
from typing import cast

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL, MASKED = 0x80, 0x80
NO_MASK = bytes(4)
"""Clients must mask what they send; a mask of zeros changes nothing, so there is nothing to work out."""
SHORT, MEDIUM = 126, 127
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Origin: http://{host}\r\n{cookie}\r\n"
)


def frame(payload: bytes, opcode: int = TEXT) -> bytes:
    size = len(payload)
    if size < SHORT:
        return bytes((FINAL | opcode, MASKED | size)) + NO_MASK + payload
    return bytes((FINAL | opcode, MASKED | SHORT)) + size.to_bytes(2) + NO_MASK + payload


class Seat(asyncio.Protocol):
    """One open socket; ``hear`` is called with each message."""

    def __init__(self, path: str, host: str, cookie: str, hear: Callable[["Seat", bytes], None]) -> None:
        self.cookie = cookie
        self.hear = hear
        self.opened = asyncio.get_running_loop().create_future()
        self.is_lost = False
        self.host = host
        self._path = path
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        self._transport.write(HANDSHAKE.format(path=self._path, host=self.host, cookie=cookie).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("the server hung up"))

    def send(self, payload: bytes) -> None:
        self._transport.write(frame(payload))

    def leave(self) -> None:
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        at = 0
        if not self.opened.done():
            at = data.find(b"\r\n\r\n") + 4
            if at < 4:
                self._rest = data
                return
            self._check_welcome(data)
        self._rest = self._read_frames(data, at)

    def _check_welcome(self, data: bytes) -> None:
        if data.startswith(b"HTTP/1.1 101"):
            self.opened.set_result(None)
        else:
            self.opened.set_exception(ConnectionError(data[:200].decode("latin-1")))

    def _read_frames(self, data: bytes, at: int) -> bytes:
        """Hear all whole frames; gives what is left over."""
        end = len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == SHORT:
                size, start = int.from_bytes(data[start : start + 2]), start + 2
            elif size == MEDIUM:
                size, start = int.from_bytes(data[start : start + 8]), start + 8
            if start + size > end:
                break
            opcode = data[at] & 15
            at = start + size
            if opcode == TEXT:
                self.hear(self, data[start:at])
            elif opcode == PING:
                self._transport.write(frame(data[start:at], PONG))
        return data[at:]


async def open_seats(seats: list[Seat], *, at_once: int = 50) -> None:
    """Connect them all, some at a time, as a crowd would come in."""
    for first in range(0, len(seats), at_once):
        group = seats[first : first + at_once]
        await asyncio.gather(*map(connect, group))
        await asyncio.gather(*(seat.opened for seat in group))


async def connect(seat: Seat) -> None:
    address, port = seat.host.split(":")
    await asyncio.get_running_loop().create_connection(lambda: seat, address, int(port))
