"""PostgreSQL's primary dies and its standby takes over, while many play."""

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cluster.cluster import Member
from tests.cluster.kept import kept_at
from tests.server.faults.crowd import PLANS, Player, crowd
from tests.server.faults.ledger import Kept, Ledger, Sent, is_entry_of, lost, there_twice, unfinished, unsound
from tests.server.harness import Host, Json, until
from tests.services.postgres import USER, Postgres, Standby

Fail = Callable[[Postgres], object]
SILENT = "storage_silent"
BEFORE, TAIL = 40, 20
"""Moves acknowledged before the primary dies, and after the standby was cut off from it."""
AGAIN_WITHIN = 10.0
"""Seconds from the promotion until a move is acknowledged: on a machine that is busy with other tests."""
TABLES, MANY_TABLES = 8, 100


class Pair:
    """A primary and its standby, and a server that knows both."""

    def __init__(self, primary: Postgres, standby: Standby, folder: Path) -> None:
        self.primary = primary
        self.standby = standby
        name = primary.new_database().rpartition("/")[2]
        self.kept = standby.url(name)
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in (primary, standby))
        self.server = Member(folder, "--database", f"postgresql://{USER}@{hosts}/{name}")

    def replicate_synchronously(self) -> None:
        """A commit waits for the standby from now on."""
        self.primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.execute("SELECT pg_reload_conf()")
        wait_until(self.primary, "SELECT sync_state FROM pg_stat_replication", "sync")

    def cut_off(self) -> None:
        """The standby gets nothing more of what the primary keeps."""
        self.standby.execute("ALTER SYSTEM SET primary_conninfo = ''")
        self.standby.execute("SELECT pg_reload_conf()")
        wait_until(self.standby, "SELECT count(*) FROM pg_stat_wal_receiver", "0")


def wait_until(asked: Postgres, statement: str, answer: str) -> None:
    deadline = time.monotonic() + 30
    while asked.execute(statement) != answer:
        assert time.monotonic() < deadline, statement
        time.sleep(0.05)


@contextmanager
def replicated(folder: Path) -> Generator[Pair]:
    with Postgres() as primary, Standby(primary) as standby:
        pair = Pair(primary, standby, folder)
        wait_until(primary, "SELECT state FROM pg_stat_replication", "streaming")
        pair.server.start()
        try:
            yield pair
        finally:
            pair.server.close()


class Times(NamedTuple):
    """Of an acknowledged move."""

    sent: float
    acknowledged: float


class Patient(Player):
    """Sends a move again while the storage is silent, as docs/wire.md says."""

    made_before: list[tuple[str, Sent]]
    """Moves that were refused as already done, so that they count as acknowledged."""
    times: list[Times]

    async def command(self, command: Json) -> None:
        self.doubtful = command
        began = time.monotonic()
        sent = self.ledger.send(command)
        while (answer := await self.tell(**command)).get("reason", {}).get("code") == SILENT:
            self.ledger.refuse(answer)
            await asyncio.sleep(self.pause())
        self.doubtful = None
        if answer["type"] == "update":
            self.ledger.acknowledge(self.table, answer["ply"], sent)
            self.times.append(Times(began, time.monotonic()))
            return
        self.ledger.refuse(answer)
        if answer["reason"]["code"] == "already_done":
            self.made_before.append((self.table, sent))


class Campaign:
    """Games that go on to their end whatever becomes of the database."""

    def __init__(self, pair: Pair, folder: Path, tables: int) -> None:
        self.pair = pair
        self.folder = folder
        self.ledger = Ledger()
        self.names: list[str] = []
        self.made_before: list[tuple[str, Sent]] = []
        self.died = 0.0
        self._times: list[Times] = []
        self._count = tables

    async def run(self, fail: Fail, *, is_cut_off: bool) -> None:
        Patient.made_before, Patient.times = self.made_before, self._times
        host = Host(self.pair.server.url)
        async with crowd(host, self.ledger, self._count, PLANS, Patient) as players:
            self.names = sorted({player.table for player in players})
            playing = asyncio.gather(*(player.play() for player in players))
            await until(lambda: self.ledger.moves >= BEFORE)
            if is_cut_off:
                await asyncio.to_thread(self.pair.cut_off)
                tail = self.ledger.moves + TAIL
                await until(lambda: self.ledger.moves >= tail)
            await asyncio.to_thread(fail, self.pair.primary)
            self.died = time.monotonic()
            await asyncio.to_thread(self.pair.standby.promote)
            promoted = time.monotonic()
            await until(lambda: self._times[-1].sent > self.died)
            again = self._times[-1].acknowledged - promoted
            print(  # noqa: T201 (shown by pytest -s)
                f"promoted {promoted - self.died:.2f} s after the death; moves again {again:.2f} s later"
            )
            assert again < AGAIN_WITHIN
            await playing
            for player in players:  # A game that was over may go on.
                player.view = {}
            await asyncio.gather(*(player.play() for player in players))

    def kept(self) -> Kept:
        return kept_at(self.pair.kept, self.names)

    def check_games(self, kept: Kept) -> None:
        """All ended, each with a record, and no move is there twice; of many games the records are sound."""
        assert unfinished(self.names, kept) == 0
        assert there_twice(self.ledger, kept) == 0
        assert self._count < MANY_TABLES or unsound(kept, self.folder) == 0

    def lost(self, kept: Kept) -> int:
        """Of all acknowledged moves."""
        missing = sum(
            not any(is_entry_of(sent, entry) for entry in kept.entries[table][sent.ply :])
            for table, sent in self.made_before
        )
        return lost(self.ledger, kept) + missing

    def lost_afterwards(self, kept: Kept) -> int:
        """Of the moves sent since the primary died."""
        later, moves = Ledger(), zip(self.ledger.acknowledged, self._times, strict=True)
        later.acknowledged = [acknowledged for acknowledged, times in moves if times.sent > self.died]
        return lost(later, kept)


def run_synchronous(folder: Path, tables: int, fail: Fail = Postgres.kill) -> None:
    with replicated(folder / "server") as pair:
        pair.replicate_synchronously()
        campaign = Campaign(pair, folder, tables)
        asyncio.run(campaign.run(fail, is_cut_off=False))
        kept = campaign.kept()
        print(f"{campaign.ledger.moves} acknowledged, {campaign.lost(kept)} lost")  # noqa: T201
        assert campaign.lost(kept) == 0
        campaign.check_games(kept)


def run_asynchronous(folder: Path, tables: int) -> None:
    with replicated(folder / "server") as pair:
        campaign = Campaign(pair, folder, tables)
        asyncio.run(campaign.run(Postgres.kill, is_cut_off=True))
        kept = campaign.kept()
        print(f"{campaign.ledger.moves} acknowledged, {campaign.lost(kept)} lost")  # noqa: T201
        assert campaign.lost(kept) > 0, "the standby was not behind"
        assert campaign.lost_afterwards(kept) == 0
        campaign.check_games(kept)


def test_with_synchronous_replication_a_failover_loses_no_acknowledged_move(tmp_path: Path) -> None:
    run_synchronous(tmp_path, TABLES)


def test_with_asynchronous_replication_the_games_go_on_from_what_the_standby_has(tmp_path: Path) -> None:
    run_asynchronous(tmp_path, TABLES)


@pytest.mark.faults
@pytest.mark.parametrize("fail", [Postgres.kill, Postgres.pause], ids=["killed", "hung"])
def test_with_synchronous_replication_a_failover_loses_nothing_of_a_hundred_games(
    tmp_path: Path, fail: Fail
) -> None:
    run_synchronous(tmp_path, MANY_TABLES, fail)


@pytest.mark.faults
def test_with_asynchronous_replication_a_hundred_games_go_on_from_what_the_standby_has(
    tmp_path: Path,
) -> None:
    run_asynchronous(tmp_path, MANY_TABLES)
