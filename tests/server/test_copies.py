"""A house follows other processes by copies of their moves, and by the journal wherever these do not do."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from royalcrypt.server.desks import MOST_AHEAD, Copy
from royalcrypt.server.house import House
from royalcrypt.storage import SqlJournal
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table
from tests.server.harness import run
from tests.server.houses import Ears, a_house, begun, heard, journal_in, move_on
from tests.tables.leading import ADA, BO, facts

WORDS = {0: b"for Ada", None: b"for everybody"}


class Counting(SqlJournal):
    """A journal that knows how often it was read."""

    reads = 0

    async def entries(self, table: str, *, since: int = 0) -> list[bytes]:
        self.reads += 1
        return await super().entries(table, since=since)


Test = Callable[[Counting, House, House, str], Awaitable[None]]


def with_two_houses(tmp_path: Path, test: Test) -> None:
    """Moves are made in the first, while the second follows; both know the table."""

    async def start() -> None:
        async with journal_in(tmp_path) as found:
            journal = Counting(found._database)
            one, other = a_house(journal), a_house(journal)
            table = await begun(one, ADA, BO)
            await other.table(table)
            journal.reads = 0
            await test(journal, one, other, table)

    run(start())


async def copy_of(journal: SqlJournal, after: Table) -> Copy:
    return Copy(after.ply, (await SqlJournal.entries(journal, after.id))[after.ply - 1], WORDS)


def ears_of(house: House) -> Ears:
    assert isinstance(house.audience, Ears)
    return house.audience


def test_a_whole_game_is_followed_without_reading(tmp_path: Path) -> None:
    async def test(journal: Counting, one: House, other: House, table: str) -> None:
        made = 0
        while (found := one.desks[table].table).status is Status.RUNNING:
            made += 1
            after = await move_on(one, table, made % 5)
            assert other.follow(table, await copy_of(journal, after))
            assert other.desks[table].ply == found.ply + 1
            if made % 3 == 0:
                assert facts(other.desks[table].table) == facts(after)
        assert facts(other.desks[table].table) == facts(found)
        assert (journal.reads, heard(other)) == (0, []), "all was told in the words of others"
        assert ears_of(other).passed_on == [WORDS] * made
        assert made > MOST_AHEAD

    with_two_houses(tmp_path, test)


def test_what_is_known_already_is_not_told_again(tmp_path: Path) -> None:
    async def test(journal: Counting, one: House, other: House, table: str) -> None:
        copy = await copy_of(journal, await move_on(one, table))
        for _ in range(3):
            assert other.follow(table, copy)
        assert ears_of(other).passed_on == [WORDS]
        assert other.follow("a table nobody looks at", copy)

    with_two_houses(tmp_path, test)


@pytest.mark.parametrize("why", ["behind", "busy", "unsure", "lacks words"])
def test_it_is_read_where_it_is_kept_if_a_copy_does_not_do(tmp_path: Path, why: str) -> None:
    async def test(journal: Counting, one: House, other: House, table: str) -> None:
        desk = other.desks[table]
        if why == "behind":
            await move_on(one, table)
        copy = await copy_of(journal, await move_on(one, table))
        desk.is_unsure = why == "unsure"
        ears_of(other).lacks_words = why == "lacks words"
        if why == "busy":
            await desk.lock.acquire()
        assert not other.follow(table, copy)
        if why == "busy":
            desk.lock.release()
        assert ears_of(other).passed_on == []
        other.desks[table].is_unsure = True
        assert facts(await other.table(table)) == facts(one.desks[table].table)
        assert [ply for _, ply, _ in heard(other)][-1] == copy.ply

    with_two_houses(tmp_path, test)


def test_a_copy_that_does_not_fit_is_forgotten_and_the_truth_read(tmp_path: Path) -> None:
    async def test(journal: Counting, one: House, other: House, table: str) -> None:
        after = await move_on(one, table)
        wrong = Copy(after.ply, b'{"type":"moved","at":1,"seat":0,"move":"1:9x9"}', WORDS)
        assert other.follow(table, wrong)
        assert other.desks[table].table.ply == after.ply - 1
        assert facts(await other.table(table)) == facts(after)
        assert (await move_on(other, table)).ply == after.ply + 1

    with_two_houses(tmp_path, test)


def test_what_is_found_while_a_table_is_read_anew_is_told(tmp_path: Path) -> None:
    async def test(journal: Counting, one: House, other: House, table: str) -> None:
        async def work() -> None:
            await move_on(one, table)

        [(before, after)] = await other.rewrite(lambda found: found.id == table, work)
        assert after.ply == before.ply + 1
        assert [ply for _, ply, _ in heard(other)][-1] == after.ply

    with_two_houses(tmp_path, test)
