"""A data folder with something in every table, and what is in two databases side by side."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, insert, select

from royalcrypt.live.stores import DailySetup, Duplicate, StoredChatLine
from royalcrypt.server.accounts.keys import load_keys, replace_admin_link
from royalcrypt.storage.addresses import Address, Addresses
from royalcrypt.storage.database import Database
from royalcrypt.storage.people import People, Person, Programs
from royalcrypt.storage.postgres.database import PostgresDatabase
from royalcrypt.storage.ratings import Ratings
from royalcrypt.storage.schema import chat, metadata, notices
from royalcrypt.storage.seals import Dailies, Duplicates
from royalcrypt.storage.server_state import ServerState
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.storage.table_data import ChatLines, Memos, OrderStore
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.orders import SeatOrders
from royalcrypt.tables.texts import Audience
from tests.server.finished import a_quiet_house, add_people, opened_by, played
from tests.server.registries import begun, move_on
from tests.tables.leading import NOON

T = TypeVar("T")
Rows = dict[str, dict[tuple[Any, ...], dict[str, Any]]]
WALI, ZOE = Sitter("wali", "Wałi 🏺"), Sitter("zoe", "Ζωή ’\\N\\\\")
BYTES = bytes(range(256))
RUNNING = 9
"""Moves of the game that goes on."""


async def fill(data: Path) -> None:
    load_keys(data)
    replace_admin_link(data)
    database = await SqliteDatabase.open(data / "royalcrypt.db")
    try:
        await add_people(database, WALI, ZOE)
        await ServerState(database).set("name", "Krypta „Ósemka”")
        await ServerState(database).beat(NOON - 90_000)
        await ServerState(database).store_outage(NOON, longest_gap=1_000)
        running = await fill_tables(database)
        await fill_people(database, running)
    finally:
        await database.close()


async def fill_tables(database: SqliteDatabase) -> str:
    """Of every status; tells which one is running."""
    house, chance = a_quiet_house(database), random.Random(3)
    over = [await played(house, (WALI, ZOE), chance), await played(house, (ZOE, "greedy"), chance)]
    running = await begun(house, WALI, ZOE, clock={"kind": "days", "days": 2})
    for _ in range(RUNNING):
        await move_on(house, running)
    opened = await house.open(opened_by(house, ZOE, (ZOE, WALI)))
    while await Ratings(database).rate(NOON * 2):
        pass
    await Dailies(database).keep(DailySetup("2026-11-17", BYTES[:32], "AABBAB"), NOON)
    await Dailies(database).begin("2026-11-17", "zoe", over[1].id, NOON)
    await Duplicates(database).add(Duplicate("twice", "wali", NOON, (over[0].id, opened.id)))
    return running


async def fill_people(database: SqliteDatabase, table: str) -> None:
    people, addresses = People(database), Addresses(database)
    await people.update("wali", is_muted=True)
    await people.keep_code(BYTES, "zoe", NOON)
    await people.keep_phrase("zoe", b"\x00\xff", NOON)
    assert await Programs(database).add(Person("robot", "Robot", 5), "zoe", b"\n\t\\N", most=1)
    await addresses.keep(Address("zoe", "ζωή@example.org", "el", b"\x00key", NOON, NOON))
    await addresses.keep(Address("wali", "wali@example.org", "pl", b"key", NOON, NOON))
    for letter in await addresses.waiting(NOON * 2, "2026-11-17"):
        assert await addresses.take(letter, "2026-11-17", NOON)
    await Memos(database).write(table, "zoe", "Erste Zeile\n\tδεύτερη\n", since=0, now=NOON)
    await OrderStore(database).keep(table, 0, "wali", SeatOrders(), now=NOON)
    for text in ("Hallo!", "\\.", "γεια σου"):
        await ChatLines(database).add(StoredChatLine(table, Audience.TABLE, "zoe", "Ζωή", text, NOON))

    def work(sql: Connection) -> None:
        """The last line is gone, and its number is not given again."""
        sql.execute(delete(chat).where(chat.c.id == 3))
        sql.execute(insert(notices).values(kind="settings", subject="ζ", at=NOON))

    await database.run(work)


def done(work: Callable[[Database], Awaitable[T]], url: str | None = None, path: Path | None = None) -> T:
    """What comes of work on a database."""

    async def do() -> T:
        opened: Database = (
            await PostgresDatabase.open(url) if url else await SqliteDatabase.open(path or Path())
        )
        try:
            return await work(opened)
        finally:
            await opened.close()

    return asyncio.run(do())


def rows_in(url: str | None = None, path: Path | None = None) -> Rows:
    """All tables' rows, by their keys."""

    def work(sql: Connection) -> Rows:
        return {
            table.name: {
                tuple(row[key.name] for key in table.primary_key.columns): dict(row)
                for row in sql.execute(select(table)).mappings()
            }
            for table in metadata.sorted_tables
        }

    return done(lambda database: database.read(work), url, path)
