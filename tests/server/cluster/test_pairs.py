"""Two processes are one server to whoever plays there, with a channel between them or without."""

import asyncio
import contextlib
import json
import random
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert
from websockets.exceptions import ConnectionClosed

from royalcrypt.cli.serve import replace_link
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay
from royalcrypt.storage.schema import outages
from tests.server.cluster.pairs import Meet, Pair, Test, elsewhere, hear_until, hurry, run_pair
from tests.server.harness import Person, any_action, person, play_on, seated, until


@pytest.fixture(params=["Redis", "no channel"])
def meet(request: pytest.FixtureRequest, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> Meet:
    """Runs a test of two processes."""
    hurry(monkeypatch)
    redis = request.getfixturevalue("redis") if request.param == "Redis" else None

    def run(test: Test, **settings: Any) -> None:
        run_pair(test, tmp_path, url, redis, **settings)

    return run


def do_nothing(*_: object) -> None:
    """Another process will."""


async def sweep_nothing() -> int:
    """Another process will."""
    return 0


async def until_sent_away(someone: Person) -> None:
    with contextlib.suppress(ConnectionClosed):
        while True:
            await someone.hear_any()


async def two(hosts: Pair, stack: AsyncExitStack) -> list[Person]:
    """One at each process."""
    return [
        await stack.enter_async_context(person(host, name))
        for host, name in zip(hosts, ("Ada", "Bo"), strict=True)
    ]


def test_people_at_two_processes_play_a_game_to_its_end(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        async with AsyncExitStack() as stack:
            ada, bo = await two(hosts, stack)
            table = await seated([ada, bo])
            assert await play_on([ada, bo], table, random.Random(7)) > 10
            assert ada.view["phase"] == bo.view["phase"] == "over"
            records = [await each.ask("GET", f"/api/tables/{table}/record") for each in (ada, bo)]
            assert records[0] == records[1]
            replay(Record.parse(json.dumps(records[0])))

    meet(test)


def test_of_contradicting_commands_at_once_one_wins_and_the_other_is_refused_with_a_fresh_view(
    meet: Meet,
) -> None:
    async def test(hosts: Pair) -> None:
        chance = random.Random(3)
        async with person(hosts.first) as ada, elsewhere(ada, hosts.second) as twin:
            opened = await ada.open_table(players=1, start=True)
            table = opened["info"]["table"]
            for _ in range(12):
                for each in (ada, twin):
                    await each.watch(table)
                if ada.view["phase"] == "over":
                    break
                assert ada.ply == twin.ply
                before = ada.ply
                mine = any_action(ada.view, chance)
                other = mine if chance.random() < 0.5 else any_action(twin.view, chance)
                answers = await asyncio.gather(ada.act(table, mine), twin.act(table, other))
                assert sorted(answer["type"] for answer in answers) == ["refused", "update"], answers
                refused = next(answer for answer in answers if answer["type"] == "refused")
                assert refused["reason"]["code"] in ("stale", "already_done", "game_over")
                assert refused["ply"] > before, "as it stands after the winner's move"
                assert refused["view"] is not None

    meet(test)


def test_words_reactions_and_presence_cross_over(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        async with AsyncExitStack() as stack:
            ada, bo = await two(hosts, stack)
            table = await seated([ada, bo])
            await ada.tell(type="say", table=table, text="Good luck!")
            said = await bo.hear("said")
            assert said["line"]["text"] == "Good luck!"
            await bo.tell(type="say", table=table, text="You, too")
            assert (await ada.hear("said"))["line"]["text"] == "You, too"
            assert sum(b"You, too" in message for message in bo.received) == 1, "nobody is told twice"
            if hosts.first.service.settings.channel is None:
                return  # Reactions are not kept, and presence is what processes tell each other.
            await ada.tell(type="react", table=table, reaction="bravo")
            assert (await bo.hear("reacted"))["reaction"] == "bravo"
            await bo.disconnect()
            await hear_until(ada, lambda message: message.get("present") == [True, False])
            await bo.connect()
            assert (await bo.watch(table))["type"] == "shown"
            await hear_until(ada, lambda message: message.get("present") == [True, True])
            refused = await ada.http.post(f"/api/tables/{table}/seats/1/hand-over")
            assert refused.status_code == 409, "Bo is there, if not at this process"

    meet(test)


def test_the_lobby_and_ones_own_games_are_the_same_everywhere(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        async with AsyncExitStack() as stack:
            ada, bo = await two(hosts, stack)
            twin = await stack.enter_async_context(elsewhere(ada, hosts.second))
            await twin.tell(type="follow", lobby=True, games=True)
            if hosts.first.service.settings.channel is not None:
                await until(lambda: twin.id not in hosts.second.service.listing_updates._subscribing)
            opened = await ada.open_table(players=2, is_listed=True)
            table = opened["info"]["table"]
            lists: dict[str, Any] = {}
            while len(lists) < 2:
                message = await twin.hear("lobby", "games")
                told = message.get("tables") or [game["info"] for game in message.get("games", [])]
                if table in [info["table"] for info in told]:
                    lists[message["type"]] = message
            await ada.ask("POST", f"/api/tables/{table}/close")
            await hear_until(twin, lambda message: table in message.get("gone", []))
            assert bo.id

    meet(test)


def test_who_signs_out_is_renamed_or_sent_away_is_so_everywhere(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        first, second = hosts
        async with person(first, "Ada") as ada, elsewhere(ada, second) as twin:
            await ada.ask("PATCH", "/api/me", {"name": "Ada the Bold"})
            connections = second.service.hub.of_person[ada.id]
            await until(lambda: {one.name for one in connections} == {"Ada the Bold"})
            assert (await twin.ask("GET", "/api/me"))["name"] == "Ada the Bold"
            await ada.ask("DELETE", "/api/me/device")
            await until_sent_away(twin)
            assert (await twin.http.get("/api/me")).text == "null"
        async with person(first, "Bo") as bo, elsewhere(bo, second) as twin, first.client() as host:
            kicked = await host.put(
                f"/api/host/people/{bo.id}/kick", json={"on": True}, headers=first.host_headers()
            )
            assert kicked.status_code == 204
            await until_sent_away(twin)
            assert (await twin.http.get("/api/me")).status_code == 403

    meet(test)


def test_the_host_speaks_to_everybody_and_has_one_link(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        first, second = hosts
        assert first.host_headers() == second.host_headers()
        async with person(second) as ada, first.client() as host:
            told = {"text": "Closing at ten"}
            await host.put("/api/host/notice", json=told, headers=first.host_headers())
            assert (await ada.hear("notice"))["text"] == "Closing at ten"
            await host.put("/api/host/rules", json={"is_invite_only": True}, headers=first.host_headers())
            await until(lambda: second.service.host_rules.is_invite_only)

    meet(test)


def test_a_new_admin_link_counts_in_all_running_processes(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        old = hosts.first.host_headers()
        await asyncio.to_thread(replace_link, hosts.first.service.settings)
        await until(lambda: all(host.host_headers() != old for host in hosts))
        for host in hosts:
            async with host.client() as http:
                assert (await http.get("/api/host/", headers=old)).status_code == 401
                assert (await http.get("/api/host/", headers=host.host_headers())).status_code == 200
        assert hosts.first.host_headers() == hosts.second.host_headers()

    meet(test)


def test_a_renewed_invitation_ends_the_old_one_in_all_processes_at_once(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        first, second = hosts
        headers = first.host_headers()
        async with first.client(headers=headers) as host, second.client() as newcomer:
            await host.put("/api/host/rules", json={"is_invite_only": True})
            old = (await host.get("/api/host")).json()["invitation"]
            new = (await host.post("/api/host/invitation")).json()["invitation"]
            for invitation, status in ((old, 403), (new, 201)):
                answer = await newcomer.post("/api/me", json={"name": "Cy", "invitation": invitation})
                assert answer.status_code == status

    meet(test)


def test_who_deletes_themselves_is_gone_everywhere(meet: Meet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("royalcrypt.server.cluster.notices.NOTICE_SECONDS", 0.3)

    async def test(hosts: Pair) -> None:
        async with AsyncExitStack() as stack:
            ada, bo = await two(hosts, stack)
            table = await seated([ada, bo])
            await ada.ask("DELETE", "/api/me", {"name": "Ada"})
            await hear_until(bo, lambda message: message["type"] == "shown")
            await bo.watch(table)
            assert "Ada" not in json.dumps(json.loads(bo.received[-1])["info"])
            for host in hosts:
                assert not await host.service.personal.is_mentioned(ada.id)
            await play_on([bo], table, random.Random(1), most=0)

    meet(test)


def test_one_process_leads_and_another_takes_over(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        services = [host.service for host in hosts]
        await until(lambda: sum(service.heartbeats.is_leader for service in services) == 1)
        leading = next(service for service in services if service.heartbeats.is_leader)
        other = next(service for service in services if service is not leading)
        ask, now = other.state.beat_with_others, other.tables.now()
        assert not (await ask("other", now, until=0))[0]
        assert (await ask("other", now + 60_000, until=0))[0]

    meet(test)


def test_what_nobody_could_do_is_credited_by_every_process(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        first, second = (host.service for host in hosts)
        async with person(hosts.second) as ada:
            opened = await ada.open_table(
                players=1, start=True, clock={"kind": "live", "move": 60, "bank": 60}
            )
            await ada.watch(opened["info"]["table"])
        now = first.tables.now()
        noted = insert(outages).values(since=now - 9_000, until=now)
        await first.state.database.run(lambda sql: sql.execute(noted).close())
        for service in (first, second):
            await until(lambda service=service: service.tables.outages == [(now - 9_000, now)])

    meet(test)


def test_a_bots_turn_is_played_by_another_process_if_the_one_that_began_is_gone(
    meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("royalcrypt.server.service.BOT_GRACE", 100)

    async def test(hosts: Pair) -> None:
        first, second = (host.service for host in hosts)
        monkeypatch.setattr(first.bots, "start", do_nothing)
        monkeypatch.setattr(first.deadlines, "sweep", sweep_nothing)
        chance = random.Random(5)
        async with person(hosts.first) as ada:
            bots = [{"seat": 1, "level": "random"}]
            opened = await ada.open_table(players=2, start=True, bots=bots)
            table = opened["info"]["table"]
            await ada.watch(table)
            for _ in range(6):
                while ada.view["phase"] != "over" and ada.view["actor"] != 0:
                    await ada.hear("update")
                if ada.view["phase"] == "over":
                    break
                await ada.act(table, any_action(ada.view, chance))
            assert second.tables.changes > 0

    meet(test)
