"""A kill or a power cut during a backup, a restore or a migration leaves all of it done, or none of it.

What was promised is there, nothing is there in part, and the same command finishes the work.
"""

import asyncio
import os
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import load_keys, replace_admin_link
from royalcrypt.server.operations import backups
from royalcrypt.server.operations.backups import back_up_daily, make_backup, restore_backup
from royalcrypt.server.settings import ServerSettings
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.migrations import known_versions
from royalcrypt.storage.sqlite.connection import connect, open_raw
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.storage.sqlite.integrity import check_whole
from royalcrypt.storage.sqlite.migration import migrate
from tests.storage.lines import entry_at, line
from tests.storage.power import Note, Rename, Told, cut, recorded
from tests.storage.test_backup import damage
from tests.storage.test_migrations import later_versions, version_in

MOMENTS = 16
"""Moments of an operation at which it is killed, and at which the power is cut."""
CAMPAIGN = int(10 * float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1")))
"""Power cuts at each moment in the long campaign."""
NAME = "royalcrypt.db"
DONE = Told("done")


class Recording(NamedTuple):
    before: dict[str, bytes]
    notes: list[Note]


def files_in(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def recording(folder: Path, operation: Callable[[Path], object]) -> Recording:
    """What an operation does to a data folder."""
    before = files_in(folder)
    with recorded(folder) as notes:
        operation(folder)
        notes.append(DONE)
    return Recording(before, list(notes))


def interruptions(made: Recording, folder: Path, *, times: int = 0) -> Iterator[bool]:
    """Lay out in a folder what is found after one interruption after another; tells if the work was done.

    A sample of the moments, and those after each rename; with ``times`` all of them, each with so many cuts.
    """
    chance = random.Random(len(made.notes))
    sample = chance.sample(range(len(made.notes)), min(MOMENTS, len(made.notes)))
    moments = sorted({*sample, *(at + 1 for at, note in enumerate(made.notes) if isinstance(note, Rename))})
    for moment in (*(range(len(made.notes)) if times else moments), len(made.notes)):
        for way in (None, *[chance] * max(times, 1)):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name, data in cut(made.before, made.notes[:moment], way).items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
            yield DONE in made.notes[:moment]


def play(data: Path, table: str, plies: int) -> None:
    async def append() -> None:
        database = await SqliteDatabase.open(data / NAME)
        for ply in range(plies):
            await SqlJournal(database).append(line(table, ply))
        await database.close()

    asyncio.run(append())


def entries_in(path: Path) -> list[bytes]:
    with closing(open_raw(path)) as raw:
        assert raw.pragma("integrity_check") == "ok"
        return [entry for (entry,) in raw.execute("SELECT entry FROM journal ORDER BY table_id, ply")]


def made_by(table: str, plies: int) -> list[bytes]:
    return [entry_at(table, ply) for ply in range(plies)]


def server_folder(folder: Path, template: Path, table: str, plies: int) -> Path:
    """A data folder with keys of its own."""
    folder.mkdir()
    shutil.copy(template, folder / NAME)
    load_keys(folder)
    replace_admin_link(folder)
    play(folder, table, plies)
    for left in folder.glob("*.lock"):
        left.unlink()
    return folder


@pytest.fixture
def data(empty_database: Path, tmp_path: Path) -> Path:
    return server_folder(tmp_path / "data", empty_database, "mine", 8)


@pytest.fixture
def theirs(empty_database: Path, tmp_path: Path) -> Path:
    return server_folder(tmp_path / "theirs", empty_database, "theirs", 3)


def age_leftovers(folder: Path) -> None:
    """As if the interruption had been two days ago."""
    for path in folder.rglob(".*"):
        os.utime(path, (0, 0))


def hidden(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".*")]


# Backups.


def daily(day: int) -> str:
    return f"royalcrypt-2026-11-{day:02}.zip"


def back_up_on(data: Path, day: int) -> Path | None:
    return back_up_daily(ServerSettings(data=data, backups_kept=2), date(2026, 11, day))


def check_backups(data: Path, tmp_path: Path, *, times: int = 0) -> None:
    for day in (1, 2):
        back_up_on(data, day)
    after, fresh = tmp_path / "after", tmp_path / "fresh"
    keys = load_keys(data)
    seen: set[bool] = set()
    for is_done in interruptions(recording(data, lambda data: back_up_on(data, 3)), after, times=times):
        assert entries_in(after / NAME) == made_by("mine", 8)
        whole = sorted(path.name for path in (after / "backups").glob("royalcrypt-*"))
        assert set(whole) >= {daily(2), daily(3) if is_done else daily(2)}
        assert len(whole) >= 2, "an old one goes only when the new one is there"
        for name in whole:
            with zipfile.ZipFile(after / "backups" / name) as archive:
                assert archive.testzip() is None
        if daily(3) in whole:
            shutil.rmtree(fresh, ignore_errors=True)
            restore_backup(after / "backups" / daily(3), fresh)
            assert entries_in(fresh / NAME) == made_by("mine", 8)
            assert load_keys(fresh) == keys
        seen.add(daily(3) in whole)
        age_leftovers(after)
        back_up_on(after, 4)
        assert (after / "backups" / daily(4)).exists()
        assert hidden(after) == []
    assert seen == {False, True}


def test_an_interrupted_backup_is_whole_or_not_there(data: Path, tmp_path: Path) -> None:
    check_backups(data, tmp_path)


@pytest.mark.faults
def test_a_backup_interrupted_at_any_moment_is_whole_or_not_there(data: Path, tmp_path: Path) -> None:
    check_backups(data, tmp_path, times=CAMPAIGN)


def test_the_first_backup_of_all_survives_a_power_cut_with_its_folder(data: Path, tmp_path: Path) -> None:
    after = tmp_path / "after"
    made = recording(data, lambda data: make_backup(data, data / "backups" / "far" / "one.zip"))
    for is_done in interruptions(made, after):
        assert (after / "backups" / "far" / "one.zip").exists() or not is_done


def test_a_leftover_of_a_backup_under_way_is_not_removed(data: Path) -> None:
    working = data / "backups" / ".backup-12345678"
    working.mkdir(parents=True)
    back_up_on(data, 1)
    assert hidden(data) == [working.name]
    age_leftovers(data)
    back_up_on(data, 2)
    assert hidden(data) == []


# Restoring.


def check_restore(
    data: Path, theirs: Path, tmp_path: Path, *, is_damaged: bool = False, times: int = 0
) -> None:
    """Afterwards the folder is the old server, or the new one, or one that does not start."""
    archive, after = tmp_path / "theirs.zip", tmp_path / "after"
    make_backup(theirs, archive)
    old, new = (made_by("mine", 8), load_keys(data)), (made_by("theirs", 3), load_keys(theirs))
    replaced = (data / NAME).read_bytes()
    seen: set[str] = set()
    made = recording(data, lambda data: restore_backup(archive, data))
    for is_done in interruptions(made, after, times=times):
        state = state_of(after)
        assert state in (None, old, new)
        assert state == new or not is_done
        seen.add("none" if state is None else "old" if state == old else "new")
        assert is_kept(after, replaced, is_damaged=is_damaged)
        for left in after.glob("*.lock"):
            left.unlink()
        age_leftovers(after)
        restore_backup(archive, after)
        assert state_of(after) == new
        assert is_kept(after, replaced, is_damaged=is_damaged)
        keys = {path.read_text("ascii").strip() for path in (after / "backups").glob("*.key")}
        assert keys == {old[1].secret.hex()}, "the key that the replaced database needs"
        assert hidden(after) == []
    assert seen == ({"none", "new"} if is_damaged else {"old", "none", "new"})


def state_of(data: Path) -> tuple[list[bytes], object] | None:
    """The entries and keys with which a server starts; None if it does not."""
    try:
        check_whole(data / NAME, data / "server.key")
    except Refusal as refused:
        assert refused.reason in (  # noqa: PT017
            Reason.UNFINISHED_RESTORE, Reason.DATABASE_MISSING, Reason.DATABASE_DAMAGED
        )  # fmt: skip
        return None
    return entries_in(data / NAME), load_keys(data)


def is_kept(data: Path, replaced: bytes, *, is_damaged: bool) -> bool:
    """Whether the database that is replaced is still somewhere."""
    places = [data / NAME, *(data / "backups").glob("royalcrypt-before-restore-*.db")]
    if is_damaged:
        return any(path.exists() and path.read_bytes() == replaced for path in places)
    for path in places:
        with suppress(apsw.Error):
            if path.exists() and entries_in(path) == made_by("mine", 8):
                return True
    return False


def test_an_interrupted_restore_leaves_no_mixture_of_two_servers(
    data: Path, theirs: Path, tmp_path: Path
) -> None:
    check_restore(data, theirs, tmp_path)


def test_an_interrupted_restore_over_a_damaged_database_can_be_repeated(
    data: Path, theirs: Path, tmp_path: Path
) -> None:
    damage(data / NAME)
    check_restore(data, theirs, tmp_path, is_damaged=True)


def test_an_interrupted_restore_after_a_killed_server_does_not_meet_its_log(
    data: Path, theirs: Path, tmp_path: Path
) -> None:
    leave_log(data)
    check_restore(data, theirs, tmp_path)


@pytest.mark.faults
@pytest.mark.parametrize("kind", ["closed", "damaged", "killed"])
def test_a_restore_interrupted_at_any_moment_leaves_no_mixture_of_two_servers(
    data: Path, theirs: Path, tmp_path: Path, kind: str
) -> None:
    if kind == "damaged":
        damage(data / NAME)
    elif kind == "killed":
        leave_log(data)
    check_restore(data, theirs, tmp_path, is_damaged=kind == "damaged", times=CAMPAIGN)


def leave_log(data: Path) -> None:
    """As a killed server does: the last entry is only in the log."""
    with closing(connect(data / NAME)) as raw:
        raw.pragma("wal_autocheckpoint", 0)
        raw.execute("DELETE FROM journal WHERE ply = 7")
        raw.pragma("wal_checkpoint", "TRUNCATE")
        raw.execute("INSERT INTO journal VALUES ('mine', 7, ?)", (entry_at("mine", 7),))
        remains = {name: (data / name).read_bytes() for name in (NAME, f"{NAME}-wal")}
    for name, content in remains.items():
        (data / name).write_bytes(content)
    assert (data / f"{NAME}-wal").stat().st_size


def test_a_log_without_its_database_does_not_meet_the_restored_one(data: Path, theirs: Path) -> None:
    leave_log(data)
    log = (data / f"{NAME}-wal").read_bytes()
    (data / NAME).unlink()
    make_backup(theirs, theirs / "backup.zip")
    kept = restore_backup(theirs / "backup.zip", data)
    assert entries_in(data / NAME) == made_by("theirs", 3)
    assert kept is not None
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == log


def test_a_restore_that_fails_half_way_is_finished_by_the_next_one(
    data: Path, theirs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_backup(theirs, theirs / "backup.zip")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(backups, "write_private", fail)
        with pytest.raises(Refusal) as refused:
            restore_backup(theirs / "backup.zip", data)
        assert refused.value.reason is Reason.CANNOT_WRITE
    assert state_of(data) is None
    restore_backup(theirs / "backup.zip", data)
    assert state_of(data) == (made_by("theirs", 3), load_keys(theirs))


# Migrations.


def check_migration(data: Path, tmp_path: Path, *, times: int = 0) -> None:
    versions = later_versions(tmp_path)
    after, seen = tmp_path / "after", set[str | None]()
    made = recording(data, lambda data: migrate(data / NAME, versions=versions))
    for is_done in interruptions(made, after, times=times):
        found = version_in(after / NAME)
        assert found == "9001" or not is_done
        assert entries_in(after / NAME) == made_by("mine", 8)
        kept = list((after / "backups").glob("royalcrypt-before-9001-*.db"))
        assert kept or found != "9001", "nothing is migrated before it is backed up"
        for path in kept:
            assert version_in(path) == known_versions()[-1]
            assert entries_in(path) == made_by("mine", 8)
        seen.add(found)
        migrate(after / NAME, versions=versions)
        assert version_in(after / NAME) == "9001"
        assert entries_in(after / NAME) == made_by("mine", 8)
    assert seen == {known_versions()[-1], "9001"}


def test_an_interrupted_migration_is_done_or_undone_and_the_backup_is_there_first(
    data: Path, tmp_path: Path
) -> None:
    check_migration(data, tmp_path)


@pytest.mark.faults
def test_a_migration_interrupted_at_any_moment_is_done_or_undone(data: Path, tmp_path: Path) -> None:
    check_migration(data, tmp_path, times=CAMPAIGN)


# The first start.


def test_a_power_cut_after_the_first_start_takes_no_key_away(tmp_path: Path) -> None:
    """Its loss would sign everybody out, and it is there only if the database is."""
    (tmp_path / "data").mkdir()
    made = recording(tmp_path / "data", lambda data: (migrate(data / NAME), load_keys(data)))
    after, key = tmp_path / "after", load_keys(tmp_path / "data")
    for is_done in interruptions(made, after):
        check_whole(after / NAME, after / "server.key")
        assert (after / "server.key").exists() or not is_done
        migrate(after / NAME)
        assert load_keys(after) == key or not is_done
