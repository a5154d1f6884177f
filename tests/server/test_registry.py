"""The registry keeps before it tells, whatever others do at the same moment and whatever the disk does."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import apsw
import pytest

from royalcrypt import Record
from royalcrypt.live.changes import Change, TableCommand
from royalcrypt.live.registry import MAX_CONFLICTS, TableRegistry
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.fairness import Finding, verify
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Moved, Sat, decode_entry
from royalcrypt.tables.journal import Line, NotKept, PlyTaken, Status
from royalcrypt.tables.table import Table
from tests.server.harness import run
from tests.server.registries import a_registry, begun, journal_in, move_on, play_out, sit
from tests.storage.faulty import FaultyVfs
from tests.tables.leading import ADA, BO, CLEO, any_time_move, facts, game_of, opened, some_move


async def moves_kept(journal: SqlJournal, table: str) -> list[str]:
    entries = [decode_entry(line) for line in await journal.entries(table)]
    return [entry.move for entry in entries if isinstance(entry, Moved)]


def recover(person: str, seat: int, ply: int, move: str = "recover") -> TableCommand:
    return lambda table, now: commands.act(table, person, seat, ply, Move.parse(move), now=now)


async def outcome(changing: Any) -> Table | Reason:
    try:
        changed = await changing
    except Refusal as refusal:
        return refusal.reason
    return changed.after if isinstance(changed, Change) else changed


def test_of_two_processes_that_make_the_same_move_at_once_one_wins(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            one, other = a_registry(journal), a_registry(journal)
            table = await begun(one, ADA, BO)
            ply = (await other.table(table)).ply
            found = await asyncio.gather(
                outcome(one.change(table, recover("ada", 0, ply))),
                outcome(other.change(table, recover("ada", 0, ply))),
            )
            assert sum(isinstance(each, Table) for each in found) == 1
            assert Reason.ALREADY_DONE in found
            assert await moves_kept(journal, table) == ["recover"]
            assert facts(await one.table(table)) == facts(await other.table(table))

    run(test())


def test_of_two_different_moves_for_one_ply_the_later_is_stale(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            one, other = a_registry(journal), a_registry(journal)
            table = await begun(one, ADA, BO)
            ply = (await other.table(table)).ply
            await one.change(table, recover("ada", 0, ply))
            late = await outcome(other.change(table, recover("ada", 0, ply, "1:1x1")))
            assert late is Reason.STALE
            assert (await other.table(table)).actor == 1
            assert await moves_kept(journal, table) == ["recover"]

    run(test())


class SharedJournal(SqlJournal):
    """A journal to which other processes may append, too."""

    @property
    def is_shared(self) -> bool:
        return True


def test_a_move_against_the_rules_on_a_stale_table_is_refused_on_the_fresh_one(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as found:
            journal = SharedJournal(found.database)
            one, other = a_registry(journal), a_registry(journal)
            table = await begun(one, ADA, BO)
            ply = (await other.table(table)).ply
            after = (await one.change(table, recover("ada", 0, ply))).after
            assert await outcome(other.change(table, recover("ada", 0, ply, "1:3x1 2:3x1"))) is Reason.STALE
            assert facts(other.loaded[table].table) == facts(after)

    run(test())


def test_what_was_appended_before_a_table_is_reloaded_is_announced(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            one, other = a_registry(journal), a_registry(journal)
            table = await begun(one, ADA, BO)
            await other.table(table)

            async def work() -> None:
                await move_on(one, table)

            [(before, after)] = await other.rewrite(lambda found: found.id == table, work)
            assert after.ply == before.ply + 1
            assert other.ears.heard[-1].after.ply == after.ply

    run(test())


def test_whoever_was_slower_hears_what_the_faster_did_before_their_own(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            one, other = a_registry(journal), a_registry(journal)
            table = await begun(one, ADA, BO)
            await other.table(table)
            await move_on(one, table)
            before = (await one.table(table)).ply
            await sit_again(other, table)
            plies = [change.after.ply for change in other.ears.heard]
            assert plies == [before, before + 1]

    async def sit_again(registry: TableRegistry, table: str) -> None:
        await registry.change(table, lambda found, now: commands.leave(found, "ada", now=now))

    run(test())


def test_a_move_that_does_not_know_of_anothers_any_time_action_is_made_on_top_of_it(tmp_path: Path) -> None:
    """R9.1, across processes."""

    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            one, other = a_registry(journal), a_registry(journal)
            for number in range(20):
                table = await begun(one, ADA, BO, collectors="AABAAA")
                found = await until_both_can(one, table, number)
                if found is not None:
                    break
            else:
                raise AssertionError("it never came to that")
            aside = any_time_move(found, 1)
            own = some_move(found, 0)
            assert aside is not None
            assert own is not None
            await other.table(table)
            await other.change(table, recover("bo", 1, found.ply, str(aside)))
            made = (await one.change(table, recover("ada", 0, found.ply, str(own)))).after
            assert made.ply == found.ply + 2
            assert (await moves_kept(journal, table))[-2:] == [str(aside), str(own)]

    async def until_both_can(registry: TableRegistry, table: str, choice: int) -> Table | None:
        while (found := await registry.table(table)).status is Status.RUNNING:
            if found.actor == 0 and game_of(found).phase == "claim" and any_time_move(found, 1):
                return found
            await move_on(registry, table, choice % 7)
        return None

    run(test())


class Unlucky(SqlJournal):
    """A journal in which another process is always faster."""

    tries = 0

    async def append(self, line: Line) -> None:
        self.tries += 1
        raise PlyTaken(line.table, line.ply)


def test_who_loses_every_race_is_refused_in_the_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            table = await begun(a_registry(journal), ADA, BO)
            unlucky = Unlucky(journal.database)
            registry = a_registry(unlucky)
            ply = (await registry.table(table)).ply
            assert await outcome(registry.change(table, recover("ada", 0, ply))) is Reason.STALE
            assert unlucky.tries == MAX_CONFLICTS
            assert registry.ears.heard == []

    run(test())


def test_of_many_who_sit_down_at_once_each_seat_gets_one(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            houses = [a_registry(journal) for _ in range(3)]
            table = await houses[0].open(commands.open_table(opened().settings, "ada", now=0))
            sitters = [commands.Sitter(f"person-{number}", f"P{number}") for number in range(12)]
            found = await asyncio.gather(
                *(
                    outcome(sit(houses[number % 3], table.id, sitter, number % 2))
                    for number, sitter in enumerate(sitters)
                )
            )
            assert sum(isinstance(each, Table) for each in found) == 2
            assert found.count(Reason.SEAT_TAKEN) == 10
            kept = [decode_entry(line) for line in await journal.entries(table.id)]
            assert sorted(entry.seat for entry in kept if isinstance(entry, Sat)) == [0, 1]

    run(test())


def test_what_the_disk_does_not_keep_has_not_happened_and_is_told_to_nobody(tmp_path: Path) -> None:
    async def test() -> None:
        disk = FaultyVfs("full-at-a-table")
        async with journal_in(tmp_path, vfs=disk.name) as journal:
            registry = a_registry(journal)
            table = await begun(registry, ADA, BO)
            before = await registry.table(table)
            known, told = facts(before), len(registry.ears.heard)
            disk.writing = apsw.FullError
            for _ in range(3):
                with pytest.raises(NotKept) as refused:
                    await move_on(registry, table)
                assert refused.value.reason is Reason.DISK_FULL
            assert facts(await registry.table(table)) == known
            assert len(registry.ears.heard) == told
            disk.writing = None
            after = await move_on(registry, table)
            assert after.ply == before.ply + 1
            assert len(registry.ears.heard) == told + 1

    run(test())


def test_a_change_that_was_kept_is_told_also_when_whoever_made_it_is_gone(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            registry = a_registry(journal)
            table = await begun(registry, ADA, BO)
            ply = (await registry.table(table)).ply
            moving = asyncio.create_task(registry.change(table, recover("ada", 0, ply)))
            await asyncio.sleep(0)  # it has been handed in
            moving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await moving
            while len(await journal.entries(table)) == ply:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
            assert (await registry.table(table)).ply == ply + 1
            assert registry.ears.heard[-1].after.ply == ply + 1
            assert (await move_on(registry, table)).ply == ply + 2

    run(test())


def test_tables_that_nobody_looks_at_are_put_away_and_come_back_as_they_were(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            registry = a_registry(journal)
            idle, watched, fresh, busy = [
                await begun(registry, ADA, BO, clock={"kind": "live"}) for _ in range(4)
            ]
            for _ in range(5):
                await move_on(registry, idle)
            known = facts(await registry.table(idle))
            for table in (idle, watched, busy):
                registry.loaded[table].used -= 1_000_000
            async with registry.loaded[busy].lock:
                registry.forget_idle(lambda table: table == watched)
            assert set(registry.loaded) == {watched, fresh, busy}
            again = await asyncio.gather(*(registry.table(idle) for _ in range(10)))
            assert all(table is again[0] for table in again)
            assert facts(again[0]) == known
            assert (await move_on(registry, idle)).ply == again[0].ply + 1

    run(test())


def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            registry = a_registry(journal)
            found = await asyncio.gather(*(outcome(registry.table("nowhere")) for _ in range(3)))
            assert found == [Reason.NO_SUCH_TABLE] * 3
            assert await outcome(registry.change("nowhere", recover("ada", 0, 0))) is Reason.NO_SUCH_TABLE

    run(test())


def test_the_record_is_kept_with_the_last_move(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            registry = a_registry(journal)
            table = await begun(registry, ADA, BO, CLEO)
            over = await play_out(registry, table)
            record = await journal.record(table)
            assert record is not None
            assert record.decode() == game_of(over).record().to_json()
            assert verify(Record.parse(record.decode())).finding is Finding.FAIR
            assert [kept.record for kept in await journal.records_of("cleo")] == [record]

    run(test())
