"""Rows on their way from a file to PostgreSQL, and a second look at them there."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from sqlalchemy import Table

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.moving.mark import Mark
from royalcrypt.storage.moving.source import Source
from royalcrypt.storage.moving.target import Target, keyed
from royalcrypt.storage.schema import metadata

AT_ONCE = 1000
"""Rows in one transaction."""
TABLES = metadata.sorted_tables
"""What others refer to comes first."""
NUMBERED = ("chat", "notices")
"""Tables whose rows are counted by the database."""
Advance = Callable[[int], None]


class Carried(NamedTuple):
    table: str
    rows: int
    seconds: float
    """Of this run: what came over before took its time then."""


class Move:
    """Of one source into one target. One step at a time, so that it may be stopped between any two."""

    def __init__(self, runner: asyncio.Runner, source: Source, target: Target) -> None:
        self._run = runner.run
        self._source = source
        self.target = target
        self.counts = {table.name: source.count(table) for table in TABLES}

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def carry(self, mark: Mark, advance: Advance) -> list[Carried]:
        """All that is not there yet."""
        carried = [self._carry(table, mark.rows.get(table.name, 0), advance) for table in TABLES]
        self._run(self.target.analyze())
        return carried

    def _carry(self, table: Table, since: int, advance: Advance) -> Carried:
        began = monotonic()
        for page in self._source.pages(table, size=AT_ONCE, since=since):
            self._run(self.target.write(table, page, since=since))
            since += len(page)
            advance(len(page))
        return Carried(table.name, since, monotonic() - began)

    def compare(self, advance: Advance) -> None:
        """Every table by its count and every row by its content. Raises MOVED_WRONGLY."""
        for table in TABLES:
            if self._run(self.target.count(table)) != self.counts[table.name]:
                raise Refusal(Reason.MOVED_WRONGLY, place=self.target.place, table=table.name)
            for page in self._source.pages(table, size=AT_ONCE):
                here = keyed(table, page)
                if self._run(self.target.rows(table, list(here))) != here:
                    raise Refusal(Reason.MOVED_WRONGLY, place=self.target.place, table=table.name)
                advance(len(page))

    def finish(self, settings: dict[str, str]) -> None:
        """``settings``: what else the house is to know."""
        numbers = {name: self._source.last_number(metadata.tables[name]) for name in NUMBERED}
        self._run(self.target.finish(numbers, settings))
