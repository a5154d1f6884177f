"""Tables that other processes have moved on: caught up with in groups, whoever said that they have moved."""

import asyncio
from typing import NamedTuple

import structlog

from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.house import House
from royalcrypt.storage.database import Changed
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.tables.table import Table

NOTHING_YET = (1 << 62) - 1
log = structlog.get_logger()


class Looked(NamedTuple):
    changed: Changed
    missed: list[str]
    """Tables in use that had moved on without this process having heard of it."""


class Follower:
    def __init__(self, house: House, journal: SqlJournal) -> None:
        self._house = house
        self._journal = journal
        self._behind: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        self._mark = NOTHING_YET

    def in_use(self, table: str) -> Table | None:
        return self._house.in_use(table)

    def look_at(self, table: str, ply: int | None = None) -> bool:
        """Read on at a table in use; not, and False, if this process has come as far as that already."""
        desk = self._house.desks.get(table)
        if desk is None or (ply is not None and desk.table.ply >= ply):
            return False
        self._behind.add(table)
        self._begin()
        return True

    async def poll(self) -> Looked:
        """Look at everything that has changed anywhere since the last time."""
        changed = await self._journal.changed(self._mark)
        self._mark = changed.mark
        missed = [table for table, ply in changed.plies.items() if self.look_at(table, ply)]
        self._begin()  # also with what could not be read before
        return Looked(changed, missed)

    def _begin(self) -> None:
        if self._behind and self._task is None:
            self._task = asyncio.create_task(self._catch_up())

    async def _catch_up(self) -> None:
        """What comes in meanwhile makes the next group."""
        since: dict[str, int] = {}
        try:
            while self._behind:
                since = {
                    table: desk.table.ply
                    for table in self._behind
                    if (desk := self._house.desks.get(table)) is not None
                }
                self._behind.clear()
                if since:
                    self._house.adopt(await self._journal.entries_of(since))
        except Refusal as refusal:  # the poll will try again
            log.warning("tables could not be read on", reason=refusal.reason)
            self._behind.update(since)
        finally:
            self._task = None

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
