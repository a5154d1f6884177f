"""Where people want to be written to, and which letters were taken in hand."""

from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, exists, func, insert, literal, select, tuple_, update

from royalcrypt.storage.database import Database
from royalcrypt.storage.schema import addresses, letters, people, seats, tables
from royalcrypt.tables.journal import Status

PAGE = 100


class Address(msgspec.Struct, frozen=True):
    person: str
    address: str
    language: str
    key: bytes
    """Random; links in letters are made from it, and are good for this address alone."""
    asked: int
    """When it was given, in ms since 1970."""
    confirmed: int | None = None


class Waiting(msgspec.Struct, frozen=True):
    """Somebody with a confirmed address whose move a table waits for."""

    to: Address
    table: str
    seat: int
    updated: int
    """When the table last changed: so long it has been waiting."""
    told: bytes
    """What lists show of it, as JSON."""


class Addresses:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person: str) -> Address | None:
        wanted = select(addresses).where(addresses.c.person_id == person)
        return await self._one(wanted)

    async def by_key(self, key: bytes) -> Address | None:
        return await self._one(select(addresses).where(addresses.c.key == key))

    async def keep(self, given: Address) -> None:
        """In place of the one they gave before."""
        values = msgspec.structs.asdict(given)
        values["person_id"] = values.pop("person")

        def work(sql: Connection) -> None:
            sql.execute(delete(addresses).where(addresses.c.person_id == given.person))
            sql.execute(insert(addresses).values(**values))

        await self._database.run(work)

    async def confirm(self, key: bytes, now: int) -> bool:
        """Whether there is such an address; who confirms twice has confirmed."""
        changed = update(addresses).where(addresses.c.key == key)
        first = func.coalesce(addresses.c.confirmed, now)
        return await self._count(changed.values(confirmed=first)) > 0

    async def speak(self, person: str, language: str) -> None:
        """From now on they are written to in this language."""
        await self._count(update(addresses).where(addresses.c.person_id == person).values(language=language))

    async def forget(self, *, person: str | None = None, key: bytes | None = None) -> bool:
        """Whether there was one."""
        which = addresses.c.key == key if person is None else addresses.c.person_id == person
        return await self._count(delete(addresses).where(which)) > 0

    async def count_asked(self, address: str, since: int) -> int:
        """How many people have given this address since then, and not confirmed it."""
        wanted = (
            select(func.count())
            .select_from(addresses)
            .where(
                func.lower(addresses.c.address) == address.lower(),
                addresses.c.asked > since,
                addresses.c.confirmed.is_(None),
            )
        )
        return await self._database.ask(lambda sql: sql.scalar(wanted) or 0)

    async def waiting(
        self, before: int, day: str, *, after: tuple[int, str] = (0, ""), limit: int = PAGE
    ) -> list[Waiting]:
        """Whose turn it has been since ``before`` without a letter of this turn or this day.

        The longest first; for the next page say after which (updated, table) to go on. Only where
        somebody else holds a seat as well.
        """
        mine = (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.actor)
        others = seats.alias()
        has_others = exists().where(
            others.c.table_id == tables.c.id,
            others.c.person_id.is_not(None),
            others.c.person_id != seats.c.person_id,
        )
        written = exists().where(
            letters.c.person_id == seats.c.person_id,
            letters.c.table_id == tables.c.id,
            (letters.c.day == day) | (letters.c.taken > tables.c.updated),
        )
        wanted = (
            select(addresses, tables.c.id, tables.c.actor, tables.c.updated, tables.c.told)
            .select_from(tables)
            .join(seats, mine)
            .join(addresses, addresses.c.person_id == seats.c.person_id)
            .join(people, people.c.id == seats.c.person_id)
            .where(
                tables.c.status == Status.RUNNING,
                tables.c.updated <= before,
                tuple_(tables.c.updated, tables.c.id) > tuple_(*map(literal, after)),
                addresses.c.confirmed.is_not(None),
                people.c.is_banned.is_(False),
                has_others,
                ~written,
            )
            .order_by(tables.c.updated, tables.c.id)
            .limit(limit)
        )
        found = await self._database.ask(lambda sql: sql.execute(wanted).all())
        return [_waiting(row) for row in found]

    async def take(self, letter: Waiting, day: str, now: int) -> bool:
        """Take a letter in hand, before it is sent; of several who try, one may.

        Not if it was written this day already, or meanwhile the table has gone on or the address is gone.
        """
        whose = {"person_id": letter.to.person, "table_id": letter.table, "day": day}
        is_taken = exists().where(*(letters.c[name] == value for name, value in whose.items()))
        is_wanted = exists().where(addresses.c.key == letter.to.key, addresses.c.confirmed.is_not(None))
        still = (
            select(*(literal(value) for value in (*whose.values(), now)))
            .select_from(tables)
            .where(
                tables.c.id == letter.table,
                tables.c.updated == letter.updated,
                tables.c.status == Status.RUNNING,
                ~is_taken,
                is_wanted,
            )
        )
        taken = insert(letters).from_select([*whose, "taken"], still)
        return await self._count(taken) > 0

    async def put_back(self, letter: Waiting, day: str) -> None:
        """It certainly was not delivered: somebody may try again."""
        await self._count(
            delete(letters).where(
                letters.c.person_id == letter.to.person,
                letters.c.table_id == letter.table,
                letters.c.day == day,
            )
        )

    async def purge(self, asked_before: int) -> None:
        """Forget addresses that nobody confirmed, and letters about games that are over."""
        running = select(tables.c.id).where(tables.c.status == Status.RUNNING)

        def work(sql: Connection) -> None:
            old = delete(addresses).where(addresses.c.confirmed.is_(None), addresses.c.asked <= asked_before)
            sql.execute(old).close()
            sql.execute(delete(letters).where(letters.c.table_id.not_in(running))).close()

        await self._database.run(work)

    async def _one(self, wanted: Any) -> Address | None:
        found = await self._database.ask(lambda sql: sql.execute(wanted).first())
        return _address(found) if found else None

    async def _count(self, statement: Any) -> int:
        return await self._database.run(lambda sql: sql.execute(statement).rowcount)


def _address(row: Row[Any]) -> Address:
    return Address(
        person=row.person_id,
        address=row.address,
        language=row.language,
        key=row.key,
        asked=row.asked,
        confirmed=row.confirmed,
    )


def _waiting(row: Row[Any]) -> Waiting:
    return Waiting(to=_address(row), table=row.id, seat=row.actor, updated=row.updated, told=row.told)
