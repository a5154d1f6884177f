"""Notices from one process to all. They are stored, so none is lost when a message between processes is."""

from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import delete, insert, select

from royalcrypt.storage.database import Store
from royalcrypt.storage.schema import notices

PAGE = 500


class NoticeKind(StrEnum):
    PERSON = "person"
    """A person has changed: name, devices, mute or ban."""
    LEAVING = "leaving"
    """A person is being deleted. Nobody may sign in as them any more."""
    REWRITTEN = "rewritten"
    """A person was removed from the journals of their tables."""
    RULES = "rules"
    """The host has changed a setting that affects everybody."""


class Notice(NamedTuple):
    id: int
    kind: NoticeKind
    subject: str


class Notices(Store):
    async def add(self, kind: NoticeKind, subject: str, now: int) -> None:
        await self._write(insert(notices).values(kind=kind, subject=subject, at=now))

    async def since(self, number: int) -> list[Notice]:
        """Notices with a higher id, the oldest first."""
        wanted = select(notices).where(notices.c.id > number).order_by(notices.c.id).limit(PAGE)
        return [Notice(row.id, NoticeKind(row.kind), row.subject) for row in await self._rows(wanted)]

    async def purge(self, before: int) -> None:
        await self._write(delete(notices).where(notices.c.at < before))
