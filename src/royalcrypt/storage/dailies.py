"""Daily games: each day's secret, who has tried it, and the scores."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, Select, and_, func, insert, select

from royalcrypt.storage.database import Store
from royalcrypt.storage.schema import dailies, daily_tries, people, results

PAGE = 100


class Crypt(msgspec.Struct, frozen=True):
    """The set-up that everybody gets on one day."""

    day: str
    secret: bytes
    collectors: str


class Best(msgspec.Struct, frozen=True):
    """A high score, with the person's current name."""

    person: str
    name: str
    score: int


class Tried(msgspec.Struct, frozen=True):
    """A person's only try at a day. Score and end are None while it runs."""

    day: str
    table: str
    score: int | None
    ended: int | None


class Dailies(Store):
    """A try counts if it ended before ``until``, when the day's secret is published."""

    async def keep(self, crypt: Crypt, now: int) -> Crypt:
        """Store a day's set-up unless there is one. Returns the one that is stored."""

        def work(sql: Connection) -> Crypt:
            found = _crypt(sql, crypt.day)
            if found is None:
                sql.execute(insert(dailies).values(**msgspec.structs.asdict(crypt), created=now))
            return found or crypt

        return await self._database.run(work)

    async def find(self, day: str) -> Crypt | None:
        return await self._database.ask(lambda sql: _crypt(sql, day))

    async def days(self, *, limit: int = PAGE) -> list[str]:
        """The latest first."""
        wanted = select(dailies.c.day).order_by(dailies.c.day.desc()).limit(limit)
        return [row.day for row in await self._rows(wanted)]

    async def begin(self, day: str, person: str, table: str, now: int) -> str:
        """Use a person's try at this table. Returns the table of an earlier try if there was one."""

        def work(sql: Connection) -> str:
            whose = (daily_tries.c.day == day, daily_tries.c.person_id == person)
            begun = sql.scalar(select(daily_tries.c.table_id).where(*whose))
            if begun is None:
                row = {"day": day, "person_id": person, "table_id": table, "begun": now}
                sql.execute(insert(daily_tries).values(row))
            return begun or table

        return await self._database.run(work)

    async def tries_of(self, person: str, days: Sequence[str]) -> dict[str, Tried]:
        """By day."""
        wanted = (
            select(daily_tries.c.day, daily_tries.c.table_id, results.c.score, results.c.ended)
            .outerjoin(results, results.c.table_id == daily_tries.c.table_id)
            .where(daily_tries.c.person_id == person, daily_tries.c.day.in_(days))
        )
        return {row.day: Tried(*row) for row in await self._rows(wanted)}

    async def begun(self, day: str) -> int:
        """How many people have begun."""
        wanted = select(func.count()).select_from(daily_tries).where(daily_tries.c.day == day)
        return await self._scalar(wanted)

    async def scores(self, day: str, *, until: int) -> dict[int, int]:
        """How many people reached each score, the lowest score first."""
        wanted = _finished(day, until).with_only_columns(results.c.score, func.count())
        wanted = wanted.group_by(results.c.score).order_by(results.c.score)
        return {row[0]: row[1] for row in await self._rows(wanted)}

    async def best(self, day: str, *, until: int, limit: int) -> list[Best]:
        """The highest scores, without those of deleted or banned people."""
        wanted = (
            _finished(day, until)
            .with_only_columns(people.c.id, people.c.name, results.c.score)
            .join(people, and_(people.c.id == daily_tries.c.person_id, people.c.is_banned.is_(False)))
            .order_by(results.c.score.desc(), results.c.ended, people.c.id)
            .limit(limit)
        )
        return [Best(*row) for row in await self._rows(wanted)]


def _crypt(sql: Connection, day: str) -> Crypt | None:
    found = sql.execute(select(dailies).where(dailies.c.day == day)).first()
    return Crypt(found.day, found.secret, found.collectors) if found else None


def _finished(day: str, until: int) -> Select[tuple[str]]:
    return (
        select(daily_tries.c.table_id)
        .select_from(daily_tries)
        .join(results, results.c.table_id == daily_tries.c.table_id)
        .where(daily_tries.c.day == day, results.c.ended < until)
    )
