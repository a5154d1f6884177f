"""Duplicates: several tables that share one secret."""

from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Select, func, insert, or_, select

from royalcrypt.storage.database import Store
from royalcrypt.storage.journal import IN_PROGRESS
from royalcrypt.storage.schema import duplicate_tables, duplicates, seats, tables

PAGE = 50


class Duplicate(msgspec.Struct, frozen=True):
    id: str
    owner: str
    created: int
    tables: tuple[str, ...]
    """In the order of their numbers."""


class Duplicates(Store):
    async def add(self, duplicate: Duplicate) -> None:
        """Call it before the tables are opened, so that none of them lacks its duplicate."""

        def work(sql: Connection) -> None:
            row = {"id": duplicate.id, "owner": duplicate.owner, "created": duplicate.created}
            sql.execute(insert(duplicates).values(row))
            for number, table in enumerate(duplicate.tables):
                place = {"duplicate_id": duplicate.id, "number": number, "table_id": table}
                sql.execute(insert(duplicate_tables).values(place))

        await self._database.run(work)

    async def find(self, duplicate: str) -> Duplicate | None:
        found = await self._find(select(duplicates).where(duplicates.c.id == duplicate))
        return found[0] if found else None

    async def is_over(self, duplicate: str) -> bool:
        """Whether all its tables are finished or closed."""
        return await self.in_progress(duplicate) == 0

    async def in_progress(self, duplicate: str) -> int:
        """How many of its tables are open or running."""
        wanted = (
            select(func.count())
            .select_from(duplicate_tables)
            .join(tables, tables.c.id == duplicate_tables.c.table_id)
            .where(duplicate_tables.c.duplicate_id == duplicate, tables.c.status.in_(IN_PROGRESS))
        )
        return await self._scalar(wanted)

    async def takes_part(self, duplicate: str, person: str) -> bool:
        """Whether the person owns it or has a seat at one of its tables."""
        wanted = _with(person).where(duplicates.c.id == duplicate).limit(1)
        return await self._scalar(wanted) is not None

    async def of_person(self, person: str, *, limit: int = PAGE) -> list[Duplicate]:
        """Those in which the person takes part, the latest first."""
        return await self._find(
            select(duplicates)
            .where(duplicates.c.id.in_(_with(person)))
            .order_by(duplicates.c.created.desc(), duplicates.c.id)
            .limit(limit)
        )

    async def _find(self, wanted: Select[Any]) -> list[Duplicate]:
        return await self._database.read(
            lambda sql: [_duplicate(sql, row) for row in sql.execute(wanted).all()]
        )


def _with(person: str) -> Select[tuple[str]]:
    return (
        select(duplicates.c.id)
        .join(duplicate_tables, duplicate_tables.c.duplicate_id == duplicates.c.id)
        .outerjoin(seats, seats.c.table_id == duplicate_tables.c.table_id)
        .where(or_(duplicates.c.owner == person, seats.c.person_id == person))
    )


def _duplicate(sql: Connection, row: Row[Any]) -> Duplicate:
    wanted = (
        select(duplicate_tables.c.table_id)
        .where(duplicate_tables.c.duplicate_id == row.id)
        .order_by(duplicate_tables.c.number)
    )
    return Duplicate(row.id, row.owner, row.created, tuple(sql.scalars(wanted)))
