"""People, the devices they are known by, and codes and phrases that sign in another one."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, exists, insert, select, update

from royalcrypt.storage.database import Database
from royalcrypt.storage.schema import codes, devices, people, recoveries

PAGE = 200


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str
    created: int
    is_muted: bool = False
    is_banned: bool = False


class People:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, person: Person, device: str) -> None:
        """Somebody new, on their first device."""

        def work(sql: Connection) -> None:
            sql.execute(insert(people).values(**msgspec.structs.asdict(person), seen=person.created))
            sql.execute(insert(devices).values(id=device, person_id=person.id, created=person.created))

        await self._database.run(work)

    async def find(self, person: str) -> Person | None:
        found = await self._database.ask(lambda sql: sql.execute(_PERSON, {"person": person}).first())
        return person_in(found) if found else None

    async def all(self, *, page: int = PAGE) -> AsyncIterator[Person]:
        """Everybody, in the order of their ids, read a page at a time."""
        wanted = select(people).order_by(people.c.id).limit(page)
        found = await self._people(wanted)
        while found:
            for person in found:
                yield person
            found = await self._people(wanted.where(people.c.id > found[-1].id))

    async def rename(self, person: str, name: str) -> bool:
        """Whether there is such a person; so with the others that alter one."""
        return await self._alter(person, name=name)

    async def set_muted(self, person: str, *, is_muted: bool) -> bool:
        return await self._alter(person, is_muted=is_muted)

    async def set_banned(self, person: str, *, is_banned: bool) -> bool:
        return await self._alter(person, is_banned=is_banned)

    async def see(self, person: str, now: int) -> bool:
        """Note that somebody was here."""
        return await self._alter(person, seen=now)

    async def add_device(self, person: str, device: str, now: int) -> None:
        added = insert(devices).values(id=device, person_id=person, created=now)
        await self._database.run(lambda sql: sql.execute(added).close())

    async def is_device_valid(self, person: str, device: str) -> bool:
        whose = {"device": device, "person": person}
        return bool(await self._database.ask(lambda sql: sql.scalar(_VALID_DEVICE, whose)))

    async def revoke_device(self, person: str, device: str, now: int) -> bool:
        """Whether it was valid until now."""
        return await self._revoke(devices.c.person_id == person, devices.c.id == device, now=now) > 0

    async def revoke_all(self, person: str, now: int) -> int:
        """Sign somebody out everywhere; tells on how many devices."""
        return await self._revoke(devices.c.person_id == person, now=now)

    async def keep_code(self, digest: bytes, person: str, expires: int) -> None:
        added = insert(codes).values(digest=digest, person_id=person, expires=expires)
        await self._database.run(lambda sql: sql.execute(added).close())

    async def redeem_code(self, digest: bytes, now: int) -> str | None:
        """Whose code it is; it never works again."""
        taken = delete(codes).where(codes.c.digest == digest).returning(codes.c.person_id, codes.c.expires)
        found = await self._database.run(lambda sql: sql.execute(taken).first())
        return found.person_id if found and found.expires > now else None

    async def keep_phrase(self, person: str, digest: bytes, now: int) -> None:
        """The one that brings somebody back; it replaces the one before."""

        def work(sql: Connection) -> None:
            sql.execute(delete(recoveries).where(recoveries.c.person_id == person))
            sql.execute(insert(recoveries).values(person_id=person, digest=digest, created=now))

        await self._database.run(work)

    async def phrase_made(self, person: str) -> int | None:
        """When somebody's phrase was made, if they have one."""
        wanted = select(recoveries.c.created).where(recoveries.c.person_id == person)
        return await self._database.ask(lambda sql: sql.scalar(wanted))

    async def whose_phrase(self, digest: bytes) -> str | None:
        wanted = select(recoveries.c.person_id).where(recoveries.c.digest == digest)
        return await self._database.ask(lambda sql: sql.scalar(wanted))

    async def purge_codes(self, now: int) -> int:
        """Forget the codes that have expired; tells how many."""
        return await self._count(delete(codes).where(codes.c.expires <= now))

    async def _alter(self, person: str, **values: Any) -> bool:
        return await self._count(update(people).where(people.c.id == person).values(**values)) > 0

    async def _revoke(self, *which: ColumnElement[bool], now: int) -> int:
        return await self._count(update(devices).where(*which, _IS_VALID).values(revoked=now))

    async def _count(self, statement: Any) -> int:
        return await self._database.run(lambda sql: sql.execute(statement).rowcount)

    async def _people(self, wanted: Any) -> list[Person]:
        return [person_in(row) for row in await self._database.ask(lambda sql: sql.execute(wanted).all())]


_IS_VALID = devices.c.revoked.is_(None)
# Made once: to put a statement together takes longer than to carry it out.
_PERSON = select(people).where(people.c.id == bindparam("person"))
_VALID_DEVICE = select(
    exists().where(devices.c.id == bindparam("device"), devices.c.person_id == bindparam("person"), _IS_VALID)
)


def person_in(row: Row[Any]) -> Person:
    return Person(row.id, row.name, row.created, is_muted=row.is_muted, is_banned=row.is_banned)
