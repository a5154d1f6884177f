"""A client that is slow, silent or too quick harms nobody but itself."""

import asyncio
import random
import socket
from collections import Counter
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from royalcrypt.live.connection import Close, Connection
from royalcrypt.server.http import protocols
from royalcrypt.server.limits import (
    CLOSE_TIME,
    MESSAGES,
    QUEUED_BYTES,
    QUEUED_MESSAGES,
    REQUEST_TIME,
    STRIKES,
)
from royalcrypt.server.run import raise_file_limit
from royalcrypt.server.sockets import protocol
from royalcrypt.server.sockets.protocol import SocketProtocol
from tests.server.harness import (
    PATIENCE,
    Host,
    Person,
    any_action,
    ends_of_sockets,
    people,
    person,
    play_on,
    seated,
    transport_of,
    until,
    with_server,
)

SILENT = 2000
NARROW = 4096
"""Bytes that wait in a socket, so that it is soon full."""


async def fall_silent(deaf: Person, table: str) -> tuple[Connection, SocketProtocol]:
    """Ask for much and read nothing of it; tells the server's end of the socket once that is stuck."""
    await deaf.disconnect()
    before = ends_of_sockets(deaf.host)
    await deaf.connect(max_queue=1, ping_interval=None)
    await deaf.watch(table)
    (connection,) = deaf.host.service.hub.of_person[deaf.id]
    (end,) = ends_of_sockets(deaf.host) - before
    end.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, NARROW)
    stuck = 0
    while stuck < 100:  # Until the system takes nothing more of it.
        stuck += 1
        if end.writable.is_set():
            stuck = 0
            await deaf.send(type="watch", table=table)
        await asyncio.sleep(0)
    return connection, end


async def last_words(someone: Person) -> int | None:
    """Read all there is; tells the code with which the socket was closed, None if it was cut off."""
    assert someone.socket is not None
    try:
        while True:
            await someone.hear_any()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else None


def test_who_does_not_read_is_sent_away_while_the_others_play_on_and_can_catch_up(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as players, person(host, "Deaf") as deaf:
            table = await seated(players, is_listed=True)
            connection, _ = await fall_silent(deaf, table)
            transport = transport_of(connection)
            await play_on(players, table, random.Random(3))
            for _ in range(QUEUED_MESSAGES.most):
                assert len(transport._queue) <= QUEUED_MESSAGES.most
                assert transport._queued <= QUEUED_BYTES.most
                await players[0].tell(type="react", table=table, reaction="hello")
                await players[1].hear("reacted")
            assert transport.code == Close.TRY_AGAIN
            assert connection not in host.service.hub.connections
            assert await last_words(deaf) == Close.TRY_AGAIN
            await deaf.connect()
            again = await deaf.watch(table)
            async with person(host, "Eve") as fresh:
                assert (await fresh.watch(table))["view"] == again["view"]

    with_server(test, tmp_path)


def test_what_nobody_reads_is_dropped_for_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "CLOSE_TIME", CLOSE_TIME._replace(seconds=0.1))

    async def test(host: Host) -> None:
        async with people(host, 2) as players, person(host, "Deaf") as deaf:
            table = await seated(players, is_listed=True)
            connection, end = await fall_silent(deaf, table)
            connection.close(Close.POLICY)
            await until(lambda: end not in ends_of_sockets(host))
            assert connection not in host.service.hub.connections
            assert await last_words(deaf) is None

    with_server(test, tmp_path)


def test_who_vanished_without_a_word_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "CLOSE_TIME", CLOSE_TIME._replace(seconds=0.1))

    async def test(host: Host) -> None:
        async with people(host, 2) as players, person(host, "Gone") as gone:
            table = await seated(players, is_listed=True)
            connection, end = await fall_silent(gone, table)
            end.ping_timeout = 0.1
            end.send_keepalive_ping()
            await until(lambda: connection not in host.service.hub.connections)
            await play_on(players, table, random.Random(6), most=5)

    with_server(test, tmp_path)


def test_silent_connections_do_not_keep_others_out(tmp_path: Path) -> None:
    raise_file_limit(3 * SILENT)

    async def test(host: Host) -> None:
        port = int(host.url.rpartition(":")[2])
        async with AsyncExitStack() as stack:
            for number in range(SILENT):
                half = await asyncio.open_connection("127.0.0.1", port)
                stack.callback(half[1].close)
                if number % 2:
                    half[1].write(b"GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n")
            for number in range(SILENT // 20):
                await stack.enter_async_context(person(host, f"Silent {number}"))
            players = await stack.enter_async_context(people(host, 2))
            await play_on(players, await seated(players), random.Random(5), most=10)

    with_server(test, tmp_path, max_connections_per_address=SILENT)


def test_a_request_that_never_ends_is_cut_off_and_an_open_socket_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "REQUEST_TIME", REQUEST_TIME._replace(seconds=0.3))

    async def test(host: Host) -> None:
        assert host.server is not None
        port = int(host.url.rpartition(":")[2])
        async with person(host, "Ada") as ada:
            head = b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
            for said in (b"", head[:10], head):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(said)
                async with asyncio.timeout(PATIENCE):
                    with suppress(ConnectionResetError):
                        assert await reader.read() == b""
                writer.close()
            assert (await ada.tell(type="ping"))["type"] == "done"

    with_server(test, tmp_path)


def test_who_sends_too_fast_is_told_so_then_sent_away_and_nobody_else_suffers(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as players, person(host, "Quick") as quick:
            table = await seated(players)
            sent = MESSAGES.burst + 3 * STRIKES.most
            for _ in range(sent):
                await quick.send(type="ping")
            assert await play_on(players, table, random.Random(7), most=20) == 20
            assert await last_words(quick) == Close.POLICY
            answers = [msgspec.json.decode(raw) for raw in quick.received[1:]]
            assert [answer["re"] for answer in answers] == list(range(1, len(answers) + 1))
            refused = [answer["reason"] for answer in answers if answer["type"] == "refused"]
            assert {reason["code"] for reason in refused} == {"too_fast"}
            assert all(reason["details"]["seconds"] >= 1 for reason in refused)
            assert len(refused) == STRIKES.most
            assert len(answers) - len(refused) >= MESSAGES.burst

    with_server(test, tmp_path, rate_limits=True)


def test_what_is_sent_without_waiting_is_answered_in_its_order(tmp_path: Path) -> None:
    """Also when it comes all at once, and is more than may wait to be sent."""

    async def test(host: Host) -> None:
        async with people(host, 2) as players:
            table = await seated(players)
            actor = players[int(players[0].view["actor"])]
            numbers = [await actor.send(type="ping") for _ in range(2 * QUEUED_MESSAGES.most)]
            acted = any_action(actor.view, random.Random(1))
            numbers += [
                await actor.send(type="act", table=table, ply=actor.ply, actions=[acted]) for _ in range(3)
            ]
            numbers += [await actor.send(type="ping") for _ in range(2 * QUEUED_MESSAGES.most)]
            answers = [await actor.answer(number) for number in numbers]
            kinds = Counter(answer["type"] for answer in answers)
            assert kinds == {"done": 4 * QUEUED_MESSAGES.most, "update": 1, "refused": 2}
            assert {answer["reason"]["code"] for answer in answers if answer["type"] == "refused"} == {
                "already_done"
            }
            heard = [number for raw in actor.received if (number := msgspec.json.decode(raw).get("re"))]
            assert heard[-len(numbers) :] == numbers

    with_server(test, tmp_path)
