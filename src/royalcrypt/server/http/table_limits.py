"""Limits of tables: how many a person, program or address may open, list and sit at, and how fast."""

from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import (
    ADDRESS_LISTED_TABLES,
    ADDRESS_TABLES,
    BUCKETS,
    LISTED_TABLES,
    NEW_TABLES,
    PROGRAM_LISTED_TABLES,
    PROGRAM_SEATS,
    PROGRAM_TABLES,
)
from royalcrypt.server.settings import ServerSettings
from royalcrypt.storage.database import NamedLocks
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import TableInfo


class TableLimits:
    """Checks of limits; each method raises Refusal beyond them.

    Addresses are kept in memory only, so that nothing about deleted people stays in the database.
    """

    def __init__(self, settings: ServerSettings, journal: SqlJournal, limits: Limiter) -> None:
        self._settings = settings
        self._journal = journal
        self._limits = limits
        self._locks = NamedLocks()
        self._listed: OrderedDict[str, set[str]] = OrderedDict()
        """Maps addresses to listed tables opened there, the least recent first; some wait no more."""

    @asynccontextmanager
    async def turn(self, caller: Caller, address: str) -> AsyncGenerator[None]:
        """Let the caller and the address list one table after another, so that all are counted."""
        async with self._locks.get(address), self._journal.lock(f"listed:{caller.person.id}"):
            yield

    async def check_new(
        self, caller: Caller, address: str, *, tables: int = 1, is_listed: bool = False
    ) -> None:
        """Check the rates of new tables, and their number; for a listed table, call this in a ``turn``."""
        if caller.keeper is None:
            self._limits.take(NEW_TABLES, caller.person.id)
        else:
            self._limits.take(PROGRAM_TABLES, caller.keeper.id)
        self._limits.take(ADDRESS_TABLES, address, tables)
        if is_listed:
            await self._check_listed(caller, address)
        await self.check_number(caller, tables=tables)

    async def _check_listed(self, caller: Caller, address: str) -> None:
        """Check the number of listed tables of the caller and the address that wait for players."""
        most = LISTED_TABLES if caller.keeper is None else PROGRAM_LISTED_TABLES
        if await self._journal.count_listed_of(caller.person.id) >= most.most:
            raise self._limits.refusal(most)
        listed = self._listed.get(address, set())
        if len(listed) >= ADDRESS_LISTED_TABLES.most:
            found = await self._journal.listings_at(listed)
            listed.intersection_update(one.table for one in found if one.status is Status.OPEN)
        if len(listed) >= ADDRESS_LISTED_TABLES.most:
            raise self._limits.refusal(ADDRESS_LISTED_TABLES)

    def on_opened(self, caller: Caller, address: str, info: TableInfo) -> None:
        """Count a table, if it is listed, waits for players, and is the caller's."""
        if not info.settings.is_listed or info.status is not Status.OPEN or info.owner != caller.person.id:
            return
        self._listed.setdefault(address, set()).add(info.table)
        self._listed.move_to_end(address)
        if len(self._listed) > BUCKETS.most:
            self._listed.popitem(last=False)

    async def check_number(self, caller: Caller, *, tables: int = 1) -> None:
        """Check the number of tables of the server and of the caller."""
        everywhere = self._settings.max_tables
        if await self._journal.count_in_progress() + tables > everywhere:
            raise Refusal(Reason.TOO_MANY, most=everywhere)
        await self.check_seats(caller.person.id, is_program=caller.keeper is not None, tables=tables)

    async def check_seats(self, person: str, *, is_program: bool, tables: int = 1) -> None:
        """Check the number of tables where the person or program has a seat."""
        most = self._settings.max_tables_per_person
        if is_program:
            most = min(most, PROGRAM_SEATS.most)
        if await self._journal.count_of(person) + tables > most:
            raise Refusal(Reason.TOO_MANY, most=most)
