"""Stored data of tables besides moves: chat lines, private memos and standing orders."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select

from royalcrypt.live.stores import DueOrders, Memo, StoredChatLine
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.database import Store, transaction, upsert
from royalcrypt.storage.schema import chat, memos, standing_orders, tables
from royalcrypt.tables.journal import Status
from royalcrypt.tables.orders import SeatOrders, decode_orders, encode_orders
from royalcrypt.tables.texts import Audience

PAGE = 200


LINE = chat.c["table_id", "audience", "person_id", "name", "text", "at"]


class ChatLines(Store):
    @transaction
    def add(self, sql: Connection, line: StoredChatLine) -> StoredChatLine:
        """Store a chat line; returns it with its id."""
        row = dict(zip(LINE, msgspec.structs.astuple(line)[:-1], strict=True))
        number = sql.execute(insert(chat).values(row).returning(chat.c.id)).scalar_one()
        return msgspec.structs.replace(line, id=number)

    async def recent(self, table: str, audience: Audience, *, limit: int = PAGE) -> list[StoredChatLine]:
        """Return the newest lines, in the order in which they were written."""
        found = await self._rows(_RECENT, table=table, audience=audience, limit=limit)
        return [_line(row) for row in reversed(found)]

    async def since(self, number: int, *, limit: int = PAGE) -> list[StoredChatLine]:
        """Return lines of all tables with an id above ``number``, oldest first."""
        return [_line(row) for row in await self._rows(_SINCE, number=number, limit=limit)]

    async def all(self, *, page: int = PAGE) -> AsyncIterator[StoredChatLine]:
        """Yield every line, oldest first, reading one page at a time."""
        async for row in self._all(select(*LINE, chat.c.id), chat.c.id, page=page):
            yield _line(row)


# Built once, because building a statement takes longer than running it.
_RECENT = (
    select(*LINE, chat.c.id)
    .where(chat.c.table_id == bindparam("table"), chat.c.audience == bindparam("audience"))
    .order_by(chat.c.id.desc())
    .limit(bindparam("limit"))
)
_SINCE = (
    select(*LINE, chat.c.id)
    .where(chat.c.id > bindparam("number"))
    .order_by(chat.c.id)
    .limit(bindparam("limit"))
)


def _line(row: Any) -> StoredChatLine:
    return StoredChatLine(row[0], Audience(row[1]), *row[2:])


class Memos(Store):
    async def find(self, table: str, person: str) -> Memo:
        return await self.database.ask(lambda sql: _memo(sql, table, person))

    @transaction
    def write(self, sql: Connection, table: str, person: str, text: str, *, since: int, now: int) -> Memo:
        """Replace the memo written at ``since``; raises Refusal (MEMO_CHANGED) if it was changed later."""
        before = _memo(sql, table, person)
        if before.updated != since:
            raise Refusal(Reason.MEMO_CHANGED)
        after = Memo(text, max(now, before.updated + 1))
        upsert(sql, memos, {"table_id": table, "person_id": person, **msgspec.structs.asdict(after)})
        return after


def _memo(sql: Connection, table: str, person: str) -> Memo:
    wanted = select(memos.c.text, memos.c.updated)
    found = sql.execute(wanted.where(memos.c.table_id == table, memos.c.person_id == person)).first()
    return Memo(*found) if found else Memo("", 0)


class OrderStore(Store):
    """Stored standing orders by table and seat."""

    async def find(self, table: str, seat: int) -> SeatOrders:
        is_theirs = (standing_orders.c.table_id == table, standing_orders.c.seat == seat)
        found = await self._scalar(select(standing_orders.c.orders).where(*is_theirs))
        return SeatOrders() if found is None else decode_orders(found)

    async def keep(self, table: str, seat: int, person: str, orders: SeatOrders, *, now: int) -> None:
        await self._upsert(
            standing_orders,
            table_id=table,
            seat=seat,
            person_id=person,
            round=orders.round,
            orders=encode_orders(orders),
            updated=now,
        )

    async def due(self) -> list[DueOrders]:
        """Return all seats with valid orders that must decide now, without loading tables."""
        return [DueOrders(*row) for row in await self._rows(_DUE)]

    async def purge(self) -> None:
        """Delete the standing orders of finished games."""
        ended = select(tables.c.id).where(tables.c.status.in_((Status.OVER, Status.CLOSED)))
        await self._write(delete(standing_orders).where(standing_orders.c.table_id.in_(ended)))


_DUE = (
    select(standing_orders.c.table_id, standing_orders.c.seat, standing_orders.c.person_id, tables.c.updated)
    .join(tables, standing_orders.c.table_id == tables.c.id)
    .where(standing_orders.c.round.is_not(None), tables.c.actor == standing_orders.c.seat)
)
