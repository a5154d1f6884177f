"""People's private notes about tables."""

from typing import Annotated

import msgspec
from msgspec import Meta

from royalcrypt.live.access import own_table
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.stores import Memo, MemoStore
from royalcrypt.tables.texts import clean_memo


class NewMemo(msgspec.Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=8000)]
    since: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    """Field ``updated`` of the note that this one replaces; 0 if there is none."""


class Notes:
    def __init__(self, tables: TableRegistry, memos: MemoStore) -> None:
        self._tables = tables
        self._memos = memos

    async def find(self, person: str, table_id: str) -> Memo:
        await own_table(self._tables, person, table_id)
        return await self._memos.find(table_id, person)

    async def write(self, person: str, table_id: str, data: NewMemo) -> Memo:
        await own_table(self._tables, person, table_id)
        text = clean_memo(data.text)
        return await self._memos.write(table_id, person, text, since=data.since, now=self._tables.now())
