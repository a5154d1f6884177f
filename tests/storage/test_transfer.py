"""What was in a file is in PostgreSQL afterwards: all of it, once, and the same."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from asyncpg import Connection

from royalcrypt.live.stores import StoredChatLine
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage import transfer
from royalcrypt.storage.database import Database
from royalcrypt.storage.postgres.connection import connect
from royalcrypt.storage.postgres.database import TRANSFER_KEY, PostgresDatabase
from royalcrypt.storage.schema import metadata, people
from royalcrypt.storage.server_state import ServerState
from royalcrypt.storage.sqlite.connection import open_raw
from royalcrypt.storage.sqlite.migration import migrate
from royalcrypt.storage.table_data import ChatLines
from royalcrypt.storage.transfer import SOURCE_KEY, CopiedTable, Mark, Transfer, TransferTarget, opened
from royalcrypt.tables.texts import Audience
from tests.storage.everything import Rows, done, rows_in
from tests.tables.leading import NOON

KEY = {"server_key": "00ff"}


def ignore(_: int) -> None:
    pass


@contextmanager
def moving(path: Path, url: str, *, is_restart: bool = False) -> Generator[tuple[Transfer, Mark | None]]:
    with opened(path) as source, asyncio.Runner() as runner:
        target = runner.run(TransferTarget.opened(url, source.digest))
        try:
            yield Transfer(runner, source, target), runner.run(target.begin(is_restart=is_restart))
        finally:
            runner.run(target.close())


def carry(path: Path, url: str) -> list[CopiedTable]:
    with moving(path, url) as (move, mark):
        assert mark is not None
        carried = move.copy(mark, ignore)
        move.compare(ignore)
        move.finish(KEY)
    return carried


def what_was_moved(url: str) -> Rows:
    """Without what the move itself leaves."""
    found = rows_in(url)
    assert found["house"].pop((SOURCE_KEY,))
    assert found["house"].pop(("server_key",))["value"] == b'"00ff"'
    return found


def execute(url: str, statement: str) -> None:
    async def work() -> None:
        raw = await connect(url)
        await raw.execute(statement)
        await raw.close()

    asyncio.run(work())


def refusal(path: Path, url: str) -> Reason:
    with pytest.raises(Refusal) as refused, moving(path, url):
        pass
    assert "\n" not in str(refused.value)
    return refused.value.reason


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages."""
    monkeypatch.setattr(transfer, "ROWS_PER_TRANSACTION", 7)


def test_the_source_has_something_in_every_table(full: Path) -> None:
    assert [name for name, rows in rows_in(path=full).items() if not rows] == []


@pytest.mark.usefixtures("small")
def test_every_table_comes_over_equal_in_every_row(full: Path, url: str) -> None:
    before = rows_in(path=full)
    carried = carry(full, url)
    assert {one.table: one.rows for one in carried} == {name: len(rows) for name, rows in before.items()}
    assert what_was_moved(url) == before
    assert {row["changed"] for row in before["tables"].values()} == {0}


def test_the_file_stays_as_it_was(full: Path, url: str) -> None:
    before = full.read_bytes()
    carry(full, url)
    assert full.read_bytes() == before


def test_a_number_that_was_given_to_a_row_is_not_given_again(full: Path, url: str) -> None:
    carry(full, url)
    table = next(row["table_id"] for row in rows_in(path=full)["chat"].values())

    async def work(database: Database) -> int:
        line = StoredChatLine(table, Audience.TABLE, "zoe", "Ζωή", "…", NOON)
        return (await ChatLines(database).add(line)).id

    assert done(work, url) == 4


def test_nothing_much_is_moved_as_well(tmp_path: Path, url: str) -> None:
    migrate(tmp_path / "crypt.db")
    assert sum(one.rows for one in carry(tmp_path / "crypt.db", url)) == 0


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("written", [0, 5, 19])
def test_a_move_that_was_cut_short_is_gone_on_with(
    full: Path, url: str, written: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    write = TransferTarget.write

    async def some(self: TransferTarget, *arguments: object, **since: int) -> None:
        if len(calls) == written:
            raise KeyboardInterrupt
        calls.append(1)
        await write(self, *arguments, **since)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(TransferTarget, "write", some)
        with pytest.raises(KeyboardInterrupt):
            carry(full, url)
    with moving(full, url) as (_, mark):
        assert mark is not None
        assert bool(mark.rows) is bool(written)
    carry(full, url)
    assert what_was_moved(url) == rows_in(path=full)


def test_a_page_that_is_written_again_is_not_there_twice_and_none_is_left_out(full: Path, url: str) -> None:
    with moving(full, url) as (move, _), asyncio.Runner() as runner:
        rows = [("ada", "Ada", 1, 1, False, False), ("bo", "Bo", 1, 1, True, False)]
        target = TransferTarget(url, mark_of(url).source)
        for _ in range(2):
            runner.run(target.write(people, rows, since=0))
        assert runner.run(target.count(people)) == 2
        with pytest.raises(Refusal) as refused:
            runner.run(target.write(people, rows, since=1000))
        assert refused.value.reason is Reason.OTHER_MOVE
        runner.run(target.close())
        assert mark_of(url).rows == {"people": 2}
        assert move.target.place == target.place


@pytest.mark.usefixtures("small")
def test_a_connection_that_breaks_on_the_way_is_made_anew(
    full: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy: Any = vars(Connection)["copy_records_to_table"]
    broken = 0

    async def copy_and_break(raw: Connection, *arguments: Any, **named: Any) -> None:
        nonlocal broken
        await copy(raw, *arguments, **named)
        if broken < 3:
            broken += 1
            raw.terminate()

    monkeypatch.setattr(Connection, "copy_records_to_table", copy_and_break)
    carry(full, url)
    assert broken == 3
    assert what_was_moved(url) == rows_in(path=full)


def mark_of(url: str) -> Mark:
    async def work() -> Mark:
        database = await PostgresDatabase.open(url, for_transfer=True)
        found = await ServerState(database).get(TRANSFER_KEY)
        await database.close()
        return Mark(**found)

    return asyncio.run(work())


def test_no_server_opens_a_database_with_an_unfinished_move(full: Path, url: str) -> None:
    with moving(full, url):
        pass
    with pytest.raises(Refusal) as refused:
        rows_in(url)
    assert refused.value.reason is Reason.UNFINISHED_MOVE
    carry(full, url)
    assert rows_in(url)["people"]


def test_what_was_moved_is_not_moved_again(full: Path, url: str) -> None:
    carry(full, url)
    with moving(full, url) as (_, mark):
        assert mark is None
    with moving(full, url, is_restart=True) as (_, mark):
        assert mark is None
    assert what_was_moved(url) == rows_in(path=full)


def test_a_database_with_anything_in_it_is_left_alone(full: Path, url: str) -> None:
    execute(url, "INSERT INTO outages VALUES (1, 2)")
    assert refusal(full, url) is Reason.NOT_EMPTY
    assert {name for name, rows in rows_in(url).items() if rows} == {"outages"}


def test_a_file_that_has_changed_since_is_begun_anew(full: Path, url: str) -> None:
    with moving(full, url) as (move, mark):
        assert mark is not None
        move.copy(mark, ignore)
    raw = open_raw(full)
    raw.execute("UPDATE people SET name = 'Zoë' WHERE id = 'zoe'")
    raw.close()
    assert refusal(full, url) is Reason.OTHER_MOVE
    with moving(full, url, is_restart=True) as (_, mark):
        assert mark is not None
        assert not mark.rows
    carry(full, url)
    assert what_was_moved(url)["people"][("zoe",)]["name"] == "Zoë"


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE journal SET entry = entry || '\\x20' WHERE ply = 3",
        "UPDATE people SET is_muted = NOT is_muted WHERE id = 'zoe'",
        "DELETE FROM memos",
        "DELETE FROM house WHERE key = 'name'",
        "INSERT INTO house VALUES ('more', '')",
    ],
)
def test_what_does_not_arrive_as_it_was_is_noticed(full: Path, url: str, harm: str) -> None:
    with moving(full, url) as (move, mark):
        assert mark is not None
        move.copy(mark, ignore)
        execute(url, harm)
        with pytest.raises(Refusal) as refused:
            move.compare(ignore)
        assert refused.value.reason is Reason.MOVED_WRONGLY
    with pytest.raises(Refusal):
        rows_in(url)


@pytest.mark.parametrize(
    "value", ["'late'", "9223372036854775807 + 1", "'a' || char(0)"], ids=["text", "too large", "NUL"]
)
def test_what_postgres_has_no_room_for_is_refused_in_one_sentence(full: Path, url: str, value: str) -> None:
    raw = open_raw(full)
    column = "name" if "char" in value else "seen"
    raw.execute(f"UPDATE people SET {column} = {value} WHERE id = 'zoe'")
    raw.close()
    with pytest.raises(Refusal) as refused:
        carry(full, url)
    assert refused.value.reason is Reason.NOT_TAKEN
    assert "(people)" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_all_tables_are_moved_after_those_they_refer_to() -> None:
    seen: set[str] = set()
    for table in transfer.TABLES:
        assert {key.column.table.name for key in table.foreign_keys} <= seen
        seen.add(table.name)
    assert seen == set(metadata.tables)
