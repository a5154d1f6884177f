"""The hot path: lines of journals, kept on SQLite by prepared statements."""

import apsw

from royalcrypt.storage.raw import Raw
from royalcrypt.tables.journal import Line, PlyTaken, Status

INSERT_ENTRY = "INSERT INTO journal (table_id, ply, entry) VALUES (?, ?, ?)"
UPSERT_TABLE = """
    INSERT INTO tables (id, status, is_listed, actor, due, updated, created, told)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)
    ON CONFLICT (id) DO UPDATE
    SET status = ?2, is_listed = ?3, actor = ?4, due = ?5, updated = ?6, told = ?7
"""
DELETE_SEATS = "DELETE FROM seats WHERE table_id = ?"
INSERT_SEAT = "INSERT INTO seats (table_id, seat, person_id) VALUES (?, ?, ?)"
UPSERT_RECORD = "INSERT OR REPLACE INTO records (table_id, record, ended) VALUES (?, ?, ?)"
SEATED_AT_MOST = 20_000


class Appender:
    def __init__(self, raw: Raw) -> None:
        self._execute = raw.cursor().execute
        self._seated: dict[str, tuple[str | None, ...]] = {}

    def append(self, line: Line) -> None:
        """Raises PlyTaken before anything was changed."""
        try:
            self._execute(INSERT_ENTRY, (line.table, line.ply, line.entry))
        except apsw.ConstraintError as problem:
            if getattr(problem, "extendedresult", None) != apsw.SQLITE_CONSTRAINT_PRIMARYKEY:
                raise
            raise PlyTaken(line.table, line.ply) from None
        told = line.listing
        self._execute(
            UPSERT_TABLE,
            (line.table, told.status, told.is_listed, told.actor, told.due, told.updated, told.told),
        )
        if self._seated.get(line.table) != told.people:
            self._seat(line)
        if line.record is not None:
            self._execute(UPSERT_RECORD, (line.table, line.record, told.updated))

    def _seat(self, line: Line) -> None:
        self._execute(DELETE_SEATS, (line.table,))
        for seat, person in enumerate(line.listing.people):
            self._execute(INSERT_SEAT, (line.table, seat, person))
        if len(self._seated) >= SEATED_AT_MOST:
            self._seated.clear()
        if line.listing.status in (Status.OPEN, Status.RUNNING):
            self._seated[line.table] = line.listing.people

    def forget(self) -> None:
        """What was appended has been undone, and who was seated with it."""
        self._seated.clear()
