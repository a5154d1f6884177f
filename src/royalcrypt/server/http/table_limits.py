"""Limits of tables: how many a person or program may open and sit at, and how fast."""

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import NEW_TABLES, PROGRAM_SEATS, PROGRAM_TABLES
from royalcrypt.server.settings import ServerSettings
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.tables.journal import Status


class TableLimits:
    """Checks of limits; each method raises Refusal beyond them."""

    def __init__(self, settings: ServerSettings, journal: SqlJournal, limits: Limiter) -> None:
        self._settings = settings
        self._journal = journal
        self._limits = limits

    async def check_new(self, caller: Caller, *, tables: int = 1, is_listed: bool = False) -> None:
        """Check the rates of new tables, and their number."""
        if caller.keeper is None:
            self._limits.take(NEW_TABLES, caller.person.id)
        else:
            self._limits.take(PROGRAM_TABLES, caller.keeper.id)
            if is_listed:
                await self._check_listed(caller.person.id)
        await self.check_number(caller, tables=tables)

    async def _check_listed(self, program: str) -> None:
        """Refuse a program that already waits at a listed table: the lobby is meant for people."""
        waiting = await self._journal.listings_of(program, (Status.OPEN,))
        if any(listing.is_listed for listing in waiting):
            raise Refusal(Reason.TOO_MANY, most=1)

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
