"""The days' crypts: their secrets, who has tried each, and how it went."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, Select, and_, func, insert, select

from royalcrypt.storage.database import Database
from royalcrypt.storage.schema import dailies, daily_tries, people, results

PAGE = 100


class Crypt(msgspec.Struct, frozen=True):
    """What everybody meets on a day."""

    day: str
    secret: bytes
    collectors: str


class Best(msgspec.Struct, frozen=True):
    """One of a day's best, by the name they go by now."""

    person: str
    name: str
    score: int


class Tried(msgspec.Struct, frozen=True):
    """Somebody's one try at a day, and if it is over, the score and when that was."""

    day: str
    table: str
    score: int | None
    ended: int | None


class Dailies:
    """A try counts if it was over before ``until``, when the day's secret is told."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, crypt: Crypt, now: int) -> Crypt:
        """The day's crypt: this one, unless there is one already."""

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
        return await self._database.ask(lambda sql: list(sql.scalars(wanted)))

    async def begin(self, day: str, person: str, table: str, now: int) -> str:
        """Use up somebody's try: at this table, or at the one where they have begun already."""

        def work(sql: Connection) -> str:
            begun = sql.scalar(
                select(daily_tries.c.table_id).where(
                    daily_tries.c.day == day, daily_tries.c.person_id == person
                )
            )
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
        found = await self._database.ask(lambda sql: sql.execute(wanted).all())
        return {row.day: Tried(row.day, row.table_id, row.score, row.ended) for row in found}

    async def begun(self, day: str) -> int:
        """How many have begun."""
        wanted = select(func.count()).select_from(daily_tries).where(daily_tries.c.day == day)
        return await self._database.ask(lambda sql: sql.scalar(wanted) or 0)

    async def scores(self, day: str, *, until: int) -> dict[int, int]:
        """How many reached each score, the lowest first."""
        wanted = _finished(day, until).with_only_columns(results.c.score, func.count())
        wanted = wanted.group_by(results.c.score).order_by(results.c.score)
        found = await self._database.ask(lambda sql: sql.execute(wanted).all())
        return {row[0]: row[1] for row in found}

    async def best(self, day: str, *, until: int, limit: int) -> list[Best]:
        """Those with a name: who has gone, or was sent away, is not among them."""
        wanted = (
            _finished(day, until)
            .with_only_columns(people.c.id, people.c.name, results.c.score)
            .join(people, and_(people.c.id == daily_tries.c.person_id, people.c.is_banned.is_(False)))
            .order_by(results.c.score.desc(), results.c.ended, people.c.id)
            .limit(limit)
        )
        found = await self._database.ask(lambda sql: sql.execute(wanted).all())
        return [Best(row.id, row.name, row.score) for row in found]


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
