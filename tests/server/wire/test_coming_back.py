"""Coming back: who was away for one event or a whole game ends with what those have who never left."""

import contextlib
import os
import random
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import replace
from itertools import product
from pathlib import Path

import msgspec
import pytest

from royalcrypt.server.sockets.endpoint import PROTOCOLS
from tests.faults.forgetting import FAULTS, FAULTS_OF_CHANGES
from tests.faults.planting import Plant
from tests.server.harness import Host, Person, people, play_on, run, seated, serving
from tests.server.wire.journeys import Journey
from tests.server.wire.performing import Company
from tests.server.wire.scenes import SCENES, TWO, Scene, any_scene
from tests.server.wire.scripts import script_of
from tests.server.wire.stage import Theatre

OFTEN = ("two", "memory", "bots", "hot seat")
"""Scenes that are played each time the tests run."""
CHUNKS = 4
MANY = int(15 * float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1")))


async def compare(theatre: Theatre, scene: Scene, protocol: int) -> Counter[str]:
    """The same game twice: once all stay, once they come and go and the server restarts and forgets."""
    script = script_of(replace(scene, rate_limits=False))
    async with theatre.world(script.true, protocol) as stage:
        stayed = await Journey(stage, script).stay_at_home()
        await stage.finish()
    async with theatre.world(script.true, protocol) as stage:
        journey = Journey(stage, script)
        assert await journey.travel(random.Random(scene.seed)) == stayed
        await stage.finish()
    return Counter(trips=journey.trips, restarts=journey.restarts, evictions=journey.evictions)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "name", [name if name in OFTEN else pytest.param(name, marks=pytest.mark.faults) for name in SCENES]
)
def test_who_comes_and_goes_ends_with_what_those_have_who_stayed(
    company: Company, name: str, protocol: int
) -> None:
    happened = company.run(lambda theatre: compare(theatre, SCENES[name], protocol))
    assert happened["trips"] > 10
    assert happened["restarts"] + happened["evictions"] > 0


@pytest.mark.faults
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_in_many_games_too(company: Company, chunk: int) -> None:
    happened = Counter[str]()
    for seed in range(chunk * MANY, (chunk + 1) * MANY):
        happened += company.run(
            lambda theatre, seed=seed: compare(theatre, any_scene(seed), PROTOCOLS[seed % 2])
        )
    assert min(happened["trips"], happened["restarts"], happened["evictions"]) >= MANY


@pytest.mark.faults
@pytest.mark.parametrize(
    ("plant", "protocol"), [*product(FAULTS, PROTOCOLS), *product(FAULTS_OF_CHANGES, PROTOCOLS[1:])]
)
def test_a_planted_fault_is_noticed(
    company: Company, plant: Plant, protocol: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        company.run(lambda theatre: compare(theatre, TWO, protocol))


@pytest.mark.parametrize("remembers", [True, False])
def test_who_missed_a_whole_game_has_what_those_have_who_saw_it(tmp_path: Path, remembers: bool) -> None:
    async def test() -> None:
        async with serving(tmp_path) as host, people(host, 4) as (*players, spectator):
            table = await seated(players, collectors="BBBBBB", is_listed=True, remembers=remembers)
            await spectator.watch(table)
            await play_on([*players, spectator], table, random.Random(7))
            for person in (*players, spectator):
                async with returned(host, person) as late:
                    again, anew = await person.watch(table), await late.watch(table)
                    assert (last_view(late), late.ply) == (last_view(person), person.ply)
                    assert again["events"] == anew["events"]
                    assert [event["n"] for event in anew["events"]] == list(range(len(anew["events"])))
                    assert anew["events"][-1]["type"] == "end"

    run(test())


def last_view(person: Person) -> bytes:
    """The bytes of it."""
    return msgspec.json.encode(person.view)


def test_a_server_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    """With real sockets: they are closed by one server, and opened again at the next."""

    async def test() -> None:
        async with serving(tmp_path) as host, people(host, 3) as before:
            table = await seated(before, collectors="BBBBBB")
            await play_on(before, table, random.Random(5), most=9)
        async with serving(tmp_path) as host, contextlib.AsyncExitStack() as stack:
            after = [await stack.enter_async_context(returned(host, person)) for person in before]
            for now, then in zip(after, before, strict=True):
                await now.watch(table, since=7)
                assert (last_view(now), now.ply) == (last_view(then), then.ply)
            await play_on(after, table, random.Random(6))
            assert after[0].view["phase"] == "over"

    run(test())


@contextlib.asynccontextmanager
async def returned(host: Host, person: Person) -> AsyncGenerator[Person]:
    """The same person, with the cookie the old server gave them."""
    async with host.client(cookies=person.http.cookies) as http:
        again = Person(host, http, person.name)
        again.id = (await again.ask("GET", "/api/me"))["person"]
        assert again.id == person.id
        await again.connect()
        yield again
        await again.disconnect()
