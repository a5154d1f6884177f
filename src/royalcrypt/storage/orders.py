"""Standing orders, by table and seat."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from royalcrypt.storage.database import Database
from royalcrypt.storage.schema import standing_orders, tables
from royalcrypt.tables.journal import Status
from royalcrypt.tables.orders import Standing, decode_standing, encode_standing


class Called(NamedTuple):
    """A seat with orders, whose decision it is."""

    table: str
    seat: int
    person: str
    since: int
    """When the table last changed."""


class OrderBook:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, table: str, seat: int) -> Standing:
        wanted = select(standing_orders.c.orders).where(
            standing_orders.c.table_id == table, standing_orders.c.seat == seat
        )
        found = await self._database.ask(lambda sql: sql.scalar(wanted))
        return Standing() if found is None else decode_standing(found)

    async def keep(self, table: str, seat: int, person: str, standing: Standing, *, now: int) -> None:
        def work(sql: Connection) -> None:
            sql.execute(
                delete(standing_orders).where(
                    standing_orders.c.table_id == table, standing_orders.c.seat == seat
                )
            )
            sql.execute(
                insert(standing_orders).values(
                    table_id=table,
                    seat=seat,
                    person_id=person,
                    round=standing.round,
                    orders=encode_standing(standing),
                    updated=now,
                )
            )

        await self._database.run(work)

    async def called(self) -> list[Called]:
        """All that are to decide now; it takes no journal to find them, so none is missed after a restart."""
        found = await self._database.ask(lambda sql: sql.execute(_CALLED).all())
        return [Called(*row) for row in found]

    async def purge(self) -> None:
        """Games that are over need none."""
        await self._database.run(lambda sql: sql.execute(_SPENT).close())


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
