"""What each watcher is sent when a table changes."""

import asyncio
from typing import Any

import msgspec
import pytest

from royalcrypt.live.connection import Close
from royalcrypt.live.updates import EncodedUpdate
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table
from tests.live.rooms import Client, Room, wire_actions
from tests.tables.leading import NOON

PEOPLE = ("ada", "bo")


async def opened(room: Room, protocol: int = 2) -> tuple[Table, list[Client]]:
    """A game of two people, who watch it."""
    table = await room.tables.open(commands.open_table(TableSettings(players=2), "ada", now=NOON))
    for seat, person in enumerate(PEOPLE):
        sitter = Sitter(person, person.title())
        await room.change(
            table.id, lambda found, now, s=sitter, n=seat: commands.sit(found, s, n, "", now=now)
        )
    table = await room.change(table.id, lambda found, now: commands.start(found, "ada", now=now))
    clients = [room.enter(person, protocol) for person in PEOPLE]
    for client in clients:
        await room.watch(client, table.id)
    return table, clients


async def act(room: Room, clients: list[Client], table_id: str) -> None:
    table = room.tables.in_use(table_id)
    assert table is not None
    assert table.game is not None
    assert table.actor is not None
    move = next(iter(table.game.view(table.actor).moves()))
    await room.tell(
        clients[table.actor], type="act", table=table_id, ply=table.ply, actions=wire_actions(move)
    )


def updates(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [msgspec.json.decode(message) for message in client.messages]
    return [message for message in found if message["type"] == "update"]


def test_in_protocol_1_every_update_has_events_and_the_view() -> None:
    async def test() -> None:
        room = Room(lambda: NOON)
        table, clients = await opened(room, protocol=1)
        await act(room, clients, table.id)
        await room.change(table.id, lambda found, now: commands.leave(found, "bo", now=now))
        assert [len(update["events"]) > 0 for update in updates(clients[0])] == [True, False]
        assert all(update["view"] for update in updates(clients[0]))

    asyncio.run(test())


def test_an_update_that_fails_for_one_watcher_reaches_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for_seat = EncodedUpdate.for_seat

    def fail(self: EncodedUpdate, person: str, seat: int | None, *, is_complete: bool) -> bytes:
        if person == "ada":
            raise ValueError("a planted failure")
        return for_seat(self, person, seat, is_complete=is_complete)

    async def test() -> None:
        room = Room(lambda: NOON)
        table, clients = await opened(room)
        spectator = room.enter("eve", 2)
        await room.watch(spectator, table.id, invite=table.invite)
        monkeypatch.setattr(EncodedUpdate, "for_seat", fail)
        closed: list[Close] = []

        def close(code: Close) -> None:
            closed.append(code)

        clients[0].connection.close = close
        moved = await room.change(table.id, lambda found, now: commands.leave(found, "bo", now=now))
        assert closed == [Close.TRY_AGAIN]
        assert (clients[1].ply, spectator.ply) == (moved.ply, moved.ply)

    asyncio.run(test())


def test_a_table_that_changes_while_its_chat_is_read_is_shown_as_it_is_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test() -> None:
        room = Room(lambda: NOON)
        table, clients = await opened(room)
        recent = room.chat.recent

        async def slow(*what: Any) -> Any:
            if room.tables.in_use(table.id) is table:
                await act(room, clients, table.id)
            return await recent(*what)

        monkeypatch.setattr(room.chat, "recent", slow)
        await room.chat.send_rewritten(table)
        newest = room.tables.in_use(table.id)
        assert newest is not None
        assert newest.ply == table.ply + 1
        for seat, client in enumerate(clients):
            assert msgspec.json.decode(client.messages[-1])["type"] == "shown"
            assert client.ply == newest.ply
            view = newest.view(seat)
            assert view is not None
            assert client.view == view.to_dict()

    asyncio.run(test())
