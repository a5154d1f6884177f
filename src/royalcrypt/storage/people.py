"""Stored people, their devices, sign-in codes and recovery phrases, and their programs."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, bindparam, delete, exists, func, insert, select, update

from royalcrypt.storage.database import Store, snapshot, transaction
from royalcrypt.storage.schema import codes, devices, people, programs, recoveries, tokens

PAGE = 200


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str
    created: int
    is_muted: bool = False
    is_banned: bool = False


PERSON = people.c["id", "name", "created", "is_muted", "is_banned"]


class People(Store):
    @transaction
    def add(self, sql: Connection, person: Person, device: str) -> None:
        """Add a person with their first device."""
        sql.execute(insert(people).values(**msgspec.structs.asdict(person), seen=person.created))
        sql.execute(insert(devices).values(id=device, person_id=person.id, created=person.created))

    async def find(self, person: str) -> Person | None:
        found = await self._row(_PERSON, person=person)
        return Person(*found) if found else None

    async def all(self, *, page: int = PAGE) -> AsyncIterator[Person]:
        """Yield all people in the order of their ids, reading one page at a time."""
        async for row in self._all(select(*PERSON), people.c.id, page=page):
            yield Person(*row)

    async def update(self, person: str, **values: Any) -> bool:
        """Change ``name``, ``is_muted`` or ``is_banned``; returns False if the person does not exist."""
        return await self._write(update(people).where(people.c.id == person).values(**values)) > 0

    async def add_device(self, person: str, device: str, now: int) -> None:
        await self._write(insert(devices).values(id=device, person_id=person, created=now))

    async def is_device_valid(self, person: str, device: str) -> bool:
        return bool(await self._scalar(_VALID_DEVICE, device=device, person=person))

    async def revoke_device(self, person: str, device: str, now: int) -> bool:
        """Sign out one device; returns whether it was signed in."""
        return await self._revoke(devices.c.person_id == person, devices.c.id == device, now=now) > 0

    async def revoke_all(self, person: str, now: int) -> int:
        """Sign out all devices of a person; returns how many were signed in."""
        return await self._revoke(devices.c.person_id == person, now=now)

    async def keep_code(self, digest: bytes, person: str, expires: int) -> None:
        await self._write(insert(codes).values(digest=digest, person_id=person, expires=expires))

    async def redeem_code(self, digest: bytes, now: int) -> str | None:
        """Delete a code and return the person it signs in; None if it is unknown or expired.

        A wrong code costs no write.
        """
        is_known = await self._scalar(_CODE, digest=digest)
        return await self._redeem(digest, now) if is_known else None

    @transaction
    def _redeem(self, sql: Connection, digest: bytes, now: int) -> str | None:
        taken = delete(codes).where(codes.c.digest == digest).returning(codes.c.person_id, codes.c.expires)
        found = sql.execute(taken).first()
        return found.person_id if found and found.expires > now else None

    async def keep_phrase(self, person: str, digest: bytes, now: int) -> None:
        """Store the digest of a person's recovery phrase; it replaces the previous one."""
        await self._upsert(recoveries, person_id=person, digest=digest, created=now)

    async def phrase_made(self, person: str) -> int | None:
        """Return when the person's recovery phrase was created (ms since 1970), if there is one."""
        return await self._scalar(select(recoveries.c.created).where(recoveries.c.person_id == person))

    async def find_by_phrase(self, digest: bytes) -> str | None:
        return await self._scalar(select(recoveries.c.person_id).where(recoveries.c.digest == digest))

    async def purge_codes(self, now: int) -> int:
        """Delete expired codes; returns how many there were."""
        return await self._write(delete(codes).where(codes.c.expires <= now))

    async def _revoke(self, *which: ColumnElement[bool], now: int) -> int:
        return await self._write(update(devices).where(*which, _IS_VALID).values(revoked=now))


class Program(msgspec.Struct, frozen=True):
    id: str
    name: str
    created: int
    used: int | None
    """When the token was last used, in ms since 1970, accurate to some minutes."""


class ProgramWithKeeper(NamedTuple):
    """A program with its keeper, the person who is responsible for it."""

    program: Person
    keeper: Person


class Programs(Store):
    """Stored programs: each has a row in ``people``, belongs to a keeper, and signs in with a token."""

    @transaction
    def add(self, sql: Connection, program: Person, kept_by: str, digest: bytes, *, most: int) -> bool:
        """Add a program; returns False if the keeper already has ``most`` programs."""
        if (sql.scalar(_PROGRAM_COUNT, {"keeper": kept_by}) or 0) >= most:
            return False
        sql.execute(insert(people).values(**msgspec.structs.asdict(program), seen=program.created))
        sql.execute(insert(programs).values(person_id=program.id, kept_by=kept_by))
        _replace_token(sql, program.id, digest, program.created)
        return True

    async def of(self, keeper: str) -> list[Program]:
        """Return a keeper's programs, oldest first."""
        return [Program(*row) for row in await self._rows(_PROGRAMS_OF, keeper=keeper)]

    @snapshot
    def find_by_token(self, sql: Connection, digest: bytes) -> ProgramWithKeeper | None:
        """Return the program with this token's digest, and its keeper; None if there is none."""
        program = sql.execute(_PROGRAM_BY_TOKEN, {"digest": digest}).first()
        keeper = program and sql.execute(_KEEPER, {"program": program.id}).first()
        return ProgramWithKeeper(Person(*program), Person(*keeper)) if program and keeper else None

    @transaction
    def renew(self, sql: Connection, program: str, digest: bytes, now: int) -> None:
        """Replace a program's token."""
        _replace_token(sql, program, digest, now)

    @transaction
    def remove(self, sql: Connection, program: str, now: int) -> None:
        """Remove a program: its token becomes invalid, and its games are kept."""
        sql.execute(delete(tokens).where(tokens.c.person_id == program))
        sql.execute(update(programs).where(programs.c.person_id == program).values(removed=now))

    async def store_use(self, digest: bytes, now: int) -> None:
        await self._write(update(tokens).where(tokens.c.digest == digest).values(used=now))


def _replace_token(sql: Connection, program: str, digest: bytes, now: int) -> None:
    sql.execute(delete(tokens).where(tokens.c.person_id == program))
    sql.execute(insert(tokens).values(digest=digest, person_id=program, created=now))


# Built once, because building a statement takes longer than running it.
_PERSON = select(*PERSON).where(people.c.id == bindparam("person"))
_IS_VALID = devices.c.revoked.is_(None)
_VALID_DEVICE = select(
    exists().where(devices.c.id == bindparam("device"), devices.c.person_id == bindparam("person"), _IS_VALID)
)
_CODE = select(exists().where(codes.c.digest == bindparam("digest")))
_IS_KEPT = (programs.c.kept_by == bindparam("keeper"), programs.c.removed.is_(None))
_PROGRAM_COUNT = select(func.count()).select_from(programs).where(*_IS_KEPT)
_PROGRAMS_OF = (
    select(people.c.id, people.c.name, people.c.created, tokens.c.used)
    .join(programs, programs.c.person_id == people.c.id)
    .outerjoin(tokens, tokens.c.person_id == people.c.id)
    .where(*_IS_KEPT)
    .order_by(people.c.created, people.c.id)
)
_OF_TOKEN = select(tokens.c.person_id).where(tokens.c.digest == bindparam("digest"))
_PROGRAM_BY_TOKEN = select(*PERSON).where(people.c.id == _OF_TOKEN.scalar_subquery())
_OF_PROGRAM = select(programs.c.kept_by).where(programs.c.person_id == bindparam("program"))
_KEEPER = select(*PERSON).where(people.c.id == _OF_PROGRAM.scalar_subquery())
