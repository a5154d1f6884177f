"""The daily crypt: one secret a day for everybody, one try each against the Ghost."""

import secrets
from collections.abc import Sequence

from royalcrypt.notation import events
from royalcrypt.notation.events import Event
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import SECRET_BYTES
from royalcrypt.server.house import House, new_id
from royalcrypt.storage.seals import Dailies, DailySetup
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.journal import Status
from royalcrypt.tables.seals import Seal, day_at, is_day, sealed, sides_of
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table


class Daily:
    """Which day it is, the server's clock alone says."""

    def __init__(self, dailies: Dailies, house: House) -> None:
        self.dailies = dailies
        self.house = house
        self._prepared = ""

    @property
    def today(self) -> str:
        return day_at(self.house.now())

    async def prepare(self) -> None:
        """Commit to the day's secret as soon as the day has begun."""
        today = self.today
        if self._prepared != today:
            await self.crypt(today)
            self._prepared = today

    async def crypt(self, day: str) -> DailySetup:
        """Of today or a day that is over; refused where there was none."""
        today = self.today
        found = await self.dailies.find(day) if is_day(day) and day <= today else None
        if found is None and day == today:
            drawn = DailySetup(day, secrets.token_bytes(SECRET_BYTES), sides_of(day))
            found = await self.dailies.keep(drawn, self.house.now())
        if found is None:
            raise Refusal(Reason.NO_SUCH_DAY, day=day)
        return found

    async def attempt(self, crypt: DailySetup, sitter: Sitter) -> Table:
        """Somebody's one try, begun or gone on with: at the same table, however often and from wherever."""
        async with self.house.journal.lock(f"daily {sitter.person}"):
            table_id = await self.dailies.begin(crypt.day, sitter.person, new_id(), self.house.now())
            try:
                table = await self.house.table(table_id)
            except Refusal as refusal:
                if refusal.reason is not Reason.NO_SUCH_TABLE:
                    raise
                table = await self._open(crypt, sitter, table_id)
            return await self._begin(table, sitter)

    async def practise(self, crypt: DailySetup, sitter: Sitter) -> Table:
        """Out of competition, as often as one likes: the day's secret is told already."""
        return await self._begin(await self._open(crypt, sitter), sitter)

    async def _open(self, crypt: DailySetup, sitter: Sitter, table_id: str | None = None) -> Table:
        opened = commands.open_table(
            sealed(TableSettings(players=1), collectors=crypt.collectors, leader=0),
            sitter.person,
            now=self.house.now(),
            secret=crypt.secret,
            seal=str(Seal("daily", crypt.day)),
        )
        return await self.house.open(opened, table_id)

    async def _begin(self, table: Table, sitter: Sitter) -> Table:
        """Sit down and start, as far as that has not been done."""
        if table.status is Status.OPEN:
            table = await self.house.change(
                table.id, lambda found, now: commands.sit(found, sitter, 0, "", now=now)
            )
            table = await self.house.change(
                table.id, lambda found, now: commands.start(found, sitter.person, now=now)
            )
        return table


def treasures_by_round(told: Sequence[Event], seat: int = 0) -> list[int]:
    """How many cards a seat took in each round; which ones they were, nobody learns from it."""
    taken: list[int] = []
    for event in told:
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
