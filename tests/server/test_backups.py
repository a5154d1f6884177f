"""A backup holds all that a server keeps, and comes back whole."""

import asyncio
import io
import zipfile
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from royalcrypt.cli import main
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import load_keys, replace_admin_link
from royalcrypt.server.operations.backups import back_up_daily, make_backup, restore_backup
from royalcrypt.server.settings import ServerSettings
from royalcrypt.storage.server_state import ServerState
from royalcrypt.storage.sqlite.connection import DatabaseFileLock
from royalcrypt.storage.sqlite.database import SqliteDatabase


def note(data: Path, value: str | None = None) -> str | None:
    """Keep a note in a data folder's database, or only read it."""

    async def work() -> str | None:
        database = await SqliteDatabase.open(data / "royalcrypt.db")
        try:
            housekeeping = ServerState(database)
            if value is not None:
                await housekeeping.set("note", value)
            return await housekeeping.get("note")
        finally:
            await database.close()

    return asyncio.run(work())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    load_keys(folder)
    note(folder, "first")
    return folder


def refusal(source: Path, data: Path) -> Reason:
    with pytest.raises(Refusal) as refused:
        restore_backup(source, data)
    assert "\n" not in str(refused.value)
    if refused.value.reason is not Reason.DATABASE_IN_USE:
        assert str(source) in str(refused.value)
    return refused.value.reason


def test_a_backup_is_one_private_file_with_the_database_and_the_keys(data: Path, tmp_path: Path) -> None:
    replace_admin_link(data)
    target = tmp_path / "new" / "backup.zip"
    make_backup(data, target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in target.parent.iterdir()] == ["backup.zip"]
    with zipfile.ZipFile(target) as archive:
        assert set(archive.namelist()) == {"royalcrypt.db", "server.key", "admin.epoch"}


def test_it_comes_back_in_a_fresh_folder_and_everybody_is_still_known(data: Path, tmp_path: Path) -> None:
    make_backup(data, tmp_path / "backup.zip")
    fresh = tmp_path / "fresh"
    assert restore_backup(tmp_path / "backup.zip", fresh) is None
    assert note(fresh) == "first"
    assert load_keys(fresh) == load_keys(data)
    for name in ("server.key", "royalcrypt.db"):
        assert (fresh / name).stat().st_mode & 0o777 == 0o600
    assert {path.name.removesuffix(".lock") for path in fresh.iterdir()} <= {"royalcrypt.db", "server.key"}


def test_what_is_replaced_is_kept_aside(data: Path, tmp_path: Path) -> None:
    make_backup(data, tmp_path / "backup.zip")
    other = tmp_path / "other"
    old = load_keys(other)
    replace_admin_link(other)
    note(other, "second")
    kept = restore_backup(tmp_path / "backup.zip", other)
    assert kept is not None
    assert kept.exists()
    assert note(other) == "first"
    assert load_keys(other) == load_keys(data), "with the admin link of the backup"
    (saved,) = (other / "backups").glob("server-*.key")
    assert saved.read_text("ascii").strip() == old.secret.hex()
    kept.rename(other / "royalcrypt.db")
    assert note(other) == "second"


def test_the_same_key_is_left_alone(data: Path, tmp_path: Path) -> None:
    make_backup(data, tmp_path / "backup.zip")
    replace_admin_link(data)
    keys = load_keys(data)
    restore_backup(tmp_path / "backup.zip", data)
    assert load_keys(data) == keys, "an old admin link stays dead"
    assert not list((data / "backups").glob("*.key"))


def test_a_database_alone_can_be_restored_too(data: Path, tmp_path: Path) -> None:
    keys = load_keys(tmp_path / "other")
    restore_backup(data / "royalcrypt.db", tmp_path / "other")
    assert note(tmp_path / "other") == "first"
    assert load_keys(tmp_path / "other") == keys


def test_nothing_is_written_over(data: Path, tmp_path: Path) -> None:
    (tmp_path / "backup.zip").write_text("mine", "utf-8")
    with pytest.raises(Refusal) as refused:
        make_backup(data, tmp_path / "backup.zip")
    assert refused.value.reason is Reason.FILE_EXISTS


def test_a_folder_without_games_and_a_place_that_cannot_be_are_refused(data: Path, tmp_path: Path) -> None:
    for source, target in ((tmp_path, tmp_path / "a.zip"), (data, data / "server.key" / "b.zip")):
        with pytest.raises(Refusal) as refused:
            make_backup(source, target)
        assert refused.value.reason in (Reason.CANNOT_READ, Reason.CANNOT_WRITE)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_running_server_is_backed_up_but_not_replaced(data: Path, tmp_path: Path) -> None:
    with closing(DatabaseFileLock(data / "royalcrypt.db")):
        make_backup(data, tmp_path / "backup.zip")
        assert refusal(tmp_path / "backup.zip", data) is Reason.DATABASE_IN_USE
    assert not list(data.glob(".restore*"))


def packed_text(database: bytes) -> bytes:
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("royalcrypt.db", database)
        return file.getvalue()


def test_what_is_no_backup_changes_nothing(data: Path, tmp_path: Path) -> None:
    keys = load_keys(data)
    good = tmp_path / "good.zip"
    make_backup(data, good)
    packed = good.read_bytes()
    texts = {
        "cut": packed[: len(packed) // 2],
        "spoilt": packed[:200] + bytes(300) + packed[500:],
        "start only": b"PK",
        "damaged inside": packed_text(b"SQLite format 3\0" + bytes(5000)),
        "text": b"PK is how zip files begin",
        "nothing": b"",
        "something": b"something else",
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
        assert refusal(tmp_path / name, data) in (
            Reason.NOT_A_BACKUP,
            Reason.NOT_A_DATABASE,
            Reason.DATABASE_DAMAGED,
        )
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("../royalcrypt.db", "x")
    assert refusal(tmp_path / "other.zip", data) is Reason.NOT_A_BACKUP
    with zipfile.ZipFile(good, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("server.key", "no key")
    assert refusal(good, data) is Reason.BROKEN_KEY
    assert refusal(tmp_path / "none", data) is Reason.CANNOT_READ
    assert refusal(tmp_path, data) is Reason.CANNOT_READ
    assert note(data) == "first"
    assert load_keys(data) == keys


def test_a_backup_a_day_is_made_and_the_oldest_go(data: Path) -> None:
    settings = ServerSettings(data=data, backups_kept=4)
    make_backup(data, data / "backups" / "mine.zip")
    for day in range(1, 7):
        assert back_up_daily(settings, date(2026, 11, day)) is not None
        assert back_up_daily(settings, date(2026, 11, day)) is None, "once a day"
        assert len(list((data / "backups").glob("royalcrypt-*"))) == min(day, 4)
    kept = {path.name for path in (data / "backups").iterdir()}
    assert kept == {"mine.zip", *(f"royalcrypt-2026-11-0{day}.zip" for day in (3, 4, 5, 6))}
    assert back_up_daily(ServerSettings(data=data, backups_kept=0)) is None


def test_todays_backup_stays_even_if_the_clock_was_ahead_before(data: Path) -> None:
    settings = ServerSettings(data=data, backups_kept=2)
    for year in (2097, 2098, 2026):
        made = back_up_daily(settings, date(year, 11, 1))
        assert made is not None
        assert made.exists()
    assert len(list((data / "backups").iterdir())) == 2


def test_from_the_command_line(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "shelf").mkdir()
    assert main(["backup", "--data", str(data)]) == 0
    assert main(["backup", "--data", str(data), str(tmp_path / "shelf")]) == 0
    assert main(["backup", "--data", str(data), str(tmp_path / "shelf" / "one.zip")]) == 0
    out = capsys.readouterr().out
    assert out.count("Backed up to ") == 3
    assert len(list((data / "backups").glob("royalcrypt-*.zip"))) == 1
    assert len(list((tmp_path / "shelf").glob("*.zip"))) == 2
    fresh = tmp_path / "fresh"
    assert main(["restore", "--data", str(fresh), str(tmp_path / "shelf" / "one.zip")]) == 0
    assert main(["restore", "--data", str(fresh), str(tmp_path / "shelf" / "one.zip")]) == 0
    out = capsys.readouterr().out
    assert f"is restored to {fresh}." in out
    assert out.count("What it replaced is kept in ") == 1
    assert main(["restore", "--data", str(fresh), str(tmp_path / "none")]) == 2
    assert main(["backup", "--data", str(tmp_path / "empty")]) == 2
    assert capsys.readouterr().err.count("\n") == 2
