"""What only a database on another machine can do: go away, come back, and leave one in doubt."""

import asyncio
from collections.abc import Iterator
from typing import Any

import asyncpg
import msgspec
import pytest
from sqlalchemy import Connection, text

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.postgres import connection, database, journal_writer
from royalcrypt.storage.postgres.database import PostgresDatabase
from royalcrypt.storage.server_state import ServerState, put_setting, setting
from royalcrypt.tables.journal import Line, NotKept, PlyTaken
from tests.services.postgres import Postgres
from tests.storage.lines import entry_at, line

pytestmark = pytest.mark.anyio


@pytest.fixture
def frail() -> Iterator[Postgres]:
    """One to which bad things are done."""
    with Postgres(is_durable=False) as running:
        yield running


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (connection, database):
        monkeypatch.setattr(module, "RETRY_SECONDS", 0.3)


async def kept_at_last(opened: PostgresDatabase, wanted: Line) -> None:
    """Once the database is known to answer again."""
    async with asyncio.timeout(5):
        while True:
            try:
                return await opened.append(wanted)
            except NotKept:
                await asyncio.sleep(0.05)


async def written(opened: PostgresDatabase, table: str) -> list[bytes]:
    return await SqlJournal(opened).entries(table)


async def test_a_restart_costs_no_line_and_none_is_there_twice(frail: Postgres) -> None:
    opened = await PostgresDatabase.open(frail.new_database())
    is_under_way = asyncio.Event()

    async def append() -> None:
        for ply in range(400):
            await opened.append(line(ply=ply))
            if ply == 100:
                is_under_way.set()

    async def restart() -> None:
        await is_under_way.wait()
        await asyncio.to_thread(frail.stop)
        await asyncio.to_thread(frail.start)

    await asyncio.gather(append(), restart())
    assert await written(opened, "crypt") == [entry_at("crypt", ply) for ply in range(400)]
    await opened.close()


async def test_connections_that_are_cut_again_and_again_cost_nothing(url: str) -> None:
    opened = await PostgresDatabase.open(url)
    other: Any = await connection.connect(url)
    is_done = asyncio.Event()

    async def cut() -> None:
        while not is_done.is_set():
            await other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            await asyncio.sleep(0.05)

    async def append(table: str) -> None:
        for ply in range(60):
            await opened.append(line(table, ply))

    cutting = asyncio.create_task(cut())
    await asyncio.gather(*(append(f"t{number}") for number in range(5)))
    is_done.set()
    await cutting
    for number in range(5):
        table = f"t{number}"
        assert await written(opened, table) == [entry_at(table, ply) for ply in range(60)]
    await other.close()
    await opened.close()


async def test_a_line_whose_fate_was_unknown_is_found_and_not_written_twice(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await PostgresDatabase.open(url)
    append = journal_writer._append
    doubts = 0

    async def append_unheard(raw: Any, lines: Any) -> Any:
        nonlocal doubts
        kept = await append(raw, lines)
        if not doubts:
            doubts += 1
            raise asyncpg.ConnectionDoesNotExistError
        return kept

    monkeypatch.setattr(journal_writer, "_append", append_unheard)
    moved = line(ply=1)
    await opened.append(line())
    doubts = 0
    await opened.append(msgspec.structs.replace(moved, has_new_people=False))
    assert await written(opened, "crypt") == [entry_at("crypt", 0), entry_at("crypt", 1)]
    await opened.close()


async def test_after_a_doubt_somebody_elses_line_is_not_taken_for_ones_own(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, other = await PostgresDatabase.open(url), await PostgresDatabase.open(url)
    append = journal_writer._append
    doubts = 0

    async def come_too_late(raw: Any, lines: Any) -> Any:
        nonlocal doubts
        if not doubts:
            doubts += 1
            await other.append(msgspec.structs.replace(line(), entry=b"another"))
            raise asyncpg.ConnectionDoesNotExistError
        return await append(raw, lines)

    monkeypatch.setattr(journal_writer, "_append", come_too_late)
    with pytest.raises(PlyTaken):
        await opened.append(line())
    assert await written(opened, "crypt") == [b"another"]
    await opened.close()
    await other.close()


async def test_no_ply_is_left_out_where_a_standby_lacks_what_was_kept_last(url: str) -> None:
    opened = await PostgresDatabase.open(url)
    await opened.append(line())
    for ply in (2, 3):
        with pytest.raises(PlyTaken):
            await opened.append(line(ply=ply))
    await opened.append(line(ply=1))
    assert await written(opened, "crypt") == [entry_at("crypt", 0), entry_at("crypt", 1)]
    await opened.close()


@pytest.mark.usefixtures("impatient")
async def test_while_it_is_gone_everything_is_refused_and_afterwards_goes_on(frail: Postgres) -> None:
    opened = await PostgresDatabase.open(frail.new_database())
    await opened.append(line())
    await asyncio.to_thread(frail.stop)
    for refused in (
        opened.append(line(ply=1)),
        opened.run(lambda sql: put_setting(sql, "a", 1)),
    ):
        with pytest.raises(NotKept) as found:
            await refused
        assert found.value.reason is Reason.STORAGE_SILENT
    for refused in (opened.entries({"crypt": 0}), opened.read(lambda sql: setting(sql, "a", None))):
        with pytest.raises(Refusal) as said:
            await refused
        assert said.value.reason is Reason.STORAGE_SILENT
    await asyncio.to_thread(frail.start)
    await kept_at_last(opened, line(ply=1))
    assert len(await written(opened, "crypt")) == 2
    assert await ServerState(opened).get("a") is None
    await opened.close()


async def test_what_two_processes_do_at_once_comes_out_as_if_one_came_after_the_other(url: str) -> None:
    opened = [await PostgresDatabase.open(url) for _ in range(3)]

    def count(sql: Connection) -> None:
        put_setting(sql, "count", setting(sql, "count", 0) + 1)

    await asyncio.gather(*(one.run(count) for one in opened for _ in range(8)))
    assert await ServerState(opened[0]).get("count") == 24
    firsts = await asyncio.gather(*(ServerState(one).first("key", n) for n, one in enumerate(opened)))
    assert len(set(firsts)) == 1
    for one in opened:
        await one.close()


async def test_one_at_a_time_does_what_takes_several_steps(url: str) -> None:
    opened = [await PostgresDatabase.open(url) for _ in range(2)]
    inside, most = 0, 0

    async def enter(one: PostgresDatabase, name: str) -> None:
        nonlocal inside, most
        async with one.lock(name):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.01)
            inside -= 1

    await asyncio.gather(*(enter(one, "door") for one in opened * 4))
    assert most == 1
    await asyncio.gather(enter(opened[0], "door"), enter(opened[1], "window"))
    for one in opened:
        await one.close()


async def test_of_several_that_start_on_an_empty_database_one_makes_it(postgres: Postgres) -> None:
    url = postgres.new_database()
    opened = await asyncio.gather(*(PostgresDatabase.open(url) for _ in range(4)))
    for number, one in enumerate(opened):
        await one.append(line(f"t{number}"))
    assert len((await opened[0].changed(0)).plies) == 4
    for one in opened:
        await one.close()
    postgres.drop(url)


async def test_numbers_of_transactions_from_elsewhere_are_no_news(url: str) -> None:
    opened = await PostgresDatabase.open(url)
    await opened.append(line())
    await opened.run(lambda sql: sql.execute(text("UPDATE tables SET changed = 1152921504606846976")).close())
    await opened.close()
    opened = await PostgresDatabase.open(url)
    mark = (await opened.changed((1 << 62) - 1)).mark
    assert (await opened.changed(mark)).plies == {}
    await opened.close()


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        ("CREATE TABLE recipes (id int)", Reason.NOT_A_DATABASE),
        ("UPDATE alembic_version SET version_num = '9999'", Reason.DATABASE_NEWER),
    ],
)
async def test_what_is_not_ours_or_newer_is_refused(
    postgres: Postgres, url: str, spoil: str, reason: Reason
) -> None:
    if reason is Reason.NOT_A_DATABASE:
        url = postgres.new_database()
    postgres.execute(spoil, url.rpartition("/")[2])
    with pytest.raises(Refusal) as refused:
        await PostgresDatabase.open(url)
    assert refused.value.reason is reason


@pytest.mark.parametrize(
    "address",
    ["postgresql://crypt:sesame@127.0.0.1:1/crypt", "postgresql://crypt:sesame@127.0.0.1:{port}/nowhere"],
)
async def test_what_cannot_be_reached_is_said_without_the_password(postgres: Postgres, address: str) -> None:
    with pytest.raises(Refusal) as refused:
        await PostgresDatabase.open(address.format(port=postgres.port))
    assert refused.value.reason is Reason.DATABASE_UNREACHABLE
    assert "127.0.0.1" in str(refused.value)
    assert "sesame" not in str(refused.value)
