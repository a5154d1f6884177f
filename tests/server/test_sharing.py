"""Several people at one screen: each seat has a name, and nothing is told before somebody says who looks."""

import random
from pathlib import Path

import msgspec

from tests.server.harness import Host, any_action, person, with_server
from tests.tables.leading import game_of


def test_each_seat_of_a_shared_screen_has_its_name(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            body = {"settings": {"players": 3}, "sit": [0, 2], "names": [None, " Bo  the  Bold "]}
            table = (await ada.post("/api/tables", body))["info"]["table"]
            cleo = await ada.post(f"/api/tables/{table}/seats/1", {"name": "Cleo"})
            assert [seat["name"] for seat in cleo["info"]["seats"]] == ["Ada", "Cleo", "Bo the Bold"]
            assert cleo["you"]["seats"] == [0, 1, 2]
            wrong = {"settings": {"players": 2}, "sit": [0, 1], "names": ["Ada", "\u200b"]}
            assert (await ada.ask("POST", "/api/tables", wrong, status=400))["code"] == "wrong_name"

    with_server(test, tmp_path)


def test_a_rematch_keeps_the_names(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            body = {"settings": {"players": 2}, "sit": [0, 1], "names": ["Ann", "Bo"], "start": True}
            table = (await ada.post("/api/tables", body))["info"]["table"]
            chance = random.Random(4)
            await ada.watch(table)
            while ada.view["phase"] != "over":
                seat = ada.view["actor"]
                await ada.watch(table, seat=seat)
                assert (await ada.act(table, any_action(ada.view, chance)))["type"] == "update"
            again = await ada.post(f"/api/tables/{table}/rematch", {})
            assert [seat["name"] for seat in again["info"]["seats"]] == ["Ann", "Bo"]

    with_server(test, tmp_path)


def test_a_shared_screen_is_told_nothing_private_before_somebody_says_who_looks(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            opened = await ada.open_table(players=2, sit=(0, 1), leader=0, start=True)
            table = opened["info"]["table"]
            await ada.watch(table)
            chance = random.Random(2)
            for _ in range(12):
                game = game_of(await host.service.tables.table(table))
                assert game.actor is not None
                public = msgspec.json.decode(game.view(None).to_json())
                assert ada.view == public
                own = msgspec.json.decode(game.view(game.actor).to_json())
                await ada.act(table, any_action(own, chance), seat=game.actor)
                assert ada.view["seat"] is None
            record = await ada.ask("GET", f"/api/tables/{table}/record")
            assert record["viewer"] == "spectator"

    with_server(test, tmp_path)
