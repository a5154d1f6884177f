"""A disk or a database that fails: nothing is kept, everybody is told, and it goes on afterwards."""

import asyncio
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest
from sqlalchemy import Connection

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.server_state import ServerState
from royalcrypt.storage.sqlite.connection import Tuning, open_raw
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.storage.sqlite.worker import CAPACITY, DatabaseWorker
from royalcrypt.tables.journal import NotKept, PlyTaken
from tests.storage.faulty import FaultyVfs
from tests.storage.kinds import ON_SQLITE
from tests.storage.lines import entry_at, line

pytestmark = pytest.mark.anyio

IMPATIENT = Tuning(busy=50)


@contextmanager
def locked_by_another(path: Path) -> Generator[None]:
    with closing(open_raw(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


async def assert_nothing_is_kept(journal: SqlJournal, reason: Reason) -> None:
    before = await journal.entries("crypt")
    many = (journal.append(line(f"crypt-{number}")) for number in range(30))
    refused = await asyncio.gather(journal.append(line(ply=len(before))), *many, return_exceptions=True)
    assert {getattr(refusal, "reason", refusal) for refusal in refused} == {reason}
    assert all(isinstance(refusal, NotKept) for refusal in refused)
    assert await journal.entries("crypt") == before
    assert await journal.entries("crypt-7") == []


async def assert_all_is_well(journal: SqlJournal) -> None:
    before = await journal.entries("crypt")
    await journal.append(line(ply=len(before), people=(None, "cleo")))
    assert await journal.entries("crypt") == [*before, entry_at("crypt", len(before))]
    assert [found.table for found in await journal.listings_of("cleo")] == ["crypt"]


async def test_a_database_locked_by_another_program_keeps_nothing_and_works_afterwards(path: Path) -> None:
    database = await SqliteDatabase.open(path, tuning=IMPATIENT)
    journal = SqlJournal(database)
    await journal.append(line())
    with locked_by_another(path):
        await assert_nothing_is_kept(journal, Reason.DATABASE_BUSY)
        with pytest.raises(NotKept):
            await ServerState(database).beat(5)
    await assert_all_is_well(journal)
    await database.close()


@ON_SQLITE
async def test_a_short_lock_is_waited_for(path: Path, journal: SqlJournal) -> None:
    with locked_by_another(path):
        waiting = asyncio.create_task(journal.append(line()))
        await asyncio.sleep(0.05)
        assert not waiting.done()
    await waiting
    assert await journal.entries("crypt")


@pytest.mark.parametrize(
    ("failing", "error", "reason"),
    [
        ("writing", apsw.FullError, Reason.DISK_FULL),
        ("writing", apsw.IOError, Reason.STORAGE_FAILED),
        ("syncing", apsw.FullError, Reason.DISK_FULL),
        ("syncing", apsw.IOError, Reason.STORAGE_FAILED),
    ],
)
async def test_a_failing_disk_keeps_nothing_and_works_afterwards(
    path: Path, failing: str, error: type[Exception], reason: Reason
) -> None:
    vfs = FaultyVfs("faulty")
    database = await SqliteDatabase.open(path, vfs=vfs.name)
    journal = SqlJournal(database)
    await journal.append(line())
    for _ in range(2):
        setattr(vfs, failing, error)
        await assert_nothing_is_kept(journal, reason)
        setattr(vfs, failing, None)
        await assert_all_is_well(journal)
    await database.close()
    reopened = await SqliteDatabase.open(path)
    assert len(await SqlJournal(reopened).entries("crypt")) == 3
    await reopened.close()


@ON_SQLITE
async def test_a_database_at_its_greatest_size_keeps_nothing_and_works_once_there_is_room(
    database: SqliteDatabase, journal: SqlJournal
) -> None:
    await journal.append(line())

    def allow(pages: int) -> None:
        database._writer._connection.raw.pragma("max_page_count", pages)  # pyright: ignore[reportOptionalMemberAccess]

    allow(1)  # SQLite makes that as many as there are.
    with pytest.raises(NotKept) as refused:
        await journal.append(line(ply=1, info=b"x" * 100_000))
    assert refused.value.reason is Reason.DISK_FULL
    allow(1 << 30)
    await journal.append(line(ply=1, info=b"x" * 100_000))
    assert len(await journal.entries("crypt")) == 2


async def test_a_connection_that_broke_is_made_anew(path: Path) -> None:
    vfs = FaultyVfs("breaking")
    database = await SqliteDatabase.open(path, vfs=vfs.name)
    journal = SqlJournal(database)
    await journal.append(line())
    broken = database._writer._connection
    assert broken
    broken.raw.close(force=True)
    vfs.opening = apsw.CantOpenError
    for _ in range(2):
        with pytest.raises(NotKept) as refused:
            await journal.append(line(ply=1))
        assert refused.value.reason is Reason.STORAGE_FAILED
    vfs.opening = None
    await assert_all_is_well(journal)
    await database.close()


class Unusual(BaseException):
    pass


@pytest.mark.parametrize("error", [ValueError("bad"), Unusual(), PlyTaken(), apsw.SQLError("bad")])
async def test_the_writer_outlives_work_that_raises_anything(
    database: SqliteDatabase, journal: SqlJournal, error: BaseException
) -> None:
    def work(sql: Connection) -> None:
        sql.exec_driver_sql("DELETE FROM journal")
        raise error

    await journal.append(line())
    done = await asyncio.gather(
        journal.append(line(ply=1)), database.run(work), journal.append(line(ply=2)), return_exceptions=True
    )
    assert done == [None, error, None]
    assert len(await journal.entries("crypt")) == 3


@ON_SQLITE
async def test_work_that_breaks_the_connection_costs_its_group_only(
    database: SqliteDatabase, journal: SqlJournal
) -> None:
    def work(_sql: Connection) -> None:
        broken = database._writer._connection
        assert broken
        broken.raw.close(force=True)

    await journal.append(line())
    with pytest.raises(NotKept):
        await database.run(work)
    await assert_all_is_well(journal)


async def test_work_that_stops_an_iteration_is_answered_too(database: SqliteDatabase) -> None:
    def work(_sql: Connection) -> None:
        raise StopIteration

    with pytest.raises(RuntimeError):
        await database.run(work)


async def test_work_that_leaves_a_savepoint_open_is_closed_behind(
    database: SqliteDatabase, journal: SqlJournal
) -> None:
    def work(sql: Connection) -> None:
        sql.begin_nested()
        sql.exec_driver_sql("INSERT INTO house VALUES ('left', '1')")

    await database.run(work)
    assert await ServerState(database).get("left") == 1
    await journal.append(line())


async def test_work_with_a_broken_statement_is_undone_alone(
    database: SqliteDatabase, journal: SqlJournal
) -> None:
    def work(sql: Connection) -> None:
        sql.exec_driver_sql("INSERT INTO house VALUES ('half', '1')")
        sql.exec_driver_sql("INSERT INTO house VALUES ('half', '2')")

    done = await asyncio.gather(database.run(work), ServerState(database).beat(3), return_exceptions=True)
    assert isinstance(done[0], Exception)
    assert done[1] is None
    assert await ServerState(database).get("half") is None
    assert await ServerState(database).get("alive_at") == 3


async def test_a_reader_can_change_nothing(database: SqliteDatabase, journal: SqlJournal) -> None:
    await journal.append(line())
    with pytest.raises(Refusal):
        await database.read(lambda sql: sql.exec_driver_sql("DELETE FROM journal").close())
    assert await journal.entries("crypt")


async def test_when_too_much_waits_more_is_refused_at_once(path: Path) -> None:
    database = await SqliteDatabase.open(path)
    journal = SqlJournal(database)
    with locked_by_another(path):
        waiting = [asyncio.ensure_future(journal.append(line(f"t{number}"))) for number in range(CAPACITY)]
        await asyncio.sleep(0)
        with pytest.raises(NotKept) as refused:
            await journal.append(line())
        assert refused.value.reason is Reason.STORAGE_BUSY
    await asyncio.gather(*waiting)
    await journal.append(line())
    await database.close()


async def test_who_gave_up_waiting_harms_nobody(journal: SqlJournal, path: Path) -> None:
    with locked_by_another(path):
        first = asyncio.ensure_future(journal.append(line("first")))
        second = asyncio.ensure_future(journal.append(line("second")))
        await asyncio.sleep(0.02)
        first.cancel()
    await second
    assert await journal.entries("first") == [entry_at("first", 0)]


async def test_closing_finishes_what_was_handed_in_and_takes_no_more(path: Path) -> None:
    database = await SqliteDatabase.open(path)
    journal = SqlJournal(database)
    waiting = [asyncio.ensure_future(journal.append(line(f"t{number}"))) for number in range(700)]
    await asyncio.sleep(0)
    await database.close()
    assert await asyncio.gather(*waiting) == [None] * 700
    for refused in (journal.append(line()), journal.entries("t1")):
        with pytest.raises(Refusal) as said:
            await refused
        assert said.value.reason is Reason.STORAGE_CLOSED
    await database.close()
    reopened = await SqliteDatabase.open(path)
    assert await SqlJournal(reopened).entries("t699")
    await reopened.close()


def test_the_writer_outlives_an_event_loop_that_went_away(path: Path) -> None:
    other = open_raw(path)

    async def leave() -> SqliteDatabase:
        database = await SqliteDatabase.open(path)
        other.execute("BEGIN IMMEDIATE")
        database._writer.submit(line())
        return database

    database = asyncio.run(leave())
    other.close()
    for worker in (database._reader, database._writer):
        worker.close()
        worker.join()
    with closing(open_raw(path)) as raw:
        assert raw.execute("SELECT count(*) FROM journal").get == 1
    database._file_lock.close()


async def test_a_database_that_is_locked_at_the_start_is_refused_in_words(path: Path) -> None:
    with closing(open_raw(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Refusal) as refused:
            await SqliteDatabase.open(path, tuning=IMPATIENT)
    assert refused.value.reason is Reason.DATABASE_BUSY
    await (await SqliteDatabase.open(path)).close()


async def test_a_database_whose_reader_cannot_be_opened_stays_free(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = DatabaseWorker.__init__

    def make(self: DatabaseWorker, name: str, *args: Any, **options: Any) -> None:
        if name == "storage-reader":
            raise apsw.CantOpenError
        made(self, name, *args, **options)

    with monkeypatch.context() as patched:
        patched.setattr(DatabaseWorker, "__init__", make)
        with pytest.raises(Refusal) as refused:
            await SqliteDatabase.open(path)
    assert refused.value.reason is Reason.CANNOT_READ
    await (await SqliteDatabase.open(path)).close()


async def test_a_database_that_breaks_at_the_start_is_refused_and_stays_free(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("royalcrypt.storage.sqlite.database.migrate", refuse)
        with pytest.raises(Refusal) as refused:
            await SqliteDatabase.open(path)
    assert refused.value.details["why"] == "No space left on device"
    await (await SqliteDatabase.open(path)).close()
