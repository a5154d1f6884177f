"""Notes to self: what somebody wrote down about a table, for nobody else."""

import msgspec
from sqlalchemy import Connection, delete, insert, select

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.database import Database
from royalcrypt.storage.schema import memos

NEVER = 0


class Memo(msgspec.Struct, frozen=True):
    text: str
    updated: int
    """When it was last written, in ms since 1970: each time later than before."""


class Memos:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, table: str, person: str) -> Memo:
        return await self._database.ask(lambda sql: _find(sql, table, person))

    async def write(self, table: str, person: str, text: str, *, since: int, now: int) -> Memo:
        """In place of what was written at ``since``; refused if it has been written anew after that."""

        def work(sql: Connection) -> Memo:
            before = _find(sql, table, person)
            if before.updated != since:
                raise Refusal(Reason.MEMO_CHANGED)
            sql.execute(delete(memos).where(memos.c.table_id == table, memos.c.person_id == person))
            after = Memo(text, max(now, before.updated + 1))
            sql.execute(
                insert(memos).values(table_id=table, person_id=person, text=text, updated=after.updated)
            )
            return after

        return await self._database.run(work)


def _find(sql: Connection, table: str, person: str) -> Memo:
    row = sql.execute(
        select(memos).where(memos.c.table_id == table, memos.c.person_id == person)
    ).one_or_none()
    return Memo("", NEVER) if row is None else Memo(row.text, row.updated)
