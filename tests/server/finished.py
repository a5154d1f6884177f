"""Whole games, played to the end in a moment by whoever sits there."""

import contextlib
import random
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

from royalcrypt.live.registry import TableRegistry
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.people import People, Person
from royalcrypt.storage.sqlite.connection import Tuning
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry, Sitter
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import Pace
from royalcrypt.tables.table import Table
from tests.server.registries import Hands, a_registry
from tests.tables.leading import actor_of, opened, some_move

NEVER = Pace(bot_pause=3_600_000)
"""Tests move for the bots."""


@contextlib.asynccontextmanager
async def a_database(path: Path) -> AsyncGenerator[SqliteDatabase]:
    database = await SqliteDatabase.open(path, tuning=Tuning(synchronous="OFF"))
    try:
        yield database
    finally:
        await database.close()


async def add_people(database: SqliteDatabase, *sitters: Sitter) -> None:
    for sitter in sitters:
        await People(database).add(Person(sitter.person, sitter.name, 1), f"device-of-{sitter.person}")


async def played(
    registry: TableRegistry, company: Sequence[Sitter | str], chance: random.Random, **settings: Any
) -> Table:
    """A game of these people and bots, at random; the first is a person and the owner."""
    owner = company[0]
    assert isinstance(owner, Sitter)
    table = await registry.open(opened_by(registry, owner, company, **settings))
    for seat, who in enumerate(company):
        if isinstance(who, Sitter):
            await change(registry, table.id, commands.sit, who, seat, f"{table.id}-{seat}")
    table = await change(registry, table.id, commands.start, owner.person)
    while table.status is Status.RUNNING:
        table = (await registry.change(table.id, lambda found, now: any_entry(found, chance, now))).after
    if isinstance(registry.now, Hands):
        registry.now.turn(60)
    return table


def opened_by(
    registry: TableRegistry, owner: Sitter, company: Sequence[Sitter | str], **settings: Any
) -> Any:
    bots = [{"seat": seat, "level": who} for seat, who in enumerate(company) if isinstance(who, str)]
    chosen = opened(owner, players=len(company), bots=bots, **settings).settings
    return commands.open_table(chosen, owner.person, now=registry.now())


def any_entry(table: Table, chance: random.Random, now: int) -> AnyEntry:
    seat = actor_of(table)
    move = some_move(table, seat, chance.randrange(1000))
    assert move is not None
    place = table.seats[seat]
    if place.is_played_by_bot:
        return commands.act_for(table, seat, move, now=now)
    return commands.act(table, place.person or "", seat, table.ply, move, now=now)


async def change(registry: TableRegistry, table: str, command: Any, *arguments: Any) -> Table:
    return (await registry.change(table, lambda found, now: command(found, *arguments, now=now))).after


def a_quiet_house(database: SqliteDatabase) -> TableRegistry:
    return a_registry(SqlJournal(database), Hands(), pace=NEVER)
