"""Backups are whole, taken while a server writes, and never in the way of another file."""

import asyncio
import stat
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.sqlite import backup
from royalcrypt.storage.sqlite.backup import back_up, check, restore
from royalcrypt.storage.sqlite.connection import RawConnection, open_raw
from royalcrypt.storage.sqlite.database import SqliteDatabase
from tests.storage.kinds import ON_SQLITE
from tests.storage.lines import entry_at, line


def entries_in(path: Path) -> list[bytes]:
    with closing(open_raw(path)) as raw:
        check(raw, path)
        return [entry for (entry,) in raw.execute("SELECT entry FROM journal ORDER BY table_id, ply")]


def play(path: Path, plies: int) -> None:
    async def append() -> None:
        database = await SqliteDatabase.open(path)
        journal = SqlJournal(database)
        for ply in range(len(await journal.entries("crypt")), plies):
            await journal.append(line(ply=ply))
        await database.close()

    asyncio.run(append())


def games(plies: int) -> list[bytes]:
    return [entry_at("crypt", ply) for ply in range(plies)]


def damage(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))


@pytest.mark.anyio
@ON_SQLITE
async def test_a_backup_while_a_server_writes_is_one_moment(
    path: Path, database: SqliteDatabase, tmp_path: Path
) -> None:
    journal = SqlJournal(database)

    async def write() -> None:
        for ply in range(300):
            await asyncio.gather(*(journal.append(line(f"t{number}", ply)) for number in range(3)))

    writing = asyncio.create_task(write())
    acknowledged: list[int] = []
    for number in range(5):
        acknowledged.append(len(await journal.entries("t0")))
        await asyncio.to_thread(back_up, path, tmp_path / "backups" / f"{number}.db")
    await writing
    for number, least in enumerate(acknowledged):
        kept = entries_in(tmp_path / "backups" / f"{number}.db")
        for table in ("t0", "t1", "t2"):
            of_table = [entry for entry in kept if entry.startswith(table.encode())]
            assert of_table == [entry_at(table, ply) for ply in range(len(of_table))]
        assert sum(entry.startswith(b"t0") for entry in kept) >= least
    assert sorted(made.name for made in (tmp_path / "backups").iterdir()) == [f"{n}.db" for n in range(5)]


def test_a_backup_is_as_private_as_the_database(path: Path, tmp_path: Path) -> None:
    path.chmod(0o640)
    back_up(path, tmp_path / "backup.db")
    assert stat.S_IMODE((tmp_path / "backup.db").stat().st_mode) == 0o640


def test_nothing_is_overwritten(path: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken.db"
    taken.write_text("mine")
    with pytest.raises(Refusal) as refused:
        back_up(path, taken)
    assert refused.value.reason is Reason.FILE_EXISTS
    assert taken.read_text() == "mine"


def test_what_is_not_there_or_not_ours_is_not_backed_up(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna, " * 1000)
    empty = tmp_path / "empty.db"
    empty.touch()
    for source, reason in (
        (tmp_path / "nothing.db", Reason.CANNOT_READ),
        (letter, Reason.NOT_A_DATABASE),
        (empty, Reason.NOT_A_DATABASE),
    ):
        with pytest.raises(Refusal) as refused:
            back_up(source, tmp_path / "backup.db")
        assert refused.value.reason is reason
    assert not (tmp_path / "backup.db").exists()
    assert not (tmp_path / "nothing.db").exists()


def test_a_damaged_database_makes_no_backup(path: Path, tmp_path: Path) -> None:
    play(path, 50)
    damage(path)
    with pytest.raises(Refusal) as refused:
        back_up(path, tmp_path / "backup.db")
    assert refused.value.reason is Reason.DATABASE_DAMAGED
    assert [found.name for found in tmp_path.iterdir() if "backup" in found.name] == []


def test_a_backup_that_cannot_be_written_is_refused_in_words(path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Refusal) as refused:
        back_up(path, tmp_path / "file" / "backup.db")
    assert refused.value.reason is Reason.CANNOT_WRITE


def test_a_disk_that_fills_up_leaves_everything_as_it_was(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(path, 3)
    back_up(path, tmp_path / "backup.db")
    write = backup._write

    def fill_up(raw: RawConnection, source: Path, passing: Path) -> None:
        write(raw, source, passing)
        if full_at in passing.name:
            raise apsw.FullError("database or disk is full")

    monkeypatch.setattr(backup, "_write", fill_up)
    before = sorted(tmp_path.iterdir())
    full_at = "another"
    with pytest.raises(Refusal) as refused:
        back_up(path, tmp_path / "another.db")
    assert refused.value.reason is Reason.CANNOT_WRITE
    for place in ("staged", "before-restore"):
        full_at = place
        with pytest.raises(Refusal) as refused:
            restore(tmp_path / "backup.db", path)
        assert refused.value.reason is Reason.CANNOT_WRITE
    assert [found for found in sorted(tmp_path.iterdir()) if found.is_file()] == before
    assert list((tmp_path / "backups").iterdir()) == []
    assert entries_in(path) == games(3)


def test_a_database_that_somebody_reads_is_not_replaced(path: Path, tmp_path: Path) -> None:
    play(path, 3)
    back_up(path, tmp_path / "backup.db")
    with closing(open_raw(path)) as other:
        other.execute("BEGIN")
        assert other.execute("SELECT count(*) FROM journal").get == 3
        with pytest.raises(Refusal) as refused:
            restore(tmp_path / "backup.db", path)
        assert refused.value.reason is Reason.DATABASE_BUSY
    assert entries_in(path) == games(3)


def test_a_backup_whose_index_lies_is_not_made(path: Path, tmp_path: Path) -> None:
    play(path, 3)
    with closing(open_raw(path)) as raw:
        raw.pragma("writable_schema", "ON")
        raw.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, 'status, ', '') WHERE name LIKE 'ix_tables_st%'"
        )
    with pytest.raises(Refusal) as refused:
        back_up(path, tmp_path / "backup.db")
    assert refused.value.reason is Reason.DATABASE_DAMAGED


def test_a_restored_database_is_the_backup_and_the_replaced_one_is_kept(path: Path, tmp_path: Path) -> None:
    play(path, 3)
    back_up(path, tmp_path / "backup.db")
    play(path, 8)
    kept = restore(tmp_path / "backup.db", path)
    assert entries_in(path) == games(3)
    assert kept is not None
    assert kept.parent == tmp_path / "backups"
    assert entries_in(kept) == games(8)
    play(path, 5)
    assert entries_in(path) == games(5)


def test_a_database_can_be_restored_where_none_was(path: Path, tmp_path: Path) -> None:
    play(path, 3)
    back_up(path, tmp_path / "backup.db")
    assert restore(tmp_path / "backup.db", tmp_path / "new" / "crypt.db") is None
    assert entries_in(tmp_path / "new" / "crypt.db") == games(3)


def test_the_log_of_the_replaced_database_does_not_meet_the_new_one(path: Path, tmp_path: Path) -> None:
    play(path, 3)
    back_up(path, tmp_path / "backup.db")
    with closing(open_raw(path)) as killed:
        killed.pragma("wal_autocheckpoint", 0)
        killed.execute("INSERT INTO journal VALUES ('crypt', 3, ?)", (entry_at("crypt", 3),))
        remains = {name: path.with_name(name).read_bytes() for name in ("crypt.db", "crypt.db-wal")}
    for name, data in remains.items():  # As a killed server leaves them.
        path.with_name(name).write_bytes(data)
    kept = restore(tmp_path / "backup.db", path)
    assert kept
    assert entries_in(kept) == games(4)
    assert entries_in(path) == games(3)


def test_a_damaged_database_can_be_replaced_and_is_kept_as_it_is(path: Path, tmp_path: Path) -> None:
    play(path, 50)
    back_up(path, tmp_path / "backup.db")
    damage(path)
    damaged = path.read_bytes()
    kept = restore(tmp_path / "backup.db", path)
    assert kept
    assert kept.read_bytes() == damaged
    assert entries_in(path) == games(50)


@pytest.mark.anyio
@ON_SQLITE
async def test_nothing_is_restored_under_a_running_server(
    path: Path, database: SqliteDatabase, tmp_path: Path
) -> None:
    await SqlJournal(database).append(line())
    back_up(path, tmp_path / "backup.db")
    with pytest.raises(Refusal) as refused:
        restore(tmp_path / "backup.db", path)
    assert refused.value.reason is Reason.DATABASE_IN_USE
    assert not (tmp_path / "backups").exists()


def test_no_newer_damaged_or_foreign_file_is_restored(path: Path, tmp_path: Path) -> None:
    play(path, 50)
    newer, damaged, foreign = (tmp_path / name for name in ("newer.db", "damaged.db", "foreign.db"))
    back_up(path, newer)
    with closing(open_raw(newer)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9001'")
    back_up(path, damaged)
    damage(damaged)
    with closing(open_raw(foreign)) as raw:
        raw.execute("CREATE TABLE recipes (name)")
    for source, reason in (
        (newer, Reason.DATABASE_NEWER),
        (damaged, Reason.DATABASE_DAMAGED),
        (foreign, Reason.NOT_A_DATABASE),
        (tmp_path / "nothing.db", Reason.CANNOT_READ),
    ):
        with pytest.raises(Refusal) as refused:
            restore(source, path)
        assert refused.value.reason is reason
    assert entries_in(path) == games(50)
    assert not (tmp_path / "backups").exists()
