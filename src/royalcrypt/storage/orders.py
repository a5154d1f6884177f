"""Standing orders, by table and seat."""

from typing import NamedTuple

from sqlalchemy import delete, select

from royalcrypt.storage.database import Store
from royalcrypt.storage.schema import standing_orders, tables
from royalcrypt.tables.journal import Status
from royalcrypt.tables.orders import Standing, decode_standing, encode_standing


class Called(NamedTuple):
    """A seat with orders that must decide now."""

    table: str
    seat: int
    person: str
    since: int
    """When the table last changed."""


class OrderBook(Store):
    async def find(self, table: str, seat: int) -> Standing:
        wanted = select(standing_orders.c.orders).where(
            standing_orders.c.table_id == table, standing_orders.c.seat == seat
        )
        found = await self._scalar(wanted)
        return Standing() if found is None else decode_standing(found)

    async def keep(self, table: str, seat: int, person: str, standing: Standing, *, now: int) -> None:
        await self._upsert(
            standing_orders,
            table_id=table,
            seat=seat,
            person_id=person,
            round=standing.round,
            orders=encode_standing(standing),
            updated=now,
        )

    async def called(self) -> list[Called]:
        """All seats with orders that must decide now. Reads no journal, so a restart misses none."""
        return [Called(*row) for row in await self._rows(_CALLED)]

    async def purge(self) -> None:
        """Delete the orders of finished games."""
        await self._write(_SPENT)


_AT_TABLE = standing_orders.join(tables, standing_orders.c.table_id == tables.c.id)
_CALLED = (
    select(standing_orders.c.table_id, standing_orders.c.seat, standing_orders.c.person_id, tables.c.updated)
    .select_from(_AT_TABLE)
    .where(standing_orders.c.round.is_not(None), tables.c.actor == standing_orders.c.seat)
)
_SPENT = delete(standing_orders).where(
    standing_orders.c.table_id.in_(
        select(standing_orders.c.table_id)
        .select_from(_AT_TABLE)
        .where(tables.c.status.in_((Status.OVER, Status.CLOSED)))
    )
)
