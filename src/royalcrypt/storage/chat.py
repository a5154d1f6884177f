"""Chat at tables."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
from sqlalchemy import Row, bindparam, insert, select

from royalcrypt.storage.database import Store
from royalcrypt.storage.schema import chat
from royalcrypt.tables.words import Audience

PAGE = 200
NO_ID = 0


class ChatLine(msgspec.Struct, frozen=True):
    table: str
    audience: Audience
    person: str
    name: str
    """The person's name at that time."""
    text: str
    at: int
    id: int = NO_ID
    """Ascends in the order of storing."""


class Chat(Store):
    async def add(self, line: ChatLine) -> ChatLine:
        """Returns the line with its id."""
        added = insert(chat).values(
            table_id=line.table,
            audience=line.audience,
            person_id=line.person,
            name=line.name,
            text=line.text,
            at=line.at,
        )
        added = added.returning(chat.c.id)
        number = await self._database.run(lambda sql: sql.execute(added).scalar_one())
        return msgspec.structs.replace(line, id=number)

    async def recent(self, table: str, audience: Audience, *, limit: int = PAGE) -> list[ChatLine]:
        """The newest lines, in the order in which they were written."""
        found = await self._rows(_RECENT, table=table, audience=audience, limit=limit)
        return [_line(row) for row in reversed(found)]

    async def since(self, number: int, *, limit: int = PAGE) -> list[ChatLine]:
        """Lines of all tables with a higher id, the oldest first."""
        return [_line(row) for row in await self._rows(_SINCE, number=number, limit=limit)]

    async def all(self, *, page: int = PAGE) -> AsyncIterator[ChatLine]:
        """Every line, the oldest first, read a page at a time."""
        async for row in self._all(select(chat), chat.c.id, page=page):
            yield _line(row)


# Built once: building a statement takes longer than running it.
_RECENT = (
    select(chat)
    .where(chat.c.table_id == bindparam("table"), chat.c.audience == bindparam("audience"))
    .order_by(chat.c.id.desc())
    .limit(bindparam("limit"))
)
_SINCE = select(chat).where(chat.c.id > bindparam("number")).order_by(chat.c.id).limit(bindparam("limit"))


def _line(row: Row[Any]) -> ChatLine:
    return ChatLine(
        table=row.table_id,
        audience=Audience(row.audience),
        person=row.person_id,
        name=row.name,
        text=row.text,
        at=row.at,
        id=row.id,
    )
