"""Long work is done in slices, between which other work continues."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from functools import partial
from itertools import pairwise

import msgspec

from royalcrypt.live import broadcasts, presence, registry
from royalcrypt.live.broadcasts import Broadcasts
from royalcrypt.live.hub import Hub
from royalcrypt.live.operations.records import indented
from royalcrypt.live.presence import PresenceUpdates
from royalcrypt.live.registry import LoadedTable
from royalcrypt.tables import commands
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table
from tests.live.rooms import Room
from tests.tables.leading import ADA, BO, NOON

SLICES = 12


@contextlib.asynccontextmanager
async def counted_pauses() -> AsyncGenerator[list[int]]:
    """A list that grows each time the event loop has a chance to do other work."""
    pauses: list[int] = []

    async def count() -> None:
        while True:
            pauses.append(len(pauses))
            await asyncio.sleep(0)

    task = asyncio.create_task(count())
    try:
        yield pauses
    finally:
        task.cancel()


def test_a_long_journal_is_read_in_slices_and_gives_the_same_table() -> None:
    async def test() -> None:
        room = Room(lambda: NOON)
        opened = commands.open_table(TableSettings(players=2), ADA.person, now=NOON)
        table = (await room.tables.open(opened)).id
        before = await room.change(table, lambda found, now: commands.sit(found, ADA, 0, "", now=now))
        for _ in range(SLICES * registry.SLICE // 2):
            await room.change(table, lambda found, now: commands.sit(found, BO, 1, "", now=now))
            before = await room.change(table, lambda found, now: commands.leave(found, BO.person, now=now))
        room.evict()
        async with counted_pauses() as pauses:
            after = await room.tables.table(table)
        assert len(pauses) >= SLICES
        assert (after.ply, after.seats, after.status) == (before.ply, before.seats, before.status)

    asyncio.run(test())


def test_idle_tables_are_unloaded_in_slices() -> None:
    async def test() -> None:
        room = Room(lambda: NOON)
        opened = commands.open_table(TableSettings(players=2), ADA.person, now=NOON)
        for number in range(SLICES * registry.TABLES_FORGOTTEN):
            table = Table(f"table{number}")
            room.tables.loaded[table.id] = LoadedTable(table, NOON - 1_000_000, 0)
        used = (await room.tables.open(opened)).id
        async with counted_pauses() as pauses:
            await room.forget_idle()
        assert set(room.tables.loaded) == {used}
        assert len(pauses) >= SLICES - 1

    asyncio.run(test())


def test_tables_of_deleted_people_are_searched_in_slices() -> None:
    async def test() -> None:
        room = Room(lambda: NOON)
        for number in range(SLICES * registry.TABLES_SEARCHED):
            table = Table(f"table{number}")
            room.tables.loaded[table.id] = LoadedTable(table, NOON, 0)
        searched: list[str] = []

        def concerns(table: Table) -> bool:
            searched.append(table.id)
            return False

        async with counted_pauses() as pauses:
            assert await room.tables.rewrite(concerns, partial(asyncio.sleep, 0)) == []
        assert set(searched) == set(room.tables.loaded)
        assert len(pauses) >= 2 * (SLICES - 1)

    asyncio.run(test())


def test_a_message_to_many_is_sent_in_slices_and_in_order() -> None:
    async def test() -> None:
        found = Broadcasts()
        inboxes: list[list[bytes]] = [[] for _ in range(SLICES * broadcasts.SLICE)]
        pushes = [inbox.append for inbox in inboxes]
        async with counted_pauses() as pauses:
            found.send(pushes, b"1")
            assert not any(inboxes)
            found.send(pushes[:1], b"2")
            found.send(pushes[-1:], b"3")
            seen: list[int] = []
            while inboxes[-1] != [b"1", b"3"]:
                seen.append(sum(map(len, inboxes)))
                await asyncio.sleep(0)
        assert len(pauses) >= SLICES
        assert max(later - earlier for earlier, later in pairwise(seen)) <= broadcasts.SLICE
        assert inboxes[0] == [b"1", b"2"]
        assert inboxes[1:-1] == [[b"1"]] * (len(inboxes) - 2)
        found.send(pushes[:1], b"4")
        assert inboxes[0][-1] == b"4"  # at once, as nothing else is being sent

    asyncio.run(test())


def test_presence_at_many_tables_is_sent_in_several_flushes() -> None:
    hub = Hub()
    room = Room(lambda: NOON)
    hub.presence_changed = {f"table{number}" for number in range(2 * presence.MAX_TABLES + 1)}
    wanted = set(hub.presence_changed)
    updates = PresenceUpdates(hub, room.tables)
    flushed = [updates.flush() for _ in range(3)]
    assert [len(tables) for tables in flushed] == [presence.MAX_TABLES, presence.MAX_TABLES, 1]
    assert set[str]().union(*flushed) == wanted


def test_a_download_is_indented_as_a_whole_would_be() -> None:
    found = {"person": [{"id": "ada", "name": 'A "d"\nä'}], "memos": [], "chat": [{"id": 1}, {"id": None}]}
    assert indented(found) == msgspec.json.format(msgspec.json.encode(found), indent=1)
