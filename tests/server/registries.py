"""Houses on a real database, with a clock that tests turn, and ears that hear what is told."""

import contextlib
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

from royalcrypt.live.bot_scheduler import BotScheduler
from royalcrypt.live.changes import Change
from royalcrypt.live.deadlines import Deadlines
from royalcrypt.live.dispatcher import Dispatcher
from royalcrypt.live.registry import TableRegistry
from royalcrypt.server.bots.pool import BotRunner
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.tables import commands
from royalcrypt.tables.commands import Sitter
from royalcrypt.tables.journal import Journal, Status
from royalcrypt.tables.listings import Pace
from royalcrypt.tables.settings import SECOND
from royalcrypt.tables.table import Table
from tests.tables.leading import NOON, actor_of, opened, some_move

PACE = Pace(bot_pause=0)


class Hands:
    """Of a clock: they stand where they were put."""

    def __init__(self, now: int = NOON) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def turn(self, seconds: float) -> None:
        self.now += round(seconds * SECOND)


class Ears:
    """A subscriber that keeps what it was told."""

    def __init__(self) -> None:
        self.heard: list[Change] = []

    def on_change(self, change: Change) -> None:
        assert change.after.ply == change.before.ply + 1
        self.heard.append(change)


class WatchedRegistry(TableRegistry):
    """A registry with bots and deadlines, which keeps every change that it publishes."""

    def __init__(self, journal: Journal, *, clock: Callable[[], int], pace: Pace) -> None:
        dispatcher = Dispatcher()
        super().__init__(journal, dispatcher, clock=clock, pace=pace)
        self.ears = Ears()
        self.bots = BotScheduler(self, BotRunner(1))
        self.deadlines = Deadlines(self, self.bots)
        dispatcher.subscribe(self.ears, self.bots)

    async def close(self) -> None:
        await self.bots.close()
        await super().close()


@contextlib.asynccontextmanager
async def journal_in(data: Path, *, vfs: str | None = None) -> AsyncGenerator[SqlJournal]:
    database = await SqliteDatabase.open(data / "crypt.db", vfs=vfs)
    try:
        yield SqlJournal(database)
    finally:
        await database.close()


def a_registry(
    journal: Journal, clock: Callable[[], int] | None = None, *, pace: Pace = PACE
) -> WatchedRegistry:
    return WatchedRegistry(journal, pace=pace, clock=clock or Hands())


async def begun(registry: TableRegistry, *sitters: Sitter, **settings: Any) -> str:
    """A running table; its owner is the first who sits, and seat 0 leads."""
    chosen: dict[str, Any] = {"players": len(sitters), "leader": 0} | settings
    entry = commands.open_table(opened(**chosen).settings, sitters[0].person, now=registry.now())
    table = await registry.open(entry)
    for seat, sitter in enumerate(sitters):
        await sit(registry, table.id, sitter, seat)
    await registry.change(table.id, lambda found, now: commands.start(found, sitters[0].person, now=now))
    return table.id


async def sit(registry: TableRegistry, table: str, sitter: Sitter, seat: int) -> Table:
    sat = await registry.change(table, lambda found, now: commands.sit(found, sitter, seat, "", now=now))
    return sat.after


async def move_on(registry: TableRegistry, table_id: str, choice: int = 0) -> Table:
    """Whoever is to decide does."""
    table = await registry.table(table_id)
    seat = actor_of(table)
    move = some_move(table, seat, choice)
    assert move is not None
    person = table.seats[seat].person or ""
    made = await registry.change(
        table_id, lambda found, now: commands.act(found, person, seat, table.ply, move, now=now)
    )
    return made.after


async def play_out(registry: TableRegistry, table_id: str) -> Table:
    while (table := await registry.table(table_id)).status is Status.RUNNING:
        await move_on(registry, table_id)
    return table
