"""What is pushed goes out at once, in order, and never by way of an error."""

import asyncio
import time
from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode

from royalcrypt.live.connection import Close, Connection
from royalcrypt.live.session import CommandHandler, CommandPolicy
from royalcrypt.server.limits import QUEUED_MESSAGES, UNREAD_MESSAGES
from royalcrypt.server.sockets.protocol import PING_STEP, SocketProtocol
from royalcrypt.server.sockets.transport import SocketTransport
from tests.server.harness import Host, Person, ends_of_sockets, person, run, transport_of, until, with_server


def the_only(host: Host) -> Connection:
    (connection,) = host.service.hub.connections
    return connection


def its_end(host: Host) -> SocketProtocol:
    (found,) = ends_of_sockets(host)
    return found


async def heard(someone: Person, count: int) -> list[int]:
    return [(await someone.hear_any())["n"] for _ in range(count)]


def test_what_is_pushed_comes_in_order_also_while_the_reader_is_behind(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            connection = the_only(host)
            writable = its_end(host).writable
            for number in range(30):
                if number == 10:
                    writable.clear()
                if number == 20:
                    writable.set()
                connection.push(b'{"type":"test","n":%d}' % number)
            assert await heard(ada, 30) == list(range(30))
            await transport_of(connection).drained()
            connection.push(b'{"type":"test","n":30}')
            assert await heard(ada, 1) == [30]

    with_server(test, tmp_path)


def test_sockets_are_pinged_together_and_again_and_again(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host), person(host):
            for end in ends_of_sockets(host):
                end.stop_keepalive()
                end.ping_interval = PING_STEP
                end.schedule_ping()
            for _ in range(2):
                due = {end.ping_timer.when() for end in ends_of_sockets(host) if end.ping_timer is not None}
                assert due, "nobody is pinged"
                assert all(abs(when / PING_STEP - round(when / PING_STEP)) < 0.001 for when in due)
                before = time.monotonic()
                await until(lambda now=before: all(answered_since(end, now) for end in ends_of_sockets(host)))

    with_server(test, tmp_path)


def answered_since(end: SocketProtocol, moment: float) -> bool:
    return end.ping_sent_at > moment and end.pending_ping_payload is None


def test_nothing_is_written_to_somebody_whose_socket_was_just_closed(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host):
            connection, end = the_only(host), its_end(host)
            end.transport.close()
            assert not end.write_text(b"{}")
            connection.push(b"{}")
            await transport_of(connection).drained()
            assert host.service.hub.connections == set()
            assert not end.write_text(b"{}")

    with_server(test, tmp_path)


def hold_back(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """No message is heard before this is set."""
    hear, may_hear = CommandHandler.handle, asyncio.Event()

    async def later(
        self: CommandHandler, connection: Connection, text: str | bytes, policy: CommandPolicy
    ) -> None:
        await may_hear.wait()
        await hear(self, connection, text, policy)

    monkeypatch.setattr(CommandHandler, "handle", later)
    return may_hear


def test_of_somebody_who_does_not_wait_for_answers_little_is_read_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            end, may_hear = its_end(host), hold_back(monkeypatch)
            numbers = [await ada.send(type="ping") for _ in range(200)]
            await until(lambda: end.read_paused)
            assert end.queue.qsize() >= UNREAD_MESSAGES.most
            may_hear.set()
            for number in numbers:
                assert (await ada.answer(number))["type"] == "done"
            assert not end.read_paused

    with_server(test, tmp_path)


def test_somebody_who_is_sent_away_is_read_on_until_they_say_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            end, may_hear = its_end(host), hold_back(monkeypatch)
            for _ in range(UNREAD_MESSAGES.most):
                await ada.send(type="ping")
            await until(lambda: end.queue.qsize() == UNREAD_MESSAGES.most - 1)
            await end.send({"type": "websocket.close", "code": Close.POLICY})
            assert end.queue.qsize() == UNREAD_MESSAGES.most, "with the end"
            end.handle_text(Frame(Opcode.TEXT, b"{}"))
            assert not end.read_paused
            may_hear.set()

    with_server(test, tmp_path)


def test_somebody_who_waits_for_answers_is_read_without_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            pauses: list[bool] = []
            monkeypatch.setattr(its_end(host), "transport", Watched(its_end(host).transport, pauses))
            for _ in range(20):
                assert (await ada.tell(type="ping"))["type"] == "done"
            assert pauses == []

    with_server(test, tmp_path)


class Watched:
    """A transport that notes when reading is paused."""

    def __init__(self, transport: asyncio.Transport, pauses: list[bool]) -> None:
        self._transport = transport
        self._pauses = pauses

    def pause_reading(self) -> None:
        self._pauses.append(True)
        self._transport.pause_reading()

    def __getattr__(self, name: str) -> object:
        return getattr(self._transport, name)


def test_without_a_way_to_write_at_once_everything_goes_by_the_queue() -> None:
    async def test() -> None:
        sent: list[str] = []

        async def send(message: dict[str, str]) -> None:
            await asyncio.sleep(0)
            sent.append(message["text"])

        transport = SocketTransport(send, lambda _: False, str)
        for number in range(QUEUED_MESSAGES.most):
            transport.push(b"%d" % number)
        assert sent == []
        await transport.drained()
        assert sent == [str(number) for number in range(QUEUED_MESSAGES.most)]

    run(test())
