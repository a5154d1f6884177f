"""Two servers are asked at the same moment: one command is carried out, whichever server it came to."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.kept import kept_at
from tests.server.harness import Json, Person, any_action, catch_up, person

AT_ONCE = 16
"""Tables."""
FEW, MANY = 300, 10_000
LATE = {"already_done", "stale", "game_over"}


class Races:
    def __init__(self, cluster: Cluster, wanted: int, seed: int) -> None:
        self.cluster = cluster
        self.chance = random.Random(seed)
        self.left = wanted
        self.moves: Counter[str] = Counter()
        """By table, how many there must be."""
        self.counts: Counter[str] = Counter()

    async def run(self) -> None:
        await asyncio.gather(*(self._play_on(f"Player-{number}") for number in range(AT_ONCE)))

    async def _play_on(self, name: str) -> None:
        """Alone at one table after the other, with a socket to each server."""
        async with person(self.cluster.members[0].host, name) as here, self._again(here) as there:
            while self.left > 0:
                table = (await here.open_table(start=True, players=1, collectors="??????"))["info"]["table"]
                for each in (here, there):
                    await each.watch(table)
                while self.left > 0 and here.view["phase"] != "over":
                    self.left -= 1
                    await self._race(here, there, table)
                for each in (here, there):
                    await each.tell(type="unwatch", table=table)

    @asynccontextmanager
    async def _again(self, someone: Person) -> AsyncGenerator[Person]:
        """The same person at the other server."""
        twin = Person(self.cluster.members[1].host, someone.http, someone.name)
        await twin.connect()
        try:
            yield twin
        finally:
            await twin.disconnect()

    async def _race(self, here: Person, there: Person, table: str) -> None:
        assert (here.ply, here.view) == (there.ply, there.view)
        ply, chosen = here.ply, any_action(here.view, self.chance)
        other = chosen if self.chance.random() < 0.5 else self._contradiction(here.view, chosen)
        told = [(here, chosen), (there, other)]
        self.chance.shuffle(told)  # the first of them is a moment earlier
        answers = await asyncio.gather(*(each.act(table, action) for each, action in told))
        self._judge(ply, answers, is_same=chosen == other)
        assert here.view == there.view, "one has what the refusal showed, the other what the update led to"
        self.moves[table] += 1
        for each in (here, there):
            await catch_up(each, ply + 1)

    def _contradiction(self, view: Json, chosen: Json) -> Json:
        """Another move, unless there is none."""
        found = (any_action(view, self.chance) for _ in range(20))
        return next((other for other in found if other != chosen), chosen)

    def _judge(self, ply: int, answers: list[Json], *, is_same: bool) -> None:
        assert sorted(answer["type"] for answer in answers) == ["refused", "update"], answers
        refused, update = sorted(answers, key=lambda answer: answer["type"])
        assert refused["reason"]["code"] in LATE, refused["reason"]
        assert refused["ply"] == update["ply"] == ply + 1
        assert refused["view"] is not None
        self.counts["the same" if is_same else "contradicting"] += 1
        self.counts["won by the first" if answers[0] is update else "won by the second"] += 1


def run_races(cluster: Cluster, wanted: int) -> None:
    races = Races(cluster, wanted, seed=wanted)
    asyncio.run(races.run())
    for name, count in races.counts.items():
        print(f"{name:>24} {count}")  # noqa: T201 (shown by pytest -s)
    kept = kept_at(cluster.database, races.moves)
    assert sum(races.moves.values()) == wanted
    for table, moves in races.moves.items():
        assert sum(entry["type"] == "moved" for entry in kept.entries[table]) == moves


def test_of_two_commands_at_once_one_wins_and_the_other_is_refused_with_a_fresh_view(pair: Cluster) -> None:
    run_races(pair, FEW)


@pytest.mark.faults
def test_of_two_commands_at_once_one_wins_ten_thousand_times(pair: Cluster) -> None:
    run_races(pair, MANY)
