"""What people said at tables."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
from sqlalchemy import Row, Select, bindparam, delete, insert, select

from royalcrypt.storage.database import Database
from royalcrypt.storage.schema import chat
from royalcrypt.tables.words import Audience

PAGE = 200
UNSAID = 0


class ChatLine(msgspec.Struct, frozen=True):
    table: str
    audience: Audience
    person: str
    name: str
    """As it was when this was said."""
    text: str
    at: int
    id: int = UNSAID
    """Ascends in the order of keeping."""


class Chat:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, line: ChatLine) -> ChatLine:
        """The line with its id."""
        added = (
            insert(chat)
            .values(
                table_id=line.table,
                audience=line.audience,
                person_id=line.person,
                name=line.name,
                text=line.text,
                at=line.at,
            )
            .returning(chat.c.id)
        )
        return msgspec.structs.replace(
            line, id=await self._database.run(lambda sql: sql.execute(added).scalar_one())
        )

    async def recent(self, table: str, audience: Audience, *, limit: int = PAGE) -> list[ChatLine]:
        """The last ones, the oldest of them first."""
        return (await self._lines(_RECENT, table=table, audience=audience, limit=limit))[::-1]

    async def since(self, number: int, *, limit: int = PAGE) -> list[ChatLine]:
        """Lines of all tables with a higher id, the oldest first."""
        return await self._lines(_SINCE, number=number, limit=limit)

    async def all(self, *, page: int = PAGE) -> AsyncIterator[ChatLine]:
        """Everything, the oldest first, read a page at a time."""
        wanted = select(chat).order_by(chat.c.id).limit(page)
        found = await self._lines(wanted)
        while found:
            for line in found:
                yield line
            found = await self._lines(wanted.where(chat.c.id > found[-1].id))

    async def delete_of(self, person: str) -> int:
        """Forget what somebody said; tells how many lines."""
        gone = delete(chat).where(chat.c.person_id == person)
        return await self._database.run(lambda sql: sql.execute(gone).rowcount)

    async def _lines(self, wanted: Select[Any], **values: Any) -> list[ChatLine]:
        return [_line(row) for row in await self._database.ask(lambda sql: sql.execute(wanted, values).all())]


# Made once: to put a statement together takes longer than to carry it out.
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
