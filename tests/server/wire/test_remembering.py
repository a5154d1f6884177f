"""Tables that leave remembering to people: everything is told once, and little of it again."""

import random
from pathlib import Path
from typing import Any

import msgspec

from tests.server.harness import Host, people, play_on, seated, with_server


def numbers(messages: list[Any]) -> list[int]:
    return [event["n"] for message in messages for event in message.get("events", ())]


def test_who_stays_hears_every_event_and_who_comes_back_those_of_the_round(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as players:
            table = await seated(players, remembers=False)
            await play_on(players, table, random.Random(3), most=20)
            for player in players:
                heard = [msgspec.json.decode(message) for message in player.received]
                assert numbers(heard) == list(range(len(numbers(heard))))
                again = await player.watch(table)
                first = again["events"][0]
                assert (first["type"], first["round"]) == ("reveal", player.view["round"])
                assert first["round"] > 1
                assert numbers([again]) == numbers(heard)[first["n"] :]

    with_server(test, tmp_path)


def test_no_record_reminds_of_the_cards_before_the_game_is_over(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as players:
            table = await seated(players, remembers=False)
            refused = await players[0].ask("GET", f"/api/tables/{table}/record", status=404)
            assert refused["code"] == "no_record"
            await play_on(players, table, random.Random(4))
            record = await players[0].ask("GET", f"/api/tables/{table}/record")
            assert record["events"][-1]["type"] == "end"

    with_server(test, tmp_path)
