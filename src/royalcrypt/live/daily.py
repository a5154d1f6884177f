"""The daily crypt: one shared secret per day, and one solo attempt per person."""

import secrets
from collections.abc import Sequence

from royalcrypt.live.registry import TableRegistry, new_id
from royalcrypt.live.stores import DailySetup, DailyStore
from royalcrypt.notation import events
from royalcrypt.notation.events import Event
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import SECRET_BYTES
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.journal import Status
from royalcrypt.tables.seals import Seal, day_at, is_day, sealed, sides_of
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table


class Daily:
    def __init__(self, dailies: DailyStore, tables: TableRegistry) -> None:
        self.dailies = dailies
        self.tables = tables
        self._prepared = ""

    @property
    def today(self) -> str:
        return day_at(self.tables.now())

    async def prepare(self) -> None:
        """Create and store today's secret unless it exists."""
        today = self.today
        if self._prepared != today:
            await self.crypt(today)
            self._prepared = today

    async def crypt(self, day: str) -> DailySetup:
        """Return the daily crypt of today or an earlier day; raises Refusal if that day has none."""
        today = self.today
        found = await self.dailies.find(day) if is_day(day) and day <= today else None
        if found is None and day == today:
            drawn = DailySetup(day, secrets.token_bytes(SECRET_BYTES), sides_of(day))
            found = await self.dailies.keep(drawn, self.tables.now())
        if found is None:
            raise Refusal(Reason.NO_SUCH_DAY, day=day)
        return found

    async def attempt(self, crypt: DailySetup, sitter: Sitter) -> Table:
        """Begin or resume a person's only attempt, always at the same table."""
        async with self.tables.journal.lock(f"daily {sitter.person}"):
            table_id = await self.dailies.begin(crypt.day, sitter.person, new_id(), self.tables.now())
            try:
                table = await self.tables.table(table_id)
            except Refusal as refusal:
                if refusal.reason is not Reason.NO_SUCH_TABLE:
                    raise
                table = await self._open(crypt, sitter, table_id)
            return await self._begin(table, sitter)

    async def practise(self, crypt: DailySetup, sitter: Sitter) -> Table:
        """Open a table for an earlier day, whose secret is published; unlimited attempts."""
        return await self._begin(await self._open(crypt, sitter), sitter)

    async def _open(self, crypt: DailySetup, sitter: Sitter, table_id: str | None = None) -> Table:
        opened = commands.open_table(
            sealed(TableSettings(players=1), collectors=crypt.collectors, leader=0),
            sitter.person,
            now=self.tables.now(),
            secret=crypt.secret,
            seal=str(Seal("daily", crypt.day)),
        )
        return await self.tables.open(opened, table_id)

    async def _begin(self, table: Table, sitter: Sitter) -> Table:
        """Seat the person and start the game if the table has not started."""
        if table.status is Status.OPEN:
            await self.tables.change(table.id, lambda found, now: commands.sit(found, sitter, 0, "", now=now))
            begun = await self.tables.change(
                table.id, lambda found, now: commands.start(found, sitter.person, now=now)
            )
            return begun.after
        return table


def treasures_by_round(found: Sequence[Event], seat: int = 0) -> list[int]:
    """Count the cards that a seat took in each round."""
    taken: list[int] = []
    for event in found:
        match event:
            case events.Reveal():
                taken.append(0)
            case events.Collect() if event.seat == seat:
                taken[-1] += len(event.cards)
            case events.Take() if event.seat == seat:
                taken[-1] += 1
            case _:
                pass
    return taken
