"""The host's export: people, tables, records and chat."""

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator
from typing import IO

from royalcrypt.live.heavy_work import HeavyWork
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.seals import Seals, seal_of
from royalcrypt.live.wire.messages import encode_message
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.people import People
from royalcrypt.storage.table_data import ChatLines
from royalcrypt.tables.journal import Status

ALL = 1_000_000
CHUNK = 40
"""Lines, with their ends, that are written before other work continues."""


class HostExport:
    def __init__(
        self,
        people: People,
        journal: SqlJournal,
        tables: TableRegistry,
        seals: Seals,
        chat: ChatLines,
        work: HeavyWork,
    ) -> None:
        self._people = people
        self._journal = journal
        self._tables = tables
        self._seals = seals
        self._chat = chat
        self._work = work

    async def packed(self) -> bytes:
        """Return a ZIP file with one JSON object per line."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, lines in (
                ("people.jsonl", self.people_lines()),
                ("tables.jsonl", self.table_lines()),
                ("records.jsonl", self.record_lines()),
                ("running.jsonl", self.running_lines()),
                ("chat.jsonl", self.chat_lines()),
            ):
                with archive.open(name, "w") as file:
                    await self._write(file, lines)
        return packed.getvalue()

    async def _write(self, file: IO[bytes], lines: AsyncIterator[bytes]) -> None:
        """Compress lines in threads, a few at a time, so that the event loop is never busy for long."""
        chunk: list[bytes] = []
        async for line in lines:
            chunk += (line, b"\n")
            if len(chunk) >= CHUNK:
                await self._work.run(file.write, b"".join(chunk))
                chunk.clear()
        await self._work.run(file.write, b"".join(chunk))

    async def people_lines(self) -> AsyncIterator[bytes]:
        async for person in self._people.all():
            yield encode_message(person)

    async def table_lines(self) -> AsyncIterator[bytes]:
        for is_listed in (True, False):
            for listing in await self._journal.listings(tuple(Status), is_listed=is_listed, limit=ALL):
                yield listing.info

    async def record_lines(self) -> AsyncIterator[bytes]:
        """Yield the records of finished games, except sealed ones, because the host may be a player."""
        async for kept in self._journal.all_records():
            if not await self._seals.holds(seal_of(kept.record)):
                yield kept.record

    async def running_lines(self) -> AsyncIterator[bytes]:
        """Yield the records of running games, as spectators see them."""
        for is_listed in (True, False):
            for listing in await self._journal.listings((Status.RUNNING,), is_listed=is_listed, limit=ALL):
                await asyncio.sleep(0)  # A loaded table does not wait, and a record takes a millisecond.
                table = await self._tables.table(listing.table)
                is_sealed = await self._seals.holds(table.seal)
                if table.game is not None and table.status is Status.RUNNING and not is_sealed:
                    yield table.game.record_for(None).to_json().encode()

    async def chat_lines(self) -> AsyncIterator[bytes]:
        async for line in self._chat.all():
            yield encode_message(line)
