"""Journals in a database, with the listings and records derived from them."""

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, Select, bindparam, func, select, tuple_, update

from royalcrypt.live.stores import IN_PROGRESS, LobbyKey, StoredRecord
from royalcrypt.storage.database import Database, Store, snapshot
from royalcrypt.storage.schema import records, seats, tables
from royalcrypt.tables.journal import Line, Listing, Status

PAGE = 200


class SqlJournal(Store):
    """The ``JournalStorage`` of live tables on a database, with queries for lists of tables and records."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.changed = database.changed
        self.due = database.due
        self.entries_of = database.entries
        self.lock = database.lock

    @property
    def is_shared(self) -> bool:
        return self.database.is_shared

    async def append(self, line: Line) -> None:
        await self.database.append(line)

    async def entries(self, table: str, *, since: int = 0) -> list[bytes]:
        return [entry.content for entry in await self.database.entries({table: since})]

    async def postpone(self, table: str, due: int | None) -> None:
        await self._write(update(tables).where(tables.c.id == table).values(due=due))

    async def listing(self, table: str) -> Listing | None:
        found = await self.listings_at([table])
        return found[0] if found else None

    async def listings(
        self, statuses: Collection[Status], *, is_listed: bool = True, limit: int = PAGE
    ) -> list[Listing]:
        """Return listings of tables, most recently changed first."""
        wanted = select(tables).where(tables.c.status.in_(statuses), tables.c.is_listed == is_listed)
        return await self._listings(wanted.order_by(*_LATEST_FIRST).limit(limit))

    async def lobby(self, *, after: LobbyKey | None = None, limit: int = PAGE) -> list[Listing]:
        """Return listings in the order of the lobby, from the table after this key on."""
        wanted = select(tables).where(tables.c.lobby.is_not(None))
        if after is not None:
            wanted = wanted.where(tuple_(*_LOBBY_KEY) < tuple_(*after))
        return await self._listings(wanted.order_by(*(key.desc() for key in _LOBBY_KEY)).limit(limit))

    async def listings_of(
        self, person: str, statuses: Collection[Status] = IN_PROGRESS, *, limit: int = PAGE
    ) -> list[Listing]:
        """Return listings of all tables where a person has a seat, most recently changed first."""
        wanted = select(tables).where(tables.c.id.in_(_tables_of(person)), tables.c.status.in_(statuses))
        return await self._listings(wanted.order_by(*_LATEST_FIRST).limit(limit))

    async def listings_at(self, ids: Collection[str]) -> list[Listing]:
        """Return the listings of these tables, leaving out unknown ids."""
        return await self._listings(select(tables).where(tables.c.id.in_(ids)))

    async def counts(self) -> dict[Status, int]:
        """Count the tables of each status, including zeros."""
        found = await self._rows(select(tables.c.status, func.count()).group_by(tables.c.status))
        return dict.fromkeys(Status, 0) | {Status(status): count for status, count in found}

    async def count_in_progress(self) -> int:
        """Count the open and running tables."""
        return await self._scalar(_COUNT_IN_PROGRESS)

    async def count_of(self, person: str) -> int:
        """Count the open and running tables at which a person has a seat."""
        return await self._scalar(_COUNT_OF, person=person)

    async def count_listed_of(self, person: str) -> int:
        """Count the listed tables of a person, or with a seat of theirs, that wait for players."""
        return await self._scalar(_COUNT_LISTED_OF, person=person)

    async def record(self, table: str) -> bytes | None:
        return await self._scalar(select(records.c.record).where(records.c.table_id == table))

    async def records_of(
        self, person: str, *, limit: int = PAGE, before: tuple[int, str] | None = None
    ) -> list[StoredRecord]:
        """Return a person's records, newest first; ``before`` is the previous page's last (ended, table)."""
        wanted = select(*_RECORD).where(records.c.table_id.in_(_tables_of(person)))
        if before:
            wanted = wanted.where(tuple_(records.c.ended, records.c.table_id) < tuple_(*before))
        wanted = wanted.order_by(records.c.ended.desc(), records.c.table_id.desc()).limit(limit)
        return [StoredRecord(*row) for row in await self._rows(wanted)]

    async def all_records(self, *, page: int = PAGE) -> AsyncIterator[StoredRecord]:
        """Yield all records, oldest first, reading one page at a time."""
        async for row in self._all(select(*_RECORD), records.c.ended, records.c.table_id, page=page):
            yield StoredRecord(*row)

    @snapshot
    def _listings(self, sql: Connection, wanted: Select[Any]) -> list[Listing]:
        found = sql.execute(wanted).all()
        people: dict[str, list[str | None]] = {row.id: [] for row in found}
        at_these = select(seats).where(seats.c.table_id.in_(people)).order_by(seats.c.table_id, seats.c.seat)
        for table, _, person in sql.execute(at_these):
            people[table].append(person)
        return [
            Listing(
                table=row.id,
                status=Status(row.status),
                is_listed=row.is_listed,
                people=tuple(people[row.id]),
                actor=row.actor,
                due=row.due,
                updated=row.updated,
                info=row.told,
                opened=row.created,
                lobby=row.lobby,
            )
            for row in found
        ]


def _tables_of(person: str | BindParameter[str]) -> Select[tuple[str]]:
    return select(seats.c.table_id).where(seats.c.person_id == person)


_RECORD = records.c["table_id", "ended", "record"]
_LOBBY_KEY = (tables.c.lobby, tables.c.created, tables.c.id)
_LATEST_FIRST = (tables.c.updated.desc(), tables.c.id)
# Built once, because building a statement takes longer than running it.
_COUNT_IN_PROGRESS = select(func.count()).select_from(tables).where(tables.c.status.in_(IN_PROGRESS))
_COUNT_OF = _COUNT_IN_PROGRESS.where(tables.c.id.in_(_tables_of(bindparam("person"))))
_COUNT_LISTED_OF = _COUNT_OF.where(tables.c.status == Status.OPEN, tables.c.is_listed)


# Statements for the rows stored with an entry, shared by SQLite and PostgreSQL.
DELETE_SEATS = "DELETE FROM seats WHERE table_id = $1"
INSERT_SEAT = "INSERT INTO seats (table_id, seat, person_id) VALUES ($1, $2, $3)"
UPSERT_RECORD = """
    INSERT INTO records (table_id, record, ended) VALUES ($1, $2, $3)
    ON CONFLICT (table_id) DO UPDATE SET record = excluded.record, ended = excluded.ended
"""
UPSERT_RESULT = """
    INSERT INTO results
        (table_id, seat, person_id, kind, players, collectors, score, place, is_winner, ended)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (table_id, seat) DO UPDATE
    SET person_id = excluded.person_id, kind = excluded.kind, players = excluded.players,
        collectors = excluded.collectors, score = excluded.score, place = excluded.place,
        is_winner = excluded.is_winner, ended = excluded.ended
"""
UPDATE_TABLE = """
    status = excluded.status, is_listed = excluded.is_listed, actor = excluded.actor, due = excluded.due,
    updated = excluded.updated, told = excluded.told, ply = excluded.ply, lobby = excluded.lobby
"""
"""SQL assignments for a table's row when a later entry is stored."""
Rows = list[tuple[object, ...]]


def dependent_rows(lines: Sequence[Line]) -> list[tuple[str, Rows]]:
    """Return the statements and rows for seats, records and results of lines (at most one per table)."""
    seated = [line for line in lines if line.has_new_people]
    finished = [line for line in lines if line.record is not None]
    found: list[tuple[str, Rows]] = [
        (DELETE_SEATS, [(line.table,) for line in seated]),
        (INSERT_SEAT, [(line.table, *seat) for line in seated for seat in enumerate(line.listing.people)]),
        (UPSERT_RECORD, [(line.table, line.record, line.listing.updated) for line in finished]),
        (UPSERT_RESULT, [row for line in lines for row in _result_rows(line)]),
    ]
    return [(statement, rows) for statement, rows in found if rows]


def _result_rows(line: Line) -> Rows:
    return [
        (
            line.table, result.seat, result.person, result.kind, result.players, result.collectors,
            result.score, result.place, result.is_winner, line.listing.updated,
        )
        for result in line.results
    ]  # fmt: skip
