"""Records of games, as their players and spectators may see them."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from royalcrypt.live.heavy_work import HeavyWork
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.seals import Seals, visible_record, visible_stored_record
from royalcrypt.live.stores import Moment, PersonalStore, TableJournal
from royalcrypt.live.wire.finished_games import MAX_EVENTS
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table

RECORDS_READ = 50
"""Records that a download reads and checks before other work continues; some 5 ms."""


class GameRecords:
    def __init__(self, tables: TableRegistry, seals: Seals, work: HeavyWork) -> None:
        self._tables = tables
        self._seals = seals
        self._work = work

    async def of_table(self, person: str, table_id: str, invite: str | None = None) -> bytes:
        """Return a game's record; that of a running game contains only what the person may know."""
        table = await self._tables.table(table_id)
        return (await visible_record(self._seals, table, person, invite)).to_json().encode()

    async def finished(self, person: str, table_id: str, invite: str | None) -> tuple[Table, Record]:
        """Return a finished table and its record as the person may see it; raises Refusal if unfinished."""
        table = await self._tables.table(table_id)
        record = await visible_record(self._seals, table, person, invite)
        if table.status is not Status.OVER:
            raise Refusal(Reason.NOT_OVER)
        return table, record

    async def uploaded(self, found: dict[str, Any]) -> Record:
        return await self._work.run(read_record, found)


def read_record(found: dict[str, Any]) -> Record:
    """Parse a record; raises Refusal early for too many events, because parsing is expensive."""
    events = found.get("events")
    if isinstance(events, list) and len(cast("list[Any]", events)) > MAX_EVENTS:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="events")
    return Record.parse(found)


class Downloads:
    """Files with all of a person's records, and with everything that is stored about the person."""

    def __init__(self, journal: TableJournal, personal: PersonalStore, seals: Seals, work: HeavyWork) -> None:
        self._journal = journal
        self._personal = personal
        self._seals = seals
        self._work = work

    async def records(self, person: str) -> bytes:
        """Return the records of a person's finished games, one JSON object per line."""
        lines: list[bytes] = []
        before: Moment | None = None
        while found := await self._journal.records_of(person, before=before, limit=RECORDS_READ):
            lines += [await visible_stored_record(self._seals, kept.record) for kept in found]
            before = found[-1].ended, found[-1].table
        return b"".join(line + b"\n" for line in lines)

    async def everything(self, person: str) -> bytes:
        return await self._work.run(indented, await self._personal.export(person))


def indented(parts: Mapping[str, Sequence[Mapping[str, Any]]]) -> bytes:
    """Encode lists of flat objects as indented JSON.

    Encodes each object by itself, because other threads wait while msgspec encodes.
    """
    return b"{" + b",".join(_indented_part(name, rows) for name, rows in parts.items()) + b"\n}"


def _indented_part(name: str, rows: Sequence[Mapping[str, Any]]) -> bytes:
    lines = [msgspec.json.format(msgspec.json.encode(row), indent=1).replace(b"\n", b"\n  ") for row in rows]
    content = b"[\n  " + b",\n  ".join(lines) + b"\n ]" if lines else b"[]"
    return b"\n " + msgspec.json.encode(name) + b": " + content
