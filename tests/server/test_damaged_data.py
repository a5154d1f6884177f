"""A damaged data folder: one line says what is wrong and how to restore it, and no file is changed."""

import asyncio
import os
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from royalcrypt.cli import main
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import load_keys
from royalcrypt.server.operations.backups import back_up_daily, make_backup
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.startup import running_service
from royalcrypt.storage.sqlite.connection import connect
from tests.server.processes import REAL, finished
from tests.server.test_backups import note

PAGE = 4096
LOCKS = (".lock", "-shm")
POSTGRES = "postgresql://nobody@127.0.0.1:1/nothing"


def files_in(data: Path) -> dict[str, bytes]:
    """All but locks, and the index of the log, which is one."""
    found = (path for path in data.rglob("*") if path.is_file() and not path.name.endswith(LOCKS))
    return {str(path.relative_to(data)): path.read_bytes() for path in found}


def leave_log(path: Path) -> None:
    """As a killed server does."""
    with closing(connect(path)) as raw:
        raw.pragma("wal_autocheckpoint", 0)
        raw.execute("CREATE TABLE more (text)")
        raw.execute("INSERT INTO more VALUES (?)", ("more" * 3000,))
        remains = {name: path.with_name(name).read_bytes() for name in (path.name, f"{path.name}-wal")}
    for name, content in remains.items():
        path.with_name(name).write_bytes(content)


def write(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def damage_page(path: Path) -> None:
    write(path, 3 * PAGE, b"\xff" * PAGE)


def damage_page_beside_a_log(path: Path) -> None:
    leave_log(path)
    damage_page(path)


def remove_beside_a_log(path: Path) -> None:
    leave_log(path)
    path.unlink()
    (path.parent / "server.key").unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def empty_beside_a_log(path: Path) -> None:
    leave_log(path)
    empty(path)


def remove_tables(path: Path) -> None:
    path.unlink()
    with closing(connect(path)) as raw:
        raw.execute("CREATE TABLE gone (x)")
        raw.execute("DROP TABLE gone")
        raw.execute("VACUUM")


DAMAGES: dict[str, tuple[Callable[[Path], object], Reason]] = {
    "missing": (Path.unlink, Reason.DATABASE_MISSING),
    "empty": (empty, Reason.DATABASE_MISSING),
    "empty beside a log": (empty_beside_a_log, Reason.DATABASE_MISSING),
    "a log alone": (remove_beside_a_log, Reason.DATABASE_MISSING),
    "without tables": (remove_tables, Reason.NOT_A_DATABASE),
    "cut short": (lambda path: os.truncate(path, 9 * PAGE), Reason.DATABASE_DAMAGED),
    "cut within a page": (lambda path: os.truncate(path, 5 * PAGE + 100), Reason.DATABASE_DAMAGED),
    "other header": (lambda path: write(path, 0, os.urandom(100)), Reason.NOT_A_DATABASE),
    "damaged page": (damage_page, Reason.DATABASE_DAMAGED),
    "damaged page beside a log": (damage_page_beside_a_log, Reason.DATABASE_DAMAGED),
    "unfinished restore": (
        lambda path: path.with_name(f".{path.name}.restored").touch(),
        Reason.UNFINISHED_RESTORE,
    ),
}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    load_keys(folder)
    note(folder, "kept")
    make_backup(folder, folder / "backups" / "royalcrypt-2026-11-01.zip")
    return folder


@pytest.fixture(params=DAMAGES)
def damaged(request: pytest.FixtureRequest, data: Path) -> tuple[Path, Reason]:
    damage, reason = DAMAGES[request.param]
    damage(data / "royalcrypt.db")
    return data, reason


def check_line(text: str, data: Path) -> None:
    assert text.count("\n") <= 1
    assert str(data / "royalcrypt.db") in text
    assert "Nothing was changed." in text
    assert f"royalcrypt restore --data {data} " in text
    assert text.strip().endswith(str(data / "backups" / "royalcrypt-2026-11-01.zip"))


def test_a_server_does_not_start_on_a_damaged_database(damaged: tuple[Path, Reason]) -> None:
    data, reason = damaged
    before = files_in(data)

    async def start() -> None:
        async with running_service(ServerSettings(data=data, compiled_bots=False)):
            pass

    with pytest.raises(Refusal) as refused:
        asyncio.run(start())
    check_line(str(refused.value), data)
    cause = refused.value.__cause__
    assert isinstance(cause, Refusal)
    assert cause.reason is reason
    assert files_in(data) == before


def test_it_is_not_backed_up_or_moved_either(
    damaged: tuple[Path, Reason], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data, _ = damaged
    before = files_in(data)
    for command in (
        ("backup", "--data", str(data), str(tmp_path / "new.zip")),
        ("move-database", str(data), POSTGRES),
    ):
        assert main(list(command)) == 2
        check_line(capsys.readouterr().err, data)
        assert files_in(data) == before
    assert not (tmp_path / "new.zip").exists()


def test_the_daily_backup_of_it_removes_no_good_one(damaged: tuple[Path, Reason]) -> None:
    data, _ = damaged
    before = files_in(data)
    for day in (2, 3):
        with pytest.raises(Refusal):
            back_up_daily(ServerSettings(data=data, backups_kept=1), date(2026, 11, day))
    assert files_in(data) == before


def test_what_the_line_says_restores_it(damaged: tuple[Path, Reason]) -> None:
    data, _ = damaged
    with zipfile.ZipFile(data / "backups" / "royalcrypt-2026-11-01.zip") as archive:
        key = archive.read("server.key")
    assert main(["restore", "--data", str(data), str(data / "backups" / "royalcrypt-2026-11-01.zip")]) == 0
    assert note(data) == "kept"
    assert (data / "server.key").read_bytes() == key


@pytest.mark.parametrize(("command", "damage"), [("serve", "damaged page"), ("play", "missing")])
def test_the_program_ends_with_one_line_and_exit_code_2(data: Path, command: str, damage: str) -> None:
    DAMAGES[damage][0](data / "royalcrypt.db")
    before = files_in(data)
    done = finished(data, command, "--port", "0", program=REAL)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    check_line(done.stderr, data)
    assert files_in(data) == before


def test_without_a_backup_the_line_says_so(data: Path) -> None:
    (data / "backups" / "royalcrypt-2026-11-01.zip").unlink()
    empty(data / "royalcrypt.db")
    with pytest.raises(Refusal) as refused:
        make_backup(data, data / "backups" / "new.zip")
    assert refused.value.reason is Reason.NOTHING_TO_RESTORE
    assert "holds no backup" in str(refused.value)


def test_a_server_begins_anew_when_its_key_is_removed_too(data: Path) -> None:
    (data / "royalcrypt.db").unlink()
    (data / "server.key").unlink()

    async def start() -> None:
        async with running_service(ServerSettings(data=data, compiled_bots=False)):
            pass

    asyncio.run(start())
    assert note(data) is None


def test_a_server_starts_after_a_kill_with_what_is_in_the_log(data: Path) -> None:
    leave_log(data / "royalcrypt.db")
    log = data / "royalcrypt.db-wal"
    assert log.stat().st_size
    assert note(data) == "kept"
    with closing(connect(data / "royalcrypt.db")) as raw:
        assert raw.execute("SELECT length(text) FROM more").get == 12_000
