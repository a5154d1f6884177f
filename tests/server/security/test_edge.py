"""A connection that sends too much, too slowly or does not read is ended, and costs little until then."""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.frames import Frame, Opcode

from royalcrypt.server.http import protocols
from royalcrypt.server.http.protocols import RequestProtocol
from royalcrypt.server.limits import (
    FRAGMENTS,
    FRAMES,
    HEAD_BYTES,
    HEADERS,
    MESSAGE_BYTES,
    PIPELINED,
    READ_TIME,
    REQUEST_TIME,
    REQUESTS_AT_ONCE,
)
from royalcrypt.server.run import forms_of
from tests.server.harness import PATIENCE, Host, Person, ends_of_sockets, person, until, with_server
from tests.server.security.raw import UPGRADE, send_bytes

START = b"GET /health HTTP/1.1\r\nHost: x\r\n"
LARGE = b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
NARROW = 4096
"""Bytes that wait in a socket, so that it is soon full."""


async def dial(host: Host) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", urlsplit(host.url).port)


async def limits_reached(host: Host) -> set[str]:
    return {
        sample.labels["limit"]
        for metric in host.service.metrics.limits.collect()
        for sample in metric.samples
        if sample.name.endswith("_total")
    }


def requests_in(host: Host) -> list[RequestProtocol]:
    assert host.server is not None
    return [one for one in host.server.server_state.connections if isinstance(one, RequestProtocol)]


def test_a_head_beyond_its_limits_is_refused_even_if_it_comes_at_once(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        long = START + b"X-Odd: " + b"a" * HEAD_BYTES.most + b"\r\n\r\n"
        many = START + b"X-Odd: a\r\n" * HEADERS.most + b"\r\n"
        for head in (long, many):
            assert (await send_bytes(host, head)).status == 400
        assert await limits_reached(host) == {HEAD_BYTES.name, HEADERS.name}
        some = START + b"X-Odd: a\r\n" * (HEADERS.most - 1) + b"\r\n"
        assert (await send_bytes(host, some)).status == 200

    with_server(test, tmp_path)


def test_pipelined_requests_are_answered_one_after_the_other(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        reader, writer = await dial(host)
        body = b'{"name": "Ada"}'
        post = b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        writer.write((START + b"\r\n" + post + b"Content-Length: 15\r\n\r\n" + body) * 10)
        async with asyncio.timeout(PATIENCE):
            for _ in range(10):
                for status in (b"200", b"201"):
                    (end,) = requests_in(host)
                    assert len(end.pipeline) <= PIPELINED.most
                    head = await reader.readuntil(b"\r\n\r\n")
                    assert head.startswith(b"HTTP/1.1 " + status)
                    (length,) = [line for line in head.split(b"\r\n") if line.startswith(b"content-length")]
                    await reader.readexactly(int(length.split()[1]))
        writer.close()

    with_server(test, tmp_path)


def test_who_does_not_read_responses_gets_no_more_of_them_and_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(host: Host) -> None:
        with socket.socket() as narrow:
            narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, NARROW)
            narrow.connect(("127.0.0.1", urlsplit(host.url).port or 0))
            await until(lambda: len(requests_in(host)) == 1)
            (end,) = requests_in(host)
            end.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, NARROW)
            monkeypatch.setattr(protocols, "READ_TIME", READ_TIME._replace(seconds=0.5))
            narrow.setblocking(False)
            with suppress(BlockingIOError):
                narrow.send(LARGE * 500)
            await until(lambda: end.flow.write_paused)
            assert len(end.pipeline) <= 1
            assert end.transport.get_write_buffer_size() < 1_000_000
            await until(lambda: requests_in(host) == [])
        assert await limits_reached(host) == {READ_TIME.name}

    with_server(test, tmp_path)


@pytest.mark.parametrize("before", [b"", START + b"\r\n"])
@pytest.mark.parametrize("drop", [b"\r\n", b"X"])
def test_drops_do_not_keep_a_connection_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes, drop: bytes
) -> None:
    monkeypatch.setattr(protocols, "REQUEST_TIME", REQUEST_TIME._replace(seconds=0.3))

    async def test(host: Host) -> None:
        reader, writer = await dial(host)
        writer.write(before)
        if before:
            await reader.readuntil(b"\r\n\r\n")

        async def drip() -> None:
            with suppress(ConnectionError):
                while True:
                    writer.write(drop)
                    await writer.drain()
                    await asyncio.sleep(0.02)

        task = asyncio.ensure_future(drip())
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionError):
                await reader.read()
        task.cancel()
        writer.close()
        assert requests_in(host) == []

    with_server(test, tmp_path)


def test_a_request_is_not_handled_before_its_body_is_there(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        assert host.server is not None
        _, writer = await dial(host)
        writer.write(b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
        await until(lambda: any(end.cycle is not None for end in requests_in(host)))
        assert not host.server.server_state.tasks
        writer.close()
        reader, writer = await dial(host)
        writer.write(b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        async with asyncio.timeout(PATIENCE):
            assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.close()

    with_server(test, tmp_path)


def test_who_leaves_in_the_middle_of_a_long_body_is_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def test(host: Host) -> None:
        assert host.server is not None
        server = host.server
        _, writer = await dial(host)
        kind = b"Content-Type: application/json\r\nContent-Length: 300000\r\n\r\n"
        writer.write(b"POST /api/replay HTTP/1.1\r\nHost: x\r\n" + kind + b"a" * 200_000)
        await until(lambda: bool(server.server_state.tasks))
        writer.transport.abort()
        await until(lambda: not server.server_state.tasks)

    with_server(test, tmp_path)
    assert "request failed" not in capsys.readouterr().out


def upgrade(someone: Person, **more: str) -> bytes:
    named = {"Host": urlsplit(someone.host.url).netloc, "Cookie": someone.cookie} | UPGRADE | more
    lines = (
        "GET /socket?protocol=2 HTTP/1.1",
        *(f"{name}: {value}" for name, value in named.items()),
        "",
        "",
    )
    return "\r\n".join(lines).encode()


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


async def closed_with(reader: asyncio.StreamReader) -> int | None:
    """Read everything; returns the code in the close frame, if there is one."""
    data = b""
    with suppress(ConnectionError):
        async with asyncio.timeout(PATIENCE):
            while more := await reader.read(65536):
                data += more
    _, found, end = data.rpartition(b"\x88")
    return int.from_bytes(end[1:3]) if found else None


ENDS = {
    "pings": (frame(Opcode.PING) * (FRAMES.burst + 1), 1008, FRAMES.name),
    "pongs": (frame(Opcode.PONG) * (FRAMES.burst + 1), 1008, FRAMES.name),
    "parts": (
        frame(Opcode.TEXT, fin=False) + frame(Opcode.CONT, fin=False) * FRAMES.burst, 1008, FRAMES.name,
    ),
    "beginnings": (
        (frame(Opcode.TEXT, fin=False) + frame(Opcode.CONT)) * FRAMES.burst, 1008, FRAMES.name,
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ENDS)
def test_frames_that_are_no_messages_are_counted(tmp_path: Path, kind: str) -> None:
    data, code, limit = ENDS[kind]

    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            reader, writer = await dial(host)
            writer.write(upgrade(ada))
            await reader.readuntil(b"\r\n\r\n")
            writer.write(data)
            assert await closed_with(reader) == code
            writer.close()
            assert limit in await limits_reached(host)
            await ada.connect()
            for _ in range(FRAMES.burst // 2):
                assert ada.socket is not None
                await (await ada.socket.ping())
            assert (await ada.tell(type="ping"))["type"] == "done"

    with_server(test, tmp_path, rate_limits=True)


def test_a_message_has_an_end_even_if_the_host_limits_no_rates(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            for data, code in (
                (frame(Opcode.TEXT, fin=False) + frame(Opcode.CONT, fin=False) * FRAGMENTS.most, 1008),
                (frame(Opcode.TEXT, b"a" * (MESSAGE_BYTES.most + 1)), 1009),
            ):
                reader, writer = await dial(host)
                writer.write(upgrade(ada))
                await reader.readuntil(b"\r\n\r\n")
                writer.write(data)
                assert await closed_with(reader) == code
                writer.close()
        assert {FRAGMENTS.name, MESSAGE_BYTES.name} <= await limits_reached(host)

    with_server(test, tmp_path)


def test_what_is_sent_with_the_handshake_waits_until_it_is_accepted(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            reader, writer = await dial(host)
            writer.write(
                upgrade(ada) + frame(Opcode.PING, b"hello") + frame(Opcode.TEXT, b'{"type":"ping","id":7}')
            )
            async with asyncio.timeout(PATIENCE):
                assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
                data = b""
                while b'"re":7' not in data:
                    data += await reader.read(65536)
            assert b"\x8a\x05hello" in data
            writer.close()

    with_server(test, tmp_path)


def test_a_handshake_that_cannot_be_read_is_answered_and_ended(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            reader, writer = await dial(host)
            writer.write(upgrade(ada, X_Long="a" * 10_000))
            async with asyncio.timeout(PATIENCE):
                assert (await reader.read()).startswith(b"HTTP/1.1 431")
            writer.close()
            await until(lambda: ends_of_sockets(host) == set())

    with_server(test, tmp_path)


def test_nothing_is_read_of_a_client_that_reads_nothing(tmp_path: Path) -> None:
    """Or answers to its pings would pile up."""

    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            with socket.socket() as narrow:
                narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, NARROW)
                narrow.connect(("127.0.0.1", urlsplit(host.url).port or 0))
                narrow.setblocking(False)
                narrow.send(upgrade(ada))
                await until(lambda: len(host.service.hub.connections) == 1)
                (end,) = ends_of_sockets(host)
                end.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, NARROW)
                data = frame(Opcode.PING, b"a" * 125) * 1000
                sent = 0

                def is_stuck() -> bool:
                    nonlocal sent
                    with suppress(BlockingIOError):
                        while True:
                            sent += narrow.send(data[sent % 131 :])
                    return not end.writable.is_set()

                await until(is_stuck)
                for _ in range(200):
                    is_stuck()
                    await asyncio.sleep(0)
                assert end.read_paused
                assert end.transport.get_write_buffer_size() < 2 * 65536
                assert len(end._unparsed) <= 256 * 1024

    with_server(test, tmp_path)


@pytest.mark.parametrize(
    "unfinished",
    [
        b"Expect: 100-continue\r\nContent-Length: 10\r\n\r\n",
        b"Content-Length: 500000\r\n\r\n" + b" " * 80_000,
    ],
)
def test_requests_that_wait_for_their_bodies_keep_nobody_at_their_address_waiting(
    tmp_path: Path, unfinished: bytes
) -> None:
    async def test(host: Host) -> None:
        writers: list[asyncio.StreamWriter] = []
        head = b"POST /api/replay HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        for _ in range(REQUESTS_AT_ONCE.most + 4):
            _, writer = await dial(host)
            writer.write(head + unfinished)
            writers.append(writer)
        await until(lambda: sum(end.cycle is not None for end in requests_in(host)) == len(writers))
        async with host.client() as http, asyncio.timeout(2):
            assert (await http.get("/api/bots")).status_code == 200
        for writer in writers:
            writer.transport.abort()

    with_server(test, tmp_path)


def test_an_upgrade_behind_an_unanswered_request_is_refused(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        reader, writer = await dial(host)
        writer.write(
            b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: 14\r\n\r\n"
            b'{"name":"Adx"}GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        async with asyncio.timeout(PATIENCE):
            received = await reader.read()
        assert b" 101 " not in received
        writer.close()

    with_server(test, tmp_path)


def test_a_proxy_is_trusted_in_both_forms_of_its_address() -> None:
    assert list(forms_of("127.0.0.1")) == ["127.0.0.1", "::ffff:127.0.0.1"]
    assert list(forms_of("10.0.0.0/8")) == ["10.0.0.0/8", "::ffff:10.0.0.0/104"]
    assert list(forms_of("fd00::/8")) == ["fd00::/8"]
