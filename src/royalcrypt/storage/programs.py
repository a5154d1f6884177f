"""Programs that play: each is somebody of its own, kept by a person, and known by a token."""

from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from royalcrypt.storage.database import Database
from royalcrypt.storage.people import Person, person_in
from royalcrypt.storage.schema import people, programs, tokens


class Program(msgspec.Struct, frozen=True):
    id: str
    name: str
    created: int
    used: int | None
    """When its token was last seen, within some minutes."""


class Keeping(NamedTuple):
    """A program, and who answers for it."""

    program: Person
    keeper: Person


class Programs:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, program: Person, kept_by: str, digest: bytes, *, most: int) -> bool:
        """Whether there was room for one more among those this person keeps."""

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
        found = await self._database.ask(lambda sql: sql.execute(_OF, {"keeper": keeper}).all())
        return [Program(row.id, row.name, row.created, row.used) for row in found]

    async def known_by(self, digest: bytes) -> Keeping | None:
        """Whose token it is."""

        def work(sql: Connection) -> Keeping | None:
            program = sql.execute(_BY_TOKEN, {"digest": digest}).first()
            keeper = program and sql.execute(_KEEPER, {"program": program.id}).first()
            return Keeping(person_in(program), person_in(keeper)) if program and keeper else None

        return await self._database.read(work)

    async def renew(self, program: str, digest: bytes, now: int) -> None:
        """Another token in place of the one before."""

        def work(sql: Connection) -> None:
            sql.execute(delete(tokens).where(tokens.c.person_id == program))
            sql.execute(_new_token(program, digest, now))

        await self._database.run(work)

    async def remove(self, program: str, now: int) -> None:
        """What it played stays played; no token is its any more."""

        def work(sql: Connection) -> None:
            sql.execute(delete(tokens).where(tokens.c.person_id == program))
            sql.execute(update(programs).where(programs.c.person_id == program).values(removed=now))

        await self._database.run(work)

    async def note_use(self, digest: bytes, now: int) -> None:
        used = update(tokens).where(tokens.c.digest == digest).values(used=now)
        await self._database.run(lambda sql: sql.execute(used).close())


def _new_token(program: str, digest: bytes, now: int) -> Any:
    return insert(tokens).values(digest=digest, person_id=program, created=now)


# Made once: to put a statement together takes longer than to carry it out.
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
