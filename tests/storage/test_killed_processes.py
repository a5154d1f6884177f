"""Processes that are killed with -9 while they migrate, move, back up or restore; others finish the work."""

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from asyncpg import PostgresError
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import load_keys
from royalcrypt.server.operations.backups import make_backup
from royalcrypt.storage.migrations import VERSIONS, known_versions, upgrade
from royalcrypt.storage.postgres.connection import connect
from royalcrypt.storage.postgres.database import SCHEMA_LOCK, TRANSFER_KEY
from royalcrypt.storage.sqlite.connection import open_raw
from royalcrypt.storage.sqlite.integrity import check_whole
from tests.server.processes import PATIENCE, ROOT, environment
from tests.services.postgres import Postgres
from tests.storage.everything import rows_in

CAMPAIGN = float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1"))
MIGRATE = """
import asyncio, sys
from royalcrypt.storage.postgres.database import PostgresDatabase
asyncio.run(PostgresDatabase.open(sys.argv[1]))
"""
MOVE = """
import sys
from royalcrypt.cli import main
from royalcrypt.storage import transfer
transfer.ROWS_PER_TRANSACTION = 3
sys.exit(main(["move-database", *sys.argv[1:], "--jobs", "1"]))
"""
COMMAND = """
import sys
from royalcrypt.cli import main
sys.exit(main(sys.argv[1:]))
"""
BIG = "INSERT INTO house VALUES ('big', randomblob(10000000))"
GAMES = 200
OLD_TABLES = """
    INSERT INTO tables SELECT 't' || n, 'running', false, NULL, NULL, 1, 1, '' FROM generate_series(1, $1) n
"""
OLD_JOURNAL = "INSERT INTO journal SELECT 't' || n, 0, 'entry' FROM generate_series(1, $1) n"
COUNTS = """
    SELECT (SELECT count(*) FROM tables WHERE ply = 1), (SELECT count(*) FROM journal), version_num
    FROM alembic_version
"""
WAITING = """
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_locks.database = pg_database.oid
    WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
"""


def started(folder: Path, code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(folder),
    )


def ended(process: subprocess.Popen[str]) -> int:
    said = process.communicate(timeout=PATIENCE)[1]
    assert "Traceback" not in said, said
    return process.returncode


def kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


async def old_database(url: str, folder: Path) -> None:
    """A database of the first version, with something in it."""
    first = folder / "first"
    first.mkdir(exist_ok=True)
    shutil.copy(VERSIONS[0] / "0001_first.py", first)
    engine = create_async_engine("postgresql+asyncpg://", async_creator=lambda: connect(url))

    def make(sql: Connection) -> None:
        upgrade(sql, (first,))

    async with engine.begin() as connection:
        await connection.run_sync(make)
    await engine.dispose()
    raw = await connect(url)
    await raw.execute(OLD_TABLES, GAMES)
    await raw.execute(OLD_JOURNAL, GAMES)
    await raw.close()


async def migrate_with_a_kill(url: str, folder: Path, seconds: float) -> bool:
    """Two processes migrate at once, and one is killed after that time; tells whether it was still at it."""
    await old_database(url, folder)
    raw = await connect(url)
    await raw.execute("SELECT pg_advisory_lock($1)", SCHEMA_LOCK)
    processes = [started(folder, MIGRATE, url) for _ in range(2)]
    async with asyncio.timeout(PATIENCE):
        while await raw.fetchval(WAITING) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    await raw.execute("SELECT pg_advisory_unlock($1)", SCHEMA_LOCK)
    await asyncio.sleep(seconds)
    was_running = processes[0].poll() is None
    kill(processes[0])
    assert await asyncio.to_thread(ended, processes[1]) == 0
    assert tuple(await raw.fetchrow(COUNTS)) == (GAMES, GAMES, known_versions()[-1])
    await raw.close()
    return was_running


def kill_migrations(postgres: Postgres, folder: Path, times: int) -> None:
    chance, seen = random.Random(times), set[bool]()
    for _ in range(times):
        url = postgres.new_database()
        seen.add(asyncio.run(migrate_with_a_kill(url, folder, chance.uniform(0, 0.25))))
        postgres.drop(url)
    assert True in seen


def test_of_two_processes_that_migrate_at_once_one_may_be_killed(postgres: Postgres, tmp_path: Path) -> None:
    kill_migrations(postgres, tmp_path, 1)


@pytest.mark.faults
def test_of_two_processes_that_migrate_at_once_one_may_be_killed_at_any_moment(
    postgres: Postgres, tmp_path: Path
) -> None:
    kill_migrations(postgres, tmp_path, int(20 * CAMPAIGN))


def rows_moved(url: str) -> int:
    """How many rows the progress mark counts; -1 without one."""

    async def ask() -> int:
        try:
            raw = await connect(url)
        except (OSError, PostgresError):
            return -1
        try:
            found = await raw.fetchval("SELECT value FROM house WHERE key = $1", TRANSFER_KEY)
        except PostgresError:
            return -1
        finally:
            await raw.close()
        return sum(json.loads(found)["rows"].values()) if found else -1

    return asyncio.run(ask())


def move_with_interruptions(
    full: Path, url: str, interrupt: Callable[[subprocess.Popen[str]], None], times: int
) -> None:
    """Interrupt a move again and again, each time a little further; then let it finish."""
    before = rows_in(path=full)
    total = sum(map(len, before.values()))
    chance = random.Random(times)
    for wanted in sorted(chance.randint(0, total) for _ in range(times)):
        process = started(full.parent, MOVE, str(full.parent), url)
        deadline = time.monotonic() + PATIENCE
        while rows_moved(url) < wanted and process.poll() is None:
            assert time.monotonic() < deadline
        interrupt(process)
        if process.returncode != 0:
            with pytest.raises(Refusal) as refused:
                rows_in(url)
            assert refused.value.reason is Reason.UNFINISHED_MOVE
    assert ended(started(full.parent, MOVE, str(full.parent), url)) == 0
    moved: dict[str, Any] = rows_in(url)
    assert moved["house"].pop(("admin_epoch",))
    assert moved["house"].pop(("moved_from",))
    assert moved["house"].pop(("server_key",))
    assert moved == before


def test_a_move_to_postgres_that_is_killed_goes_on(full: Path, url: str) -> None:
    move_with_interruptions(full, url, kill, 1)


@pytest.mark.faults
def test_a_move_to_postgres_that_is_killed_at_any_moment_goes_on(full: Path, url: str) -> None:
    move_with_interruptions(full, url, kill, int(12 * CAMPAIGN))


@pytest.mark.faults
def test_a_move_goes_on_after_postgres_was_killed(full: Path) -> None:
    with Postgres() as durable:

        def kill_postgres(process: subprocess.Popen[str]) -> None:
            durable.stop(signal.SIGQUIT)
            durable.start()
            ended(process)

        move_with_interruptions(full, durable.new_database(), kill_postgres, int(6 * CAMPAIGN))


def kill_while(process: subprocess.Popen[str], folder: Path, pattern: str, seconds: float) -> None:
    """Kill a command that long after its working folder is there."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and not any(folder.glob(pattern)):
        assert time.monotonic() < deadline
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    kill(process)


@pytest.mark.faults
def test_backups_and_restores_that_are_killed_leave_nothing_in_part(full: Path, tmp_path: Path) -> None:
    data, place = full.parent, tmp_path / "place"
    place.mkdir()
    keys, chance, seen = load_keys(data), random.Random(1), set[object]()
    make_backup(data, tmp_path / "old.zip")
    with closing(open_raw(full)) as raw:
        raw.execute(BIG)
    make_backup(data, tmp_path / "new.zip")
    for number in range(int(12 * CAMPAIGN)):
        target = place / f"{number}.zip"
        process = started(data, COMMAND, "backup", "--data", str(data), str(target))
        kill_while(process, place, ".backup-*", chance.uniform(0, 0.8))
        assert not target.exists() or is_whole(target)
        seen.add(("backup", target.exists()))
        shutil.rmtree(place)
        place.mkdir()
    for number in range(int(12 * CAMPAIGN)):
        archive = tmp_path / ("old.zip", "new.zip")[number % 2]
        process = started(data, COMMAND, "restore", "--data", str(data), str(archive))
        kill_while(process, data, ".restore-*", chance.uniform(0, 0.8))
        try:
            check_whole(full, data / "server.key")
        except Refusal as refused:
            seen.add(refused.reason)
        else:
            assert load_keys(data) == keys
        for left in data.glob(".restore-*"):
            shutil.rmtree(left)
    assert ended(started(data, COMMAND, "restore", "--data", str(data), str(tmp_path / "old.zip"))) == 0
    check_whole(full, data / "server.key")
    assert ("backup", False) in seen


def is_whole(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        return archive.testzip() is None
