"""Redis is gone: moves are told a little later, none is lost, and all is as before once it is back."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from statistics import median
from typing import NamedTuple

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.kept import kept_at
from tests.server.harness import Person, any_action, catch_up, person

TABLES = 8
BETWEEN = 0.4
"""Seconds from one move to the next at a table."""
BEFORE, SHORT, LONG, HEALING, AFTER = 2.0, 5.0, 60.0, 4.0, 2.0
LATEST, LATEST_WHEN_BUSY = 1.5, 4.0
"""Seconds until everybody has been told of a move; the second while other tests run, too."""
AS_BEFORE = 0.2
"""Seconds that half of the moves take at most; without hints it would be half a second."""


class Delays(NamedTuple):
    acknowledged: list[float]
    """After the command was sent."""
    told: list[float]
    """To the other player, at the other server, after it was acknowledged."""


class Duel:
    """Two people at one table, each at a server of their own."""

    def __init__(self, players: tuple[Person, Person], table: str) -> None:
        self.players = players
        self.table = table
        self.chance = random.Random(table)
        self.moves = 0

    async def play(self, seconds: float) -> Delays:
        delays = Delays([], [])
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.players[0].view["phase"] != "over":
            await asyncio.sleep(self.chance.uniform(0, 2 * BETWEEN))
            await self._move(delays)
        return delays

    async def _move(self, delays: Delays) -> None:
        actor: int = self.players[0].view["actor"]
        mover, other = self.players[actor], self.players[1 - actor]
        began = time.monotonic()
        hearing = asyncio.create_task(self._hear(other, mover.ply + 1))
        answer = await mover.act(self.table, any_action(mover.view, self.chance))
        acknowledged = time.monotonic()
        assert answer["type"] == "update", answer
        self.moves += 1
        delays.acknowledged.append(acknowledged - began)
        delays.told.append(await hearing - acknowledged)

    async def _hear(self, other: Person, ply: int) -> float:
        await catch_up(other, ply)
        return time.monotonic()


@asynccontextmanager
async def duels(cluster: Cluster, count: int) -> AsyncGenerator[list[Duel]]:
    async with AsyncExitStack() as stack:
        found: list[Duel] = []
        for number in range(count):
            ada, bo = [
                await stack.enter_async_context(person(member.host, f"Player-{number}"))
                for member in cluster.members[:2]
            ]
            opened = await ada.open_table(players=2, collectors="??????")
            table, invite = opened["info"]["table"], opened["you"]["invite"]
            await bo.post(f"/api/tables/{table}/seats/1", {}, headers={"X-Table-Invite": invite})
            await ada.post(f"/api/tables/{table}/start")
            for each in (ada, bo):
                await each.watch(table)
            found.append(Duel((ada, bo), table))
        yield found


async def play_all(found: list[Duel], seconds: float) -> Delays:
    parts = await asyncio.gather(*(duel.play(seconds) for duel in found))
    return Delays(
        [delay for part in parts for delay in part.acknowledged],
        [delay for part in parts for delay in part.told],
    )


def gone(cluster: Cluster) -> Callable[[], object]:
    """Nobody answers there; gives how it comes back."""
    cluster.redis.kill()
    return cluster.redis.start


def standing_still(cluster: Cluster) -> Callable[[], object]:
    """It takes everything and answers nothing."""
    cluster.redis.pause()
    return cluster.redis.resume


WAYS = pytest.mark.parametrize("fails", [gone, standing_still])


def run_outage(
    cluster: Cluster, fails: Callable[[Cluster], Callable[[], object]], seconds: float, latest: float
) -> None:
    moves: dict[str, int] = {}

    async def test() -> dict[str, Delays]:
        """New tables for each part, as games end."""
        phases: dict[str, Delays] = {}

        async def play(name: str, seconds: float) -> None:
            while seconds > 0:
                part = min(seconds, 10.0)
                async with duels(cluster, TABLES) as found:
                    heard = await play_all(found, part)
                moves.update({duel.table: duel.moves for duel in found})
                for kept, more in zip(phases.setdefault(name, Delays([], [])), heard, strict=True):
                    kept.extend(more)
                seconds -= part

        await play("before", BEFORE)
        come_back = fails(cluster)
        try:
            await play("without", seconds)
        finally:
            await asyncio.to_thread(come_back)
        await play("while it heals", HEALING)
        await play("after", AFTER)
        return phases

    phases = asyncio.run(test())
    for name, delays in phases.items():
        print(  # noqa: T201 (shown by pytest -s)
            f"{name:>16}: {len(delays.told)} moves; told after {median(delays.told):.3f} s, "
            f"at most {max(delays.told):.3f} s; acknowledged after at most {max(delays.acknowledged):.3f} s"
        )
    assert max(max(each.told + each.acknowledged) for each in phases.values()) <= latest
    assert median(phases["after"].told) < AS_BEFORE
    kept = kept_at(cluster.database, moves)
    for table, count in moves.items():
        assert sum(entry["type"] == "moved" for entry in kept.entries[table]) == count


@WAYS
def test_moves_are_told_soon_while_redis_fails_and_at_once_when_it_is_back(
    pair: Cluster, fails: Callable[[Cluster], Callable[[], object]]
) -> None:
    run_outage(pair, fails, SHORT, LATEST_WHEN_BUSY)


@pytest.mark.faults
@WAYS
def test_a_minute_without_redis_delays_no_move_by_more_than_a_second_and_a_half(
    pair: Cluster, fails: Callable[[Cluster], Callable[[], object]]
) -> None:
    run_outage(pair, fails, LONG, LATEST)
