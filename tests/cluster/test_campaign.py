"""Everything fails while many play: nothing acknowledged is lost or there twice, every game is finished."""

import asyncio
import os
import random
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.kept import kept_at
from tests.cluster.people import Guest, Pace, leaked
from tests.cluster.trouble import Menu, Trouble
from tests.server.faults.crowd import PLANS, crowd
from tests.server.faults.ledger import Kept, Ledger, lost, there_twice, unfinished, unsound
from tests.server.harness import Host

CAMPAIGN = float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1"))
LONG = Menu(
    kills=int(16 * CAMPAIGN), endings=2, server_pauses=4, redis_restarts=4, redis_pauses=2,
    postgres_restarts=1, postgres_kills=1, postgres_pauses=1, proxy_pauses=1, worker_kills=2,
)  # fmt: skip
SHORT = Menu(kills=2)
THINKING = 7.0
"""Seconds for a move, so that games last as long as the campaign."""
AFTERWARDS = 300.0
"""Seconds in which all games are finished once nothing fails any more, on a busy machine."""


LOCKOUT_SECONDS = 1008
"""The code with which a socket is closed if nobody wants to see them again."""


class Campaign:
    def __init__(self, cluster: Cluster, seed: int) -> None:
        self.cluster = cluster
        self.trouble = Trouble(cluster, seed)
        self.ledger = Ledger()
        self.guests: list[Guest] = []

    async def run(self, tables: int, menu: Menu, thinking: float) -> None:
        pace = Pace(thinking)
        arrive = partial(self._arrive, pace)
        async with crowd(self.cluster.host, self.ledger, tables, arrive=arrive) as self.guests:
            playing = [asyncio.create_task(guest.play()) for guest in self.guests]
            await self.trouble.make(menu)
            pace.hurry()
            _, stuck = await asyncio.wait(playing, timeout=AFTERWARDS)
            for task in stuck:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for task in set(playing) - stuck:
                task.result()

    def _arrive(self, pace: Pace, host: Host, http: httpx.AsyncClient, name: str, ledger: Ledger) -> Guest:
        """At every second table of a kind, whose number is in the name, people want to be near each other."""
        number = int(name.partition("-")[0])
        return Guest(host, http, name, ledger, pace, gathers=number // len(PLANS) % 2 == 0)

    @property
    def tables(self) -> list[str]:
        return sorted({guest.table for guest in self.guests})

    def counts(self, kept: Kept, folder: Path) -> dict[str, int]:
        """Those that must be 0 come last."""
        tables = self.tables
        return {
            "servers": len(self.cluster.members),
            "bot-workers": len(self.cluster.workers),
            "tables": len(tables),
            "people": len(self.guests),
            **dict(sorted(self.trouble.counts.items())),
            "starts that had to be tried again": sum(one.false_starts for one in self.cluster.members),
            "connections lost and made again": sum(guest.returns for guest in self.guests),
            "people brought near others": sum(guest.changes for guest in self.guests),
            "moves acknowledged": self.ledger.moves,
            "commands sent again": self.ledger.resent,
            **{f"refused: {reason}": count for reason, count in sorted(self.ledger.refusals.items())},
            "messages heard": sum(len(guest.heard) for guest in self.guests),
            "entries kept": sum(map(len, kept.entries.values())),
            "records kept": len(kept.records),
            "acknowledged moves lost": lost(self.ledger, kept),
            "moves applied twice": there_twice(self.ledger, kept),
            "tables stuck": unfinished(tables, kept),
            "records not sound": unsound(kept, folder),
            "leaks on the wire": len(leaked(self.guests, kept)),
            "updates out of order": self.ledger.gaps,
            "servers at a loss": self.ledger.refusals["server_failed"],
            "people shut out": sum(guest.codes.count(LOCKOUT_SECONDS) for guest in self.guests),
        }


def run_campaign(
    folder: Path, *, members: int, tables: int, menu: Menu, thinking: float, workers: int = 0
) -> None:
    seed = int(os.environ.get("ROYALCRYPT_SEED", random.randrange(10**6)))
    print(f"\nROYALCRYPT_SEED={seed}")  # noqa: T201 (shown by pytest -s, and if it fails)
    with Cluster(folder, members, workers=workers, is_durable=True, gathers=True) as cluster:
        campaign = Campaign(cluster, seed)
        asyncio.run(campaign.run(tables, menu, thinking))
        are_running = [member.is_running for member in cluster.members]
        exits = cluster.end()
        counts = campaign.counts(kept_at(cluster.database, campaign.tables), folder)
    for name, count in counts.items():
        print(f"{name:>36} {count}")  # noqa: T201
    assert list(counts.values())[-8:] == [0] * 8
    assert all(are_running)
    assert exits == [0] * (members + workers)
    assert counts["records kept"] == tables
    assert counts["people brought near others"] > 0


@pytest.mark.slow
def test_whatever_fails_nothing_is_lost_and_every_game_is_finished(tmp_path: Path) -> None:
    run_campaign(tmp_path, members=3, tables=24, menu=SHORT, thinking=1.5)


@pytest.mark.faults
def test_whatever_fails_again_and_again_nothing_is_lost_of_five_hundred_games(tmp_path: Path) -> None:
    run_campaign(tmp_path, members=4, workers=2, tables=int(500 * CAMPAIGN), menu=LONG, thinking=THINKING)
