"""Programs that play. Each is a person of its own, belongs to a keeper, and signs in with a token."""

from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from royalcrypt.storage.database import Store
from royalcrypt.storage.people import Person, person_in
from royalcrypt.storage.schema import people, programs, tokens


class Program(msgspec.Struct, frozen=True):
    id: str
    name: str
    created: int
    used: int | None
    """When its token was last used, to within some minutes."""


class Keeping(NamedTuple):
    """A program and the person who is responsible for it."""

    program: Person
    keeper: Person


class Programs(Store):
    async def add(self, program: Person, kept_by: str, digest: bytes, *, most: int) -> bool:
        """False if the keeper has ``most`` programs already."""

        def work(sql: Connection) -> bool:
            if (sql.scalar(_COUNT, {"keeper": kept_by}) or 0) >= most:
                return False
            sql.execute(insert(people).values(**msgspec.structs.asdict(program), seen=program.created))
            sql.execute(insert(programs).values(person_id=program.id, kept_by=kept_by))
            sql.execute(_new_token(program.id, digest, program.created))
            return True

        return await self._database.run(work)

    async def of(self, keeper: str) -> list[Program]:
        """The oldest first."""
        return [Program(*row) for row in await self._rows(_OF, keeper=keeper)]

    async def known_by(self, digest: bytes) -> Keeping | None:
        """The program that has this token."""

        def work(sql: Connection) -> Keeping | None:
            program = sql.execute(_BY_TOKEN, {"digest": digest}).first()
            keeper = program and sql.execute(_KEEPER, {"program": program.id}).first()
            return Keeping(person_in(program), person_in(keeper)) if program and keeper else None

        return await self._database.read(work)

    async def renew(self, program: str, digest: bytes, now: int) -> None:
        """Replace its token."""

        def work(sql: Connection) -> None:
            sql.execute(delete(tokens).where(tokens.c.person_id == program))
            sql.execute(_new_token(program, digest, now))

        await self._database.run(work)

    async def remove(self, program: str, now: int) -> None:
        """Its games stay; its token stops working."""

        def work(sql: Connection) -> None:
            sql.execute(delete(tokens).where(tokens.c.person_id == program))
            sql.execute(update(programs).where(programs.c.person_id == program).values(removed=now))

        await self._database.run(work)

    async def note_use(self, digest: bytes, now: int) -> None:
        await self._write(update(tokens).where(tokens.c.digest == digest).values(used=now))


def _new_token(program: str, digest: bytes, now: int) -> Any:
    return insert(tokens).values(digest=digest, person_id=program, created=now)


# Built once: building a statement takes longer than running it.
_KEPT = (programs.c.kept_by == bindparam("keeper"), programs.c.removed.is_(None))
_COUNT = select(func.count()).select_from(programs).where(*_KEPT)
_OF = (
    select(people.c.id, people.c.name, people.c.created, tokens.c.used)
    .join(programs, programs.c.person_id == people.c.id)
    .outerjoin(tokens, tokens.c.person_id == people.c.id)
    .where(*_KEPT)
    .order_by(people.c.created, people.c.id)
)
_BY_TOKEN = (
    select(people)
    .join(tokens, tokens.c.person_id == people.c.id)
    .where(tokens.c.digest == bindparam("digest"))
)
_KEEPER = (
    select(people)
    .join(programs, programs.c.kept_by == people.c.id)
    .where(programs.c.person_id == bindparam("program"))
)
