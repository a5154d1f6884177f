"""Stores of tables that share a secret: daily games with their scores, and duplicates."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, and_, bindparam, func, insert, or_, select

from royalcrypt.live.stores import IN_PROGRESS, DailySetup, Duplicate, HighScore, StoredTry
from royalcrypt.storage import schema
from royalcrypt.storage.database import Store, snapshot, transaction
from royalcrypt.storage.schema import dailies, daily_tries, duplicate_tables, duplicates, people, results

DAYS, DUPLICATES = 100, 50
"""Maximum number of days and of duplicates in a list."""


class Dailies(Store):
    """Daily games and attempts; an attempt counts if it ended before ``until``, the secret's publication."""

    @transaction
    def keep(self, sql: Connection, setup: DailySetup, now: int) -> DailySetup:
        """Store a day's set-up unless there is one; returns the stored one."""
        found = _setup(sql, setup.day)
        if found is None:
            sql.execute(insert(dailies).values(**msgspec.structs.asdict(setup), created=now))
        return found or setup

    async def find(self, day: str) -> DailySetup | None:
        return await self.database.ask(lambda sql: _setup(sql, day))

    async def days(self, *, limit: int = DAYS) -> list[str]:
        """Return the days with a set-up, newest first."""
        wanted = select(dailies.c.day).order_by(dailies.c.day.desc()).limit(limit)
        return [row.day for row in await self._rows(wanted)]

    @transaction
    def begin(self, sql: Connection, day: str, person: str, table: str, now: int) -> str:
        """Register a person's attempt at this table; returns the table of an earlier attempt if any."""
        whose = (daily_tries.c.day == day, daily_tries.c.person_id == person)
        begun = sql.scalar(select(daily_tries.c.table_id).where(*whose))
        if begun is None:
            sql.execute(insert(daily_tries).values(day=day, person_id=person, table_id=table, begun=now))
        return begun or table

    async def tries_of(self, person: str, days: Sequence[str]) -> dict[str, StoredTry]:
        """Return a person's attempts, keyed by day."""
        wanted = (
            select(daily_tries.c.day, daily_tries.c.table_id, results.c.score, results.c.ended)
            .outerjoin(results, results.c.table_id == daily_tries.c.table_id)
            .where(daily_tries.c.person_id == person, daily_tries.c.day.in_(days))
        )
        return {row.day: StoredTry(*row) for row in await self._rows(wanted)}

    async def begun(self, day: str) -> int:
        """Count the people who have begun."""
        return await self._scalar(
            select(func.count()).select_from(daily_tries).where(daily_tries.c.day == day)
        )

    async def scores(self, day: str, *, until: int) -> dict[int, int]:
        """Count the people who reached each score, lowest score first."""
        wanted = _finished(day, until).with_only_columns(results.c.score, func.count())
        wanted = wanted.group_by(results.c.score).order_by(results.c.score)
        return {row[0]: row[1] for row in await self._rows(wanted)}

    async def best(self, day: str, *, until: int, limit: int) -> list[HighScore]:
        """Return the highest scores, without those of deleted or banned people."""
        wanted = (
            _finished(day, until)
            .with_only_columns(people.c.id, people.c.name, results.c.score)
            .join(people, and_(people.c.id == daily_tries.c.person_id, people.c.is_banned.is_(False)))
            .order_by(results.c.score.desc(), results.c.ended, people.c.id)
            .limit(limit)
        )
        return [HighScore(*row) for row in await self._rows(wanted)]


def _setup(sql: Connection, day: str) -> DailySetup | None:
    found = sql.execute(select(*dailies.c["day", "secret", "collectors"]).where(dailies.c.day == day)).first()
    return DailySetup(*found) if found else None


def _finished(day: str, until: int) -> Select[tuple[str]]:
    return (
        select(daily_tries.c.table_id)
        .select_from(daily_tries)
        .join(results, results.c.table_id == daily_tries.c.table_id)
        .where(daily_tries.c.day == day, results.c.ended < until)
    )


class Duplicates(Store):
    @transaction
    def add(self, sql: Connection, duplicate: Duplicate) -> None:
        """Store a duplicate; must be called before its tables are opened."""
        row = {"id": duplicate.id, "owner": duplicate.owner, "created": duplicate.created}
        sql.execute(insert(duplicates).values(row))
        for number, table in enumerate(duplicate.tables):
            place = {"duplicate_id": duplicate.id, "number": number, "table_id": table}
            sql.execute(insert(duplicate_tables).values(place))

    async def find(self, duplicate: str) -> Duplicate | None:
        found = await self._find(select(duplicates).where(duplicates.c.id == duplicate))
        return found[0] if found else None

    async def in_progress(self, duplicate: str) -> int:
        """Count a duplicate's open and running tables."""
        return await self._scalar(
            select(func.count())
            .select_from(duplicate_tables)
            .join(schema.tables, schema.tables.c.id == duplicate_tables.c.table_id)
            .where(duplicate_tables.c.duplicate_id == duplicate, schema.tables.c.status.in_(IN_PROGRESS))
        )

    async def takes_part(self, duplicate: str, person: str) -> bool:
        """Whether the person owns the duplicate or has a seat at one of its tables."""
        wanted = _with(person).where(duplicates.c.id == duplicate).limit(1)
        return await self._scalar(wanted) is not None

    async def of_person(self, person: str, *, limit: int = DUPLICATES) -> list[Duplicate]:
        """Return the duplicates that the person owns or takes part in, newest first."""
        return await self._find(
            select(duplicates)
            .where(duplicates.c.id.in_(_with(person)))
            .order_by(duplicates.c.created.desc(), duplicates.c.id)
            .limit(limit)
        )

    @snapshot
    def _find(self, sql: Connection, wanted: Select[Any]) -> list[Duplicate]:
        return [
            Duplicate(row.id, row.owner, row.created, tuple(sql.scalars(_TABLES, {"id": row.id})))
            for row in sql.execute(wanted).all()
        ]


_TABLES = (
    select(duplicate_tables.c.table_id)
    .where(duplicate_tables.c.duplicate_id == bindparam("id"))
    .order_by(duplicate_tables.c.number)
)


def _with(person: str) -> Select[tuple[str]]:
    return (
        select(duplicates.c.id)
        .join(duplicate_tables, duplicate_tables.c.duplicate_id == duplicates.c.id)
        .outerjoin(schema.seats, schema.seats.c.table_id == duplicate_tables.c.table_id)
        .where(or_(duplicates.c.owner == person, schema.seats.c.person_id == person))
    )
