"""Databases in files that go away with the test."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from royalcrypt.storage.database import Database
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.postgres.database import PostgresDatabase
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.storage.sqlite.migration import migrate


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: a copy is quicker than a migration."""
    path = tmp_path_factory.mktemp("template") / "crypt.db"
    migrate(path)
    return path


@pytest.fixture
def path(empty_database: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(empty_database, tmp_path / "crypt.db"))


@pytest.fixture(params=["SQLite", "PostgreSQL"])
async def database(request: pytest.FixtureRequest) -> AsyncIterator[Database]:
    """Whatever is asked of one, the other must do as well."""
    if request.param == "SQLite":
        opened: Database = await SqliteDatabase.open(request.getfixturevalue("path"))
    else:
        opened = await PostgresDatabase.open(request.getfixturevalue("url"))
    yield opened
    await opened.close()


@pytest.fixture
def journal(database: Database) -> SqlJournal:
    return SqlJournal(database)
