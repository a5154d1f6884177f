"""A bot plays for those who leave, run out of time or are sent away; they may come back at any time."""

import asyncio
import random
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from royalcrypt.play.views import View
from royalcrypt.server.bots.pool import BotRunner, choose_move
from tests.server.harness import (
    Host,
    Json,
    Person,
    bot_task,
    catch_up,
    choose_with,
    people,
    play_on,
    seated,
    with_server,
)
from tests.tables.leading import game_of

NO_BOTS = 30.0


async def info_until_away(someone: Person, seat: int, why: str | None) -> Json:
    """Hear until the seat is in these hands."""
    while True:
        info = (await someone.hear("update")).get("info")
        if info and info["seats"][seat].get("taken_over") == why:
            return info


async def until_gone(host: Host, table: str, seat: int) -> None:
    """Until the server has noticed that they are."""
    while host.service.hub.present(await host.service.tables.table(table))[seat]:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def hear_to_the_end(someone: Person) -> None:
    while True:
        await someone.hear_any()


def slow_think(name: str, packed: bytes, seed: int) -> str:
    time.sleep(0.4)
    return choose_move(name, packed, seed)


def test_a_bot_plays_on_and_who_comes_back_gets_a_recap(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)
            await play_on(two, table, random.Random(1), most=2)
            missed = len(game_of(await host.service.tables.table(table)).events)
            await ada.post(f"/api/tables/{table}/leave")
            await ada.disconnect()
            info = await info_until_away(bo, 0, "left")
            assert info["seats"][0]["name"] == "Ada"
            chance = random.Random(2)
            by_bot = 0
            for _ in range(4):
                while bo.view["actor"] != 1:
                    by_bot += (await bo.hear("update")).get("by_bot", False)
                await play_on([bo, bo], table, chance, most=1)
            assert by_bot > 0
            recap = await ada.post(f"/api/tables/{table}/return")
            game = game_of(await host.service.tables.table(table))
            assert recap["events"][0]["n"] == missed
            assert recap["events"][-1]["n"] <= len(game.events) - 1
            assert recap["table"]["you"]["away_since"] is None
            await info_until_away(bo, 0, None)
            await ada.connect()
            await ada.watch(table)
            await catch_up(bo, ada.ply)
            await play_on(two, table, chance)
            assert ada.view["phase"] == "over"

    with_server(test, tmp_path)


def test_who_is_away_is_told_since_when_wherever_they_look(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada = two[0]
            table = await seated(two, leader=0)
            await ada.post(f"/api/tables/{table}/leave")
            assert (await ada.hear("update"))["you"]["away_since"] == 1
            assert (await ada.watch(table))["you"]["away_since"] == 1
            refused = await ada.act(table, {"do": "recover"})
            assert refused["reason"]["code"] == "seat_with_bot"
            again = await ada.ask("POST", f"/api/tables/{table}/leave", status=409)
            assert again["code"] == "already_away"
            recap = await ada.post(f"/api/tables/{table}/return")
            assert recap["events"] == []
            assert (await ada.act(table, {"do": "recover"}))["type"] == "update"
            back = await ada.ask("POST", f"/api/tables/{table}/return", status=409)
            assert back["code"] == "not_away"

    with_server(test, tmp_path, bot_pause=NO_BOTS)


def test_who_comes_back_while_the_bot_thinks_moves_themselves(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada = two[0]
            table = await seated(two, leader=0)
            choose_with(host.service, BotRunner(1, choice=slow_think))
            await ada.post(f"/api/tables/{table}/leave")
            loaded = host.service.tables.loaded[table]
            thought = bot_task(host.service.bots, table)
            assert thought is not None
            await asyncio.sleep(0.05)
            await ada.post(f"/api/tables/{table}/return")
            ply = loaded.table.ply
            await asyncio.wait_for(thought, 60)
            assert (loaded.table.ply, loaded.table.actor) == (ply, 0)
            await catch_up(ada, ply)
            assert (await ada.act(table, {"do": "recover"}))["type"] == "update"

    with_server(test, tmp_path)


def think_by_decision(name: str, packed: bytes, seed: int) -> str:
    """Slowly; at the first decision another move than at later ones."""
    time.sleep(0.4)
    return "recover" if View.unpack(packed).decisions == 0 else "1:1x1"


def test_a_thought_about_a_decision_that_has_passed_is_not_carried_out(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)
            choose_with(host.service, BotRunner(1, choice=think_by_decision))
            await ada.post(f"/api/tables/{table}/leave")
            await asyncio.sleep(0.05)
            await ada.post(f"/api/tables/{table}/return")
            for mover in (ada, bo):
                ply = host.service.tables.loaded[table].table.ply
                await catch_up(mover, ply)
                assert (await mover.act(table, {"do": "recover"}))["type"] == "update"
            await ada.post(f"/api/tables/{table}/leave")
            while not (update := await bo.hear("update")).get("by_bot"):
                pass
            assert update["events"][0]["type"] == "claim"

    with_server(test, tmp_path)


def test_the_seat_of_somebody_who_is_gone_can_be_handed_to_a_bot(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as three:
            ada, bo, cleo = three
            table = await seated(three, leader=1)
            path = f"/api/tables/{table}/seats/1/hand-over"
            assert (await ada.ask("POST", path, status=409))["code"] == "still_there"
            await bo.disconnect()
            await until_gone(host, table, 1)
            assert (await cleo.ask("POST", path, status=403))["code"] == "not_owner"
            answer = await ada.post(path)
            assert answer["info"]["seats"][1]["taken_over"] == "left"
            assert (await ada.ask("POST", path, status=409))["code"] == "already_away"
            assert (await bo.post(f"/api/tables/{table}/return"))["events"] == []
            await ada.disconnect()
            await until_gone(host, table, 0)
            answer = await cleo.post(f"/api/tables/{table}/seats/0/hand-over")
            assert answer["info"]["seats"][0]["taken_over"] == "left"

    with_server(test, tmp_path, bot_pause=NO_BOTS)


def test_where_a_clock_runs_nobody_is_handed_over(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            table = await seated(two, clock={"kind": "days"})
            await two[1].disconnect()
            refused = await two[0].ask("POST", f"/api/tables/{table}/seats/1/hand-over", status=409)
            assert refused["code"] == "still_there"

    with_server(test, tmp_path)


def test_who_is_sent_away_loses_the_connection_and_a_bot_plays_on(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)
            early = (await bo.open_table(is_listed=True))["info"]["table"]
            kick = f"/api/host/people/{bo.id}/kick"
            await ada.ask("PUT", kick, {"on": True}, headers=host.host_headers())
            with pytest.raises(ConnectionClosed) as closed:
                await hear_to_the_end(bo)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1008
            await info_until_away(ada, 1, "kicked")
            assert (await bo.ask("POST", f"/api/tables/{table}/return", status=403))["code"] == "banned"
            assert (await host.service.tables.table(early)).why_closed == "empty"
            await ada.ask("PUT", kick, {"on": False}, headers=host.host_headers())
            await bo.post(f"/api/tables/{table}/return")
            await info_until_away(ada, 1, None)

    with_server(test, tmp_path, bot_pause=NO_BOTS)


def test_when_the_last_person_leaves_the_game_waits_for_them(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, eve):
            bots = [{"seat": 1, "level": "random"}]
            opened = await ada.open_table(players=2, bots=bots, leader=0, start=True, is_listed=True)
            table = opened["info"]["table"]
            await ada.post(f"/api/tables/{table}/leave")
            ply = (await eve.watch(table))["ply"]
            await host.service.sweep()
            await eve.tell(type="ping")
            assert (await eve.watch(table))["ply"] == ply
            await ada.post(f"/api/tables/{table}/return")
            await ada.watch(table)
            await ada.act(table, {"do": "recover"})
            while (update := await ada.hear("update")).get("by_bot") is None:
                pass
            assert update["events"]

    with_server(test, tmp_path)


def test_who_leaves_before_the_start_leaves_a_free_seat_and_an_owner_the_table(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            table = (await ada.open_table(is_listed=True, players=3))["info"]["table"]
            await bo.post(f"/api/tables/{table}/seats/1", {"entropy": ""})
            await bo.watch(table)
            await ada.post(f"/api/tables/{table}/leave")
            update = await bo.hear("update")
            assert [seat["kind"] for seat in update["info"]["seats"]] == ["free", "person", "free"]
            assert update["you"]["is_owner"]
            assert (await ada.ask("POST", f"/api/tables/{table}/start", status=403))["code"] == "not_seated"
            answer = await bo.post(f"/api/tables/{table}/leave")
            assert (answer["info"]["status"], answer["info"]["why_closed"]) == ("closed", "empty")

    with_server(test, tmp_path)
