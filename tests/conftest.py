"""Settings for all tests."""

import asyncio
import os
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_hex

import pytest
from hypothesis import HealthCheck, settings

from tests.services.postgres import Postgres
from tests.services.redis import Redis

# Shared machines are slow at times: slowness is measured in benchmarks, never in a test.
settings.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

# Tests that were started in the background may have to ignore Ctrl-C, and what they start would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Ray reads these once in a process: its clusters let in nobody but us, and tell nobody of it.
os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=token_hex(32))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with Postgres(is_durable=False) as running:
        yield running


@pytest.fixture(scope="session")
def empty_postgres(postgres: Postgres) -> str:
    """The name of a database of this version: made once, as a copy is quicker than a migration."""
    from royalcrypt.storage.postgres.database import PostgresDatabase

    url = postgres.new_database()

    async def make() -> None:
        await (await PostgresDatabase.open(url)).close()

    with ThreadPoolExecutor(1) as aside:  # A test's own event loop may be running.
        aside.submit(asyncio.run, make()).result()
    return url.rpartition("/")[2]


@pytest.fixture
def url(postgres: Postgres, empty_postgres: str) -> Iterator[str]:
    """Of a database on PostgreSQL with nothing in it, which goes away with the test."""
    made = postgres.new_database(empty_postgres)
    yield made
    postgres.drop(made)


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with something in every table."""
    from tests.storage.everything import fill

    data = tmp_path_factory.mktemp("everything")
    with ThreadPoolExecutor(1) as aside:
        aside.submit(asyncio.run, fill(data)).result()
    return data


@pytest.fixture
def full(everything: Path, tmp_path: Path) -> Path:
    """The database of a data folder like that, for one test."""
    return Path(shutil.copytree(everything, tmp_path / "data")) / "royalcrypt.db"


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    with Redis() as running:
        yield running
