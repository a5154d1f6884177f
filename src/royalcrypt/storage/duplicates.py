"""Duplicates: several tables with one secret, and how far they have come."""

import msgspec
from sqlalchemy import Connection, Select, func, insert, or_, select

from royalcrypt.storage.database import Database
from royalcrypt.storage.journal import IN_PROGRESS
from royalcrypt.storage.schema import duplicate_tables, duplicates, seats, tables

PAGE = 50


class Duplicate(msgspec.Struct, frozen=True):
    id: str
    owner: str
    created: int
    tables: tuple[str, ...]
    """In the order of their numbers."""


class Duplicates:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, duplicate: Duplicate) -> None:
        """Before its tables are opened, so that none of them is ever without it."""

        def work(sql: Connection) -> None:
            row = {"id": duplicate.id, "owner": duplicate.owner, "created": duplicate.created}
            sql.execute(insert(duplicates).values(row))
            for number, table in enumerate(duplicate.tables):
                place = {"duplicate_id": duplicate.id, "number": number, "table_id": table}
                sql.execute(insert(duplicate_tables).values(place))

        await self._database.run(work)

    async def find(self, duplicate: str) -> Duplicate | None:
        def work(sql: Connection) -> Duplicate | None:
            found = sql.execute(select(duplicates).where(duplicates.c.id == duplicate)).first()
            if found is None:
                return None
            return Duplicate(found.id, found.owner, found.created, _tables_of(sql, duplicate))

        return await self._database.read(work)

    async def is_over(self, duplicate: str) -> bool:
        """Whether nobody plays at any of its tables any more, or will."""
        return await self.in_progress(duplicate) == 0

    async def in_progress(self, duplicate: str) -> int:
        """How many of its tables are not done."""
        wanted = (
            select(func.count())
            .select_from(duplicate_tables)
            .join(tables, tables.c.id == duplicate_tables.c.table_id)
            .where(duplicate_tables.c.duplicate_id == duplicate, tables.c.status.in_(IN_PROGRESS))
        )
        return await self._database.ask(lambda sql: sql.scalar(wanted) or 0)

    async def takes_part(self, duplicate: str, person: str) -> bool:
        """Whether somebody set it up or has a seat at one of its tables."""
        found = await self._database.ask(
            lambda sql: sql.scalar(_with(person).where(duplicates.c.id == duplicate).limit(1))
        )
        return found is not None

    async def of_person(self, person: str, *, limit: int = PAGE) -> list[Duplicate]:
        """Those somebody takes part in, the latest first."""

        def work(sql: Connection) -> list[Duplicate]:
            wanted = (
                select(duplicates)
                .where(duplicates.c.id.in_(_with(person)))
                .order_by(duplicates.c.created.desc(), duplicates.c.id)
                .limit(limit)
            )
            return [
                Duplicate(row.id, row.owner, row.created, _tables_of(sql, row.id))
                for row in sql.execute(wanted).all()
            ]

        return await self._database.read(work)


def _with(person: str) -> Select[tuple[str]]:
    return (
        select(duplicates.c.id)
        .join(duplicate_tables, duplicate_tables.c.duplicate_id == duplicates.c.id)
        .outerjoin(seats, seats.c.table_id == duplicate_tables.c.table_id)
        .where(or_(duplicates.c.owner == person, seats.c.person_id == person))
    )


def _tables_of(sql: Connection, duplicate: str) -> tuple[str, ...]:
    wanted = (
        select(duplicate_tables.c.table_id)
        .where(duplicate_tables.c.duplicate_id == duplicate)
        .order_by(duplicate_tables.c.number)
    )
    return tuple(sql.scalars(wanted))
