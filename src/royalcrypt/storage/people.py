"""People, their devices, and the codes and phrases that sign in another device."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, exists, insert, select, update

from royalcrypt.storage.database import Store
from royalcrypt.storage.schema import codes, devices, people, recoveries

PAGE = 200


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str
    created: int
    is_muted: bool = False
    is_banned: bool = False


class People(Store):
    async def add(self, person: Person, device: str) -> None:
        """Add a new person with their first device."""

        def work(sql: Connection) -> None:
            sql.execute(insert(people).values(**msgspec.structs.asdict(person), seen=person.created))
            sql.execute(insert(devices).values(id=device, person_id=person.id, created=person.created))

        await self._database.run(work)

    async def find(self, person: str) -> Person | None:
        found = await self._row(_PERSON, person=person)
        return person_in(found) if found else None

    async def all(self, *, page: int = PAGE) -> AsyncIterator[Person]:
        """Everybody, in the order of their ids, read a page at a time."""
        async for row in self._all(select(people), people.c.id, page=page):
            yield person_in(row)

    async def rename(self, person: str, name: str) -> bool:
        """False if there is no such person; likewise below."""
        return await self._update(person, name=name)

    async def set_muted(self, person: str, *, is_muted: bool) -> bool:
        return await self._update(person, is_muted=is_muted)

    async def set_banned(self, person: str, *, is_banned: bool) -> bool:
        return await self._update(person, is_banned=is_banned)

    async def add_device(self, person: str, device: str, now: int) -> None:
        await self._write(insert(devices).values(id=device, person_id=person, created=now))

    async def is_device_valid(self, person: str, device: str) -> bool:
        return bool(await self._scalar(_VALID_DEVICE, device=device, person=person))

    async def revoke_device(self, person: str, device: str, now: int) -> bool:
        """Whether it was valid until now."""
        return await self._revoke(devices.c.person_id == person, devices.c.id == device, now=now) > 0

    async def revoke_all(self, person: str, now: int) -> int:
        """Sign a person out everywhere. Returns the number of devices."""
        return await self._revoke(devices.c.person_id == person, now=now)

    async def keep_code(self, digest: bytes, person: str, expires: int) -> None:
        await self._write(insert(codes).values(digest=digest, person_id=person, expires=expires))

    async def redeem_code(self, digest: bytes, now: int) -> str | None:
        """The person whose code it is. A code works once."""
        taken = delete(codes).where(codes.c.digest == digest).returning(codes.c.person_id, codes.c.expires)
        found = await self._database.run(lambda sql: sql.execute(taken).first())
        return found.person_id if found and found.expires > now else None

    async def keep_phrase(self, person: str, digest: bytes, now: int) -> None:
        """Store a person's recovery phrase in place of the one before."""
        await self._upsert(recoveries, person_id=person, digest=digest, created=now)

    async def phrase_made(self, person: str) -> int | None:
        """When the person's phrase was created, if there is one."""
        return await self._scalar(select(recoveries.c.created).where(recoveries.c.person_id == person))

    async def whose_phrase(self, digest: bytes) -> str | None:
        return await self._scalar(select(recoveries.c.person_id).where(recoveries.c.digest == digest))

    async def purge_codes(self, now: int) -> int:
        """Delete expired codes. Returns how many."""
        return await self._write(delete(codes).where(codes.c.expires <= now))

    async def _update(self, person: str, **values: Any) -> bool:
        return await self._write(update(people).where(people.c.id == person).values(**values)) > 0

    async def _revoke(self, *which: ColumnElement[bool], now: int) -> int:
        return await self._write(update(devices).where(*which, _IS_VALID).values(revoked=now))


_IS_VALID = devices.c.revoked.is_(None)
# Built once: building a statement takes longer than running it.
_PERSON = select(people).where(people.c.id == bindparam("person"))
_VALID_DEVICE = select(
    exists().where(devices.c.id == bindparam("device"), devices.c.person_id == bindparam("person"), _IS_VALID)
)


def person_in(row: Row[Any]) -> Person:
    return Person(row.id, row.name, row.created, is_muted=row.is_muted, is_banned=row.is_banned)
