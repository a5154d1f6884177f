"""Private notes of one person about one table."""

from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.database import Store, upsert
from royalcrypt.storage.schema import memos

NEVER = 0


class Memo(msgspec.Struct, frozen=True):
    text: str
    updated: int
    """When it was last written, in ms since 1970. Later with each change."""


class Memos(Store):
    async def find(self, table: str, person: str) -> Memo:
        return _memo(await self._row(_wanted(table, person)))

    async def write(self, table: str, person: str, text: str, *, since: int, now: int) -> Memo:
        """Replace the memo written at ``since``. Raises MEMO_CHANGED if it was changed after that."""

        def work(sql: Connection) -> Memo:
            before = _memo(sql.execute(_wanted(table, person)).first())
            if before.updated != since:
                raise Refusal(Reason.MEMO_CHANGED)
            after = Memo(text, max(now, before.updated + 1))
            upsert(sql, memos, {"table_id": table, "person_id": person, **msgspec.structs.asdict(after)})
            return after

        return await self._database.run(work)


def _wanted(table: str, person: str) -> Any:
    return select(memos).where(memos.c.table_id == table, memos.c.person_id == person)


def _memo(row: Row[Any] | None) -> Memo:
    return Memo("", NEVER) if row is None else Memo(row.text, row.updated)
