"""One server a database: the second is refused, and a killed one leaves nothing behind."""

import asyncio
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.sqlite.backup import back_up
from royalcrypt.storage.sqlite.connection import DatabaseFileLock, open_raw
from royalcrypt.storage.sqlite.database import SqliteDatabase
from tests.storage.lines import line

pytestmark = pytest.mark.anyio

SERVER = """
import asyncio, sys
from pathlib import Path
from royalcrypt.storage.sqlite.database import SqliteDatabase

async def serve():
    database = await SqliteDatabase.open(Path(sys.argv[1]))
    print("open", flush=True)
    await asyncio.sleep(600)

asyncio.run(serve())
"""


def test_a_second_server_is_refused_until_the_first_is_killed(path: Path) -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(path)], stdout=subprocess.PIPE)
    assert server.stdout
    try:
        assert server.stdout.readline() == b"open\n"
        with pytest.raises(Refusal) as refused:
            asyncio.run(SqliteDatabase.open(path))
        assert refused.value.reason is Reason.DATABASE_IN_USE
        assert refused.value.details == {"file": str(path)}
        back_up(path, path.with_name("backup.db"))
    finally:
        server.kill()
        server.wait()
        server.stdout.close()

    async def open_and_close() -> None:
        await (await SqliteDatabase.open(path)).close()

    asyncio.run(open_and_close())


async def test_a_second_one_in_the_same_process_is_refused_too(path: Path) -> None:
    database = await SqliteDatabase.open(path)
    with pytest.raises(Refusal) as refused:
        await SqliteDatabase.open(path)
    assert refused.value.reason is Reason.DATABASE_IN_USE
    await SqlJournal(database).append(line())
    await database.close()
    await (await SqliteDatabase.open(path)).close()


def test_a_link_to_the_file_is_the_same_file(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere.db"
    link.symlink_to(path)
    with closing(DatabaseFileLock(path)), pytest.raises(Refusal):
        DatabaseFileLock(link)


async def test_a_place_that_cannot_be_written_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "crypt.db", tmp_path):
        with pytest.raises(Refusal) as refused:
            await SqliteDatabase.open(place)
        assert refused.value.reason in (Reason.CANNOT_WRITE, Reason.CANNOT_READ)


async def test_a_lock_that_cannot_be_taken_is_refused_in_words(path: Path) -> None:
    path.with_name("crypt.db.lock").write_text("Dear Anna, " * 1000)
    with pytest.raises(Refusal) as refused:
        await SqliteDatabase.open(path)
    assert refused.value.reason is Reason.CANNOT_WRITE


async def test_a_newer_database_is_refused_and_stays_free(path: Path) -> None:
    with closing(open_raw(path)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9001'")
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            await SqliteDatabase.open(path)
        assert refused.value.reason is Reason.DATABASE_NEWER


async def test_a_file_that_is_no_database_is_refused_and_stays_free(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Anna, " * 1000)
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            await SqliteDatabase.open(path)
        assert refused.value.reason is Reason.NOT_A_DATABASE
    assert path.read_text().startswith("Dear Anna")
