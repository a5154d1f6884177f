"""Journals: what was appended is what is read, and only once."""

import asyncio
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from royalcrypt.live.stores import LobbyKey, StoredRecord
from royalcrypt.storage.database import Database
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.postgres.database import LEASE, PostgresDatabase
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.tables.journal import Journal, Line, PlyTaken, Status
from tests.storage.kinds import ON_POSTGRES
from tests.storage.lines import entry_at, line

pytestmark = pytest.mark.anyio


async def test_entries_come_back_in_order_and_from_a_ply_on(journal: SqlJournal) -> None:
    for ply in range(5):
        await journal.append(line(ply=ply))
    assert await journal.entries("crypt") == [entry_at("crypt", ply) for ply in range(5)]
    assert await journal.entries("crypt", since=3) == [entry_at("crypt", 3), entry_at("crypt", 4)]
    assert await journal.entries("crypt", since=5) == []


async def test_an_unknown_table_has_no_entries_no_listing_and_no_record(journal: SqlJournal) -> None:
    assert await journal.entries("nowhere") == []
    assert await journal.listing("nowhere") is None
    assert await journal.record("nowhere") is None


async def test_it_is_a_journal_as_live_tables_ask_for_one(journal: SqlJournal) -> None:
    asked: Journal = journal
    await asked.append(line())
    assert await asked.entries("crypt")


async def test_a_ply_is_kept_once_and_the_loser_changes_nothing(journal: SqlJournal) -> None:
    await journal.append(line(people=("anna",), info=b"first"))
    with pytest.raises(PlyTaken):
        await journal.append(line(people=("ben",), info=b"second", record=b"record"))
    kept = await journal.listing("crypt")
    assert kept == line(people=("anna",), info=b"first").listing
    assert await journal.record("crypt") is None


async def test_of_many_who_append_at_once_one_a_ply_wins(journal: SqlJournal) -> None:
    async def appended(table: str, ply: int, rival: int) -> int | None:
        try:
            await journal.append(line(table, ply, info=str(rival).encode()))
        except PlyTaken:
            return None
        return rival

    for ply in range(3):
        for table in ("one", "two"):
            won = await asyncio.gather(*(appended(table, ply, rival) for rival in range(150)))
            (winner,) = (rival for rival in won if rival is not None)
            listing = await journal.listing(table)
            assert listing is not None
            assert listing.info == str(winner).encode()
    assert len(await journal.entries("one")) == len(await journal.entries("two")) == 3


async def test_hundreds_of_tables_move_at_once_and_all_is_kept(journal: SqlJournal) -> None:
    names = [f"table-{number}" for number in range(300)]

    async def play(table: str) -> None:
        for ply in range(4):
            await journal.append(line(table, ply))

    await asyncio.gather(*(play(name) for name in names))
    for name in names:
        assert await journal.entries(name) == [entry_at(name, ply) for ply in range(4)]


async def test_a_read_sees_what_was_acknowledged_before(journal: SqlJournal) -> None:
    async def append_and_look(table: str) -> None:
        for ply in range(20):
            await journal.append(line(table, ply))
            assert len(await journal.entries(table)) == ply + 1

    await asyncio.gather(*(append_and_look(f"table-{number}") for number in range(10)))


@pytest.mark.parametrize("broken", ["entry", "told"])
async def test_a_line_that_cannot_be_kept_costs_the_others_nothing(journal: SqlJournal, broken: str) -> None:
    lines = [line(f"table-{number}") for number in range(20)]
    nothing: Any = None
    if broken == "told":
        lines[7] = line("table-7", info=nothing)
    else:
        lines[7] = msgspec.structs.replace(lines[7], entry=nothing)
    done = await asyncio.gather(*(journal.append(each) for each in lines), return_exceptions=True)
    assert [number for number, failed in enumerate(done) if failed] == [7]
    assert await journal.entries("table-7") == []
    assert await journal.entries("table-8") == [entry_at("table-8", 0)]
    await journal.append(line("table-7"))
    assert await journal.entries("table-7") == [entry_at("table-7", 0)]


async def test_a_listing_is_the_last_lines(journal: SqlJournal) -> None:
    await journal.append(line(ply=0, people=("anna", None, None), status=Status.OPEN, due=5, updated=1))
    last = line(ply=1, people=("anna", "ben"), is_listed=False, actor=None, due=None, updated=2, info=b"{}")
    await journal.append(last)
    assert await journal.listing("crypt") == last.listing


async def test_who_left_a_seat_is_no_longer_at_the_table(journal: SqlJournal) -> None:
    await journal.append(line(ply=0, people=("anna", "ben")))
    await journal.append(line(ply=1, people=("anna", None)))
    assert await journal.listings_of("ben") == []
    await journal.append(line(ply=2, people=("ben", None)))
    assert [found.table for found in await journal.listings_of("ben")] == ["crypt"]
    assert await journal.listings_of("anna") == []


async def test_a_move_leaves_everybody_in_their_seats(journal: SqlJournal) -> None:
    await journal.append(line("crypt", 0, people=("anna", "bert")))
    await journal.append(
        msgspec.structs.replace(line("crypt", 1, people=("cleo", None)), has_new_people=False)
    )
    assert [found.people for found in await journal.listings_of("anna")] == [("anna", "bert")]
    assert await journal.listings_of("cleo") == []


async def test_tables_that_are_due_come_the_longest_waiting_first(journal: SqlJournal) -> None:
    for table, due in (("late", 30), ("early", 10), ("never", None), ("middle", 20), ("future", 99)):
        await journal.append(line(table, due=due))
    assert await journal.due(50, most=1) == ["early"]
    await journal.append(line("early", 1, due=None))
    assert await journal.due(50, most=10) == ["middle", "late"]


@ON_POSTGRES
async def test_a_table_that_is_due_is_one_process_alone_for_a_while(
    url: str, database: Database, journal: SqlJournal
) -> None:
    for number in range(40):
        await journal.append(line(f"t{number}", due=number))
    other = await PostgresDatabase.open(url)
    try:
        found = await asyncio.gather(*(SqlJournal(one).due(100, most=9) for one in (database, other) * 4))
        taken = [table for tables in found for table in tables]
        assert sorted(taken) == sorted(set(taken)), "each by one only"
        rest = await journal.due(100, most=100)
        assert {*rest, *taken} == {f"t{number}" for number in range(40)}
        assert len(rest) + len(taken) == 40
        assert await journal.due(100 + LEASE, most=100), "what did not get done"
    finally:
        await other.close()


@ON_POSTGRES
async def test_what_any_process_adds_is_found_by_all_and_nothing_is_missed(
    url: str, database: Database, journal: SqlJournal
) -> None:
    mark = (await journal.changed(0)).mark
    other = await PostgresDatabase.open(url)
    found: dict[str, int] = {}

    async def write(into: Database, name: str) -> None:
        for number in range(50):
            await into.append(line(f"{name}{number % 5}", number // 5))

    async def look() -> None:
        nonlocal mark
        while len(found) < 10 or set(found.values()) != {10}:
            changed = await journal.changed(mark)
            mark = changed.mark
            found.update(changed.plies)

    try:
        await asyncio.gather(write(database, "a"), write(other, "b"), look())
        assert (await journal.changed(mark)).plies.keys() <= found.keys()
        since = dict.fromkeys(found, 8)
        assert [entry.ply for entry in await journal.entries_of(since)] == [8, 9] * 10
    finally:
        await other.close()


async def test_tables_are_listed_by_status_the_most_recent_first(journal: SqlJournal) -> None:
    await journal.append(line("old", status=Status.OPEN, updated=1))
    await journal.append(line("new", status=Status.RUNNING, updated=2))
    await journal.append(line("secret", status=Status.OPEN, updated=3, is_listed=False))
    await journal.append(line("over", status=Status.OVER, updated=4))

    async def listed(*statuses: Status, is_listed: bool = True, limit: int = 10) -> list[str]:
        found = await journal.listings(statuses, is_listed=is_listed, limit=limit)
        return [listing.table for listing in found]

    assert await listed(Status.OPEN, Status.RUNNING) == ["new", "old"]
    assert await listed(Status.OPEN, Status.RUNNING, limit=1) == ["new"]
    assert await listed(Status.OPEN, is_listed=False) == ["secret"]
    assert await listed() == []
    assert await journal.counts() == {Status.OPEN: 2, Status.RUNNING: 1, Status.OVER: 1, Status.CLOSED: 0}
    assert await journal.count_in_progress() == 3


async def test_the_lobby_has_pages_and_its_order_is_that_of_their_keys(journal: SqlJournal) -> None:
    places = [
        (lobby, opened, f"{lobby}{opened}{end}") for lobby in (0, 1, 2) for opened in (5, 7) for end in "-_aZ"
    ]
    for lobby, opened, table in places:
        await journal.append(line(table, lobby=lobby, opened=opened))
    await journal.append(line("private", lobby=None, is_listed=False))
    found = await journal.lobby(limit=100)
    keys = [LobbyKey.of(listing) for listing in found]
    assert sorted(keys, key=lambda key: key[:2], reverse=True) == keys
    assert {key.table for key in keys} == {table for *_, table in places}
    for size in (1, 3, 5):
        shown: list[LobbyKey] = []
        while page := await journal.lobby(after=shown[-1] if shown else None, limit=size):
            shown += [LobbyKey.parse(str(LobbyKey.of(listing))) for listing in page]
        assert shown == keys
    await journal.append(line(keys[-1].table, 1, lobby=None))
    assert [LobbyKey.of(listing) for listing in await journal.lobby(limit=100)] == keys[:-1]


async def test_ones_own_tables_in_progress_are_counted_each_once(journal: SqlJournal) -> None:
    await journal.append(line("open", status=Status.OPEN, people=("anna", "anna")))
    await journal.append(line("running", status=Status.RUNNING, people=("ben", "anna"), is_listed=False))
    await journal.append(line("over", status=Status.OVER, people=("anna", "ben")))
    assert [await journal.count_of(person) for person in ("anna", "ben", "cleo")] == [2, 1, 0]
    assert [await journal.count_listed_of(person) for person in ("anna", "ben", "cleo")] == [1, 0, 0]


async def test_ones_own_tables_are_found_listed_or_not(journal: SqlJournal) -> None:
    await journal.append(line("listed", updated=1))
    await journal.append(line("unlisted", updated=2, is_listed=False))
    await journal.append(line("over", updated=3, status=Status.OVER))
    await journal.append(line("others", updated=4, people=("cleo",)))
    assert [found.table for found in await journal.listings_of("ben")] == ["unlisted", "listed"]
    assert [found.table for found in await journal.listings_of("ben", [Status.OVER])] == ["over"]


async def test_records_are_found_by_person_page_by_page(journal: SqlJournal) -> None:
    ended = {"a": 5, "b": 7, "c": 7, "d": 7, "e": 9}
    for table, when in ended.items():
        await journal.append(line(table, status=Status.OVER, updated=when, record=table.encode()))
    await journal.append(line("others", status=Status.OVER, people=("cleo",), record=b"others"))
    assert await journal.record("c") == b"c"
    first = await journal.records_of("ben", limit=2)
    assert first == [StoredRecord("e", 9, b"e"), StoredRecord("d", 7, b"d")]
    rest = await journal.records_of("ben", before=(first[-1].ended, first[-1].table))
    assert [record.table for record in rest] == ["c", "b", "a"]
    assert await journal.records_of("nobody") == []


async def test_all_records_come_the_oldest_first_whatever_the_page(journal: SqlJournal) -> None:
    for number in range(7):
        await journal.append(line(f"t{number}", status=Status.OVER, updated=number // 3, record=b"r"))
    for page in (1, 2, 3, 7, 100):
        found = [record.table async for record in journal.all_records(page=page)]
        assert found == [f"t{number}" for number in range(7)]


# Each example begins with an empty journal by its own doing.
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(some.lists(some.tuples(some.sampled_from("abc"), some.integers(0, 3)), max_size=30))
async def test_of_any_appends_the_first_at_each_ply_is_kept(
    database: SqliteDatabase, appends: list[tuple[str, int]]
) -> None:
    """Each comes at the next ply, or so many too late."""
    journal = SqlJournal(database)
    for name in ("journal", "tables"):
        await database.run(lambda sql, name=name: sql.exec_driver_sql(f"DELETE FROM {name}").close())
    plies, lines, are_late = dict.fromkeys("abc", 0), list[Line](), list[bool]()
    for table, late in appends:
        lines.append(line(table, max(0, plies[table] - late)))
        are_late.append(lines[-1].ply < plies[table])
        plies[table] += not are_late[-1]
    done = await asyncio.gather(*map(journal.append, lines), return_exceptions=True)
    assert [isinstance(failed, PlyTaken) for failed in done] == are_late
    for table, count in plies.items():
        assert await journal.entries(table) == [entry_at(table, ply) for ply in range(count)]
