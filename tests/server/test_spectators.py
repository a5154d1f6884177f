"""Those who look on: who may, what they see, and how one becomes a player or stops being one."""

import random
from pathlib import Path

import msgspec
import pytest

from royalcrypt.live.session import MAX_WATCHED
from royalcrypt.server.limits import Bound
from royalcrypt.server.sockets import policy
from tests.server.harness import Host, Json, catch_up, people, person, play_on, seated, with_server


def test_a_spectator_sees_every_move_and_no_hidden_card(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two, is_listed=True)
            shown = await eve.watch(table)
            assert (shown["you"]["seats"], shown["you"]["seat"], shown["you"]["invite"]) == ([], None, None)
            moves = await play_on(two, table, random.Random(0), most=9)
            await catch_up(eve, two[0].ply)
            assert eve.ply == shown["ply"] + moves
            assert eve.view["seat"] is None
            assert not eve.view["actions"]
            down = [slot["card"] for slot in eve.view["row"] if slot["is_down"] and slot["card"]]
            assert [card["value"] for card in down] == [None] * len(down)

    with_server(test, tmp_path)


def test_where_spectators_are_not_wanted_they_see_the_open_table_and_are_shown_out_at_the_start(
    tmp_path: Path,
) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, eve):
            table = (await ada.open_table(is_listed=True, spectators=False, players=1))["info"]["table"]
            assert (await eve.watch(table))["info"]["status"] == "open"
            await ada.post(f"/api/tables/{table}/start")
            gone = await eve.hear("gone", "update", "shown")
            assert (gone["type"], gone["table"]) == ("gone", table)
            assert gone["reason"]["code"] == "no_spectators"
            await ada.watch(table)
            await play_on([ada], table, random.Random(0))
            refused = await eve.watch(table)
            assert refused["reason"]["code"] == "no_spectators"
            assert "view" not in refused
            assert not [raw for raw in eve.received if b'"update"' in raw]

    with_server(test, tmp_path)


def test_a_private_table_is_shown_to_those_with_its_link(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two)
            invite = (await two[1].watch(table))["you"]["invite"]
            for wrong in (None, "x" * len(invite), invite[:-1]):
                refused = await eve.watch(table, invite=wrong)
                assert refused["reason"]["code"] == "no_such_table"
            assert (await eve.watch(table, invite=invite))["view"]["seat"] is None

    with_server(test, tmp_path)


def test_who_sits_down_while_looking_on_sees_with_the_seats_eyes_from_then_on(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            table = (await ada.open_table(is_listed=True, leader=1))["info"]["table"]
            assert (await bo.watch(table))["you"]["seat"] is None
            await bo.post(f"/api/tables/{table}/seats/1", {"entropy": "bo"})
            update = await bo.hear("update")
            assert (update["you"]["seats"], update["you"]["seat"]) == ([1], 1)
            assert update["you"]["invite"]
            await ada.post(f"/api/tables/{table}/start")
            started = await bo.hear("update")
            assert (started["view"]["seat"], bool(started["view"]["actions"])) == (1, True)
            assert (await bo.act(table, {"do": "recover"}))["type"] == "update"

    with_server(test, tmp_path)


def test_who_gets_up_or_is_asked_to_looks_on(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as (ada, bo, cleo):
            table = (await ada.open_table(is_listed=True, players=3))["info"]["table"]
            for seat, each in ((1, bo), (2, cleo)):
                await each.post(f"/api/tables/{table}/seats/{seat}", {"entropy": ""})
            for each in (bo, cleo):
                assert (await each.watch(table))["you"]["seats"]
            await bo.ask("DELETE", f"/api/tables/{table}/seats/1")
            you = (await bo.hear("update"))["you"]
            assert (you["seats"], you["seat"], you["invite"]) == ([], None, None)
            await ada.ask("DELETE", f"/api/tables/{table}/seats/2")
            while (update := await cleo.hear("update"))["you"]["seats"]:
                pass
            assert [seat["kind"] for seat in update["info"]["seats"]] == ["person", "free", "free"]

    with_server(test, tmp_path)


def test_who_has_left_an_open_table_without_spectators_may_still_see_who_sits_there(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            opened = await ada.open_table(players=2, spectators=False)
            table, invite = opened["info"]["table"], opened["you"]["invite"]
            headers = {"X-Table-Invite": invite}
            await bo.post(f"/api/tables/{table}/seats/1", {"entropy": ""}, headers=headers)
            await bo.watch(table)
            await bo.post(f"/api/tables/{table}/leave")
            update = await bo.hear("update")
            assert (update["info"]["seats"][1]["kind"], update["you"]["seat"]) == ("free", None)

    with_server(test, tmp_path)


def test_a_table_that_leaves_remembering_to_people_still_tells_all_that_happens(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            table = await seated(two, remembers=False)
            numbers = [0]
            chance = random.Random(4)
            while two[0].view["round"] < 3:
                await play_on(two, table, chance, most=1)
            for raw in two[1].received:
                message: Json = msgspec.json.decode(raw)
                if message["type"] == "update" and message["table"] == table:
                    numbers += [event["n"] for event in message["events"]]
            assert numbers == list(range(len(numbers)))
            shown = await two[1].watch(table)
            assert shown["events"][0]["type"] == "reveal"
            assert shown["events"][0]["round"] == 3
            record = await two[1].ask("GET", f"/api/tables/{table}/record", status=404)
            assert record["code"] == "no_record"

    with_server(test, tmp_path)


def test_a_connection_has_eight_tables_open_at_most_and_may_change_between_them(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            tables = [(await ada.open_table(players=1))["info"]["table"] for _ in range(MAX_WATCHED + 1)]
            for table in tables[:-1]:
                assert (await ada.watch(table))["type"] == "shown"
            refused = await ada.watch(tables[-1])
            assert (refused["reason"]["code"], refused["reason"]["details"]) == ("too_many", {"most": 8})
            assert (await ada.watch(tables[0]))["type"] == "shown"
            await ada.tell(type="unwatch", table=tables[0])
            assert (await ada.watch(tables[-1]))["type"] == "shown"
            await ada.post(f"/api/tables/{tables[0]}/start")
            await ada.post(f"/api/tables/{tables[-1]}/start")
            assert (await ada.hear("update"))["table"] == tables[-1]

    with_server(test, tmp_path)


def test_a_table_has_a_limited_number_of_spectators_and_always_room_for_its_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "SPECTATORS", Bound("spectators", 2))

    async def test(host: Host) -> None:
        async with people(host, 4) as (ada, bo, cleo, dan):
            table = await seated([ada], is_listed=True)
            assert (await bo.watch(table))["type"] == "shown"
            refused = await cleo.watch(table)
            assert (refused["reason"]["code"], refused["reason"]["details"]) == ("too_many", {"most": 2})
            assert (await bo.watch(table))["type"] == "shown"  # a second time, which adds nobody
            await ada.tell(type="unwatch", table=table)
            assert (await dan.watch(table))["type"] == "shown"
            assert (await ada.watch(table))["you"]["seats"] == [0]
            metrics = host.service.metrics.text().decode()
            assert 'royalcrypt_limits_reached_total{limit="spectators"} 1.0' in metrics

    with_server(test, tmp_path)
