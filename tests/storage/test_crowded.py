"""More people than connections to PostgreSQL: they wait, and when that takes too long they are told so."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import text

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.postgres import database as module
from royalcrypt.storage.postgres.database import CONNECTIONS, MORE_CONNECTIONS, PostgresDatabase
from royalcrypt.tables.journal import NotKept

pytestmark = pytest.mark.anyio
SELECT = text("SELECT 1")


async def test_who_finds_no_free_connection_in_time_hears_that_the_storage_is_silent(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = CONNECTIONS + MORE_CONNECTIONS
    async with AsyncExitStack() as held:
        patch = held.enter_context(monkeypatch.context())
        patch.setattr(module, "RETRY_SECONDS", 0.1)
        database = await PostgresDatabase.open(url)
        for _ in range(room):
            await held.enter_async_context(database._reading.connect())
        with pytest.raises(Refusal) as silent:
            await database.read(lambda sql: sql.scalar(SELECT))
        with pytest.raises(NotKept) as unkept:
            await database.run(lambda sql: sql.scalar(SELECT))
    assert silent.value.reason is unkept.value.reason is Reason.STORAGE_SILENT
    reads = (database.read(lambda sql: sql.scalar(SELECT)) for _ in range(room))
    assert await asyncio.gather(*reads) == [1] * room
    await database.close()
