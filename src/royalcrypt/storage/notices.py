"""Notices from one process to all: kept, so that none is missed when a hint is."""

from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import delete, insert, select

from royalcrypt.storage.database import Database
from royalcrypt.storage.schema import notices

PAGE = 500


class NoticeKind(StrEnum):
    PERSON = "person"
    """Something about somebody is no longer as it was: a name, a device, whether they are welcome."""
    LEAVING = "leaving"
    """Somebody is being deleted: nobody may come in as them any more."""
    REWRITTEN = "rewritten"
    """Somebody was taken out of the journals of their tables."""
    RULES = "rules"
    """The host has changed what holds for everybody."""


class Notice(NamedTuple):
    id: int
    kind: NoticeKind
    subject: str


class Notices:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, kind: NoticeKind, subject: str, now: int) -> None:
        added = insert(notices).values(kind=kind, subject=subject, at=now)
        await self._database.run(lambda sql: sql.execute(added).close())

    async def since(self, number: int) -> list[Notice]:
        wanted = select(notices).where(notices.c.id > number).order_by(notices.c.id).limit(PAGE)
        found = await self._database.ask(lambda sql: sql.execute(wanted).all())
        return [Notice(row.id, NoticeKind(row.kind), row.subject) for row in found]

    async def purge(self, before: int) -> None:
        """Those that everybody has taken note of long since."""
        old = delete(notices).where(notices.c.at < before)
        await self._database.run(lambda sql: sql.execute(old).close())
