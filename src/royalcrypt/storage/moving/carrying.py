"""Copies rows from a file to PostgreSQL, compares them, and reads the games there for a replay."""

import asyncio
from collections.abc import Callable, Iterator
from time import monotonic
from typing import NamedTuple

from sqlalchemy import Table

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.moving.source import Source
from royalcrypt.storage.moving.target import Mark, Target, keyed
from royalcrypt.storage.schema import metadata

ROWS_AT_ONCE = 1000
"""Rows in one transaction."""
GAMES_AT_ONCE = 10
TABLES = metadata.sorted_tables
"""Referenced tables come first."""
NUMBERED = ("chat", "notices")
"""Tables whose ids the database assigns."""
Advance = Callable[[int], None]

GAMES = "SELECT id, status, ply FROM tables WHERE id > $1 ORDER BY id LIMIT $2"
ENTRIES = """
    SELECT table_id, ply, entry FROM journal WHERE table_id = ANY($1::text[]) ORDER BY table_id, ply
"""
RECORDS = "SELECT table_id, record FROM records WHERE table_id = ANY($1::text[])"
OUTAGES = "SELECT since, until FROM outages ORDER BY since"


class Carried(NamedTuple):
    table: str
    rows: int
    seconds: float
    """Duration in this run, without earlier interrupted ones."""


class Move:
    """The transfer from one source to one target. It may be interrupted between any two steps."""

    def __init__(self, runner: asyncio.Runner, source: Source, target: Target) -> None:
        self._run = runner.run
        self._source = source
        self.target = target
        self.counts = {table.name: source.count(table) for table in TABLES}

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def carry(self, mark: Mark, advance: Advance) -> list[Carried]:
        """Copy all rows that are still missing."""
        carried = [self._carry(table, mark.rows.get(table.name, 0), advance) for table in TABLES]
        self._run(self.target.analyze())
        return carried

    def _carry(self, table: Table, since: int, advance: Advance) -> Carried:
        began = monotonic()
        for page in self._source.pages(table, size=ROWS_AT_ONCE, since=since):
            self._run(self.target.write(table, page, since=since))
            since += len(page)
            advance(len(page))
        return Carried(table.name, since, monotonic() - began)

    def compare(self, advance: Advance) -> None:
        """Compare the number of rows in each table, and every row. Raises MOVED_WRONGLY."""
        for table in TABLES:
            if self._run(self.target.count(table)) != self.counts[table.name]:
                raise Refusal(Reason.MOVED_WRONGLY, place=self.target.place, table=table.name)
            for page in self._source.pages(table, size=ROWS_AT_ONCE):
                here = keyed(table, page)
                if self._run(self.target.rows(table, list(here))) != here:
                    raise Refusal(Reason.MOVED_WRONGLY, place=self.target.place, table=table.name)
                advance(len(page))

    def finish(self, settings: dict[str, str]) -> None:
        """Open the target for servers, with these additional server settings."""
        numbers = {name: self._source.last_number(metadata.tables[name]) for name in NUMBERED}
        self._run(self.target.finish(numbers, settings))


class KeptGame(NamedTuple):
    id: str
    status: str
    ply: int
    """According to the list of tables; the entries are authoritative."""
    plies: list[int]
    entries: list[bytes]
    record: bytes | None


class Games(NamedTuple):
    kept: list[KeptGame]
    outages: list[tuple[int, int]]


def games_in(runner: asyncio.Runner, target: Target) -> Iterator[Games]:
    """All games of the target, a few at a time."""
    outages = [(since, until) for since, until in runner.run(target.fetch(OUTAGES))]
    last = ""
    while found := runner.run(_games_after(target, last)):
        yield Games(found, outages)
        last = found[-1].id


async def _games_after(target: Target, last: str) -> list[KeptGame]:
    found = {
        name: KeptGame(name, status, ply, [], [], None)
        for name, status, ply in await target.fetch(GAMES, last, GAMES_AT_ONCE)
    }
    for name, ply, entry in await target.fetch(ENTRIES, list(found)):
        found[name].plies.append(ply)
        found[name].entries.append(entry)
    for name, record in await target.fetch(RECORDS, list(found)):
        found[name] = found[name]._replace(record=record)
    return list(found.values())
