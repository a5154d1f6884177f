"""A person's own games, wherever they look: which there are, and whose turn it is."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from royalcrypt.tables.journal import Status
from tests.server.harness import Host, Json, Person, people, person, play_on, seated, with_server


async def line_until(someone: Person, table: str, wanted: Callable[[Json], bool]) -> Json:
    """Hear of games until one is as wanted."""
    while True:
        for line in (await someone.hear("games"))["games"]:
            if line["info"]["table"] == table and wanted(line):
                return line


async def games_of(someone: Person) -> list[Json]:
    found: Any = await someone.ask("GET", "/api/me/games")
    return found


def test_who_is_elsewhere_is_told_when_it_is_their_turn(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)
            await bo.tell(type="unwatch", table=table)
            await bo.send(type="follow", games=True)
            (line,) = (await bo.hear("games"))["games"]
            assert (line["info"]["table"], line["seats"], line["is_your_turn"]) == (table, [1], False)
            await ada.act(table, {"do": "recover"})
            change = await bo.hear("games")
            assert change["is_change"]
            (line,) = change["games"]
            assert (line["is_your_turn"], line["info"]["actor"]) == (True, 1)
            (listed,) = await games_of(bo)
            assert listed == line

    with_server(test, tmp_path)


def test_the_list_follows_a_game_from_invitation_to_end(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            for each in two:
                await each.tell(type="follow", games=True)
            opened = await ada.open_table(leader=0)
            table, invite = opened["info"]["table"], opened["you"]["invite"]
            await line_until(ada, table, lambda line: line["seats"] == [0])
            headers = {"X-Table-Invite": invite}
            await bo.post(f"/api/tables/{table}/seats/1", {"entropy": ""}, headers=headers)
            await line_until(bo, table, lambda line: line["seats"] == [1])
            await ada.post(f"/api/tables/{table}/start")
            await line_until(ada, table, lambda line: line["is_your_turn"])
            for each in two:
                await each.watch(table)
            await play_on(two, table, random.Random(5))
            ended = await line_until(bo, table, lambda line: line["info"]["status"] == "over")
            assert not ended["is_your_turn"]
            assert [line["info"]["status"] for line in await games_of(bo)] == ["over"]

    with_server(test, tmp_path)


def test_a_seat_that_a_bot_plays_asks_for_nobodys_turn(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada = two[0]
            table = await seated(two, leader=0)
            await ada.tell(type="follow", games=True)
            await ada.post(f"/api/tables/{table}/leave")
            line = await line_until(ada, table, lambda line: not line["is_your_turn"])
            assert line["info"]["seats"][0]["taken_over"] == "left"
            assert [each["is_your_turn"] for each in await games_of(ada)] == [False]

    with_server(test, tmp_path, bot_pause=30)


def test_a_seat_kept_for_a_rematch_shows_though_nobody_sits_there_yet(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two)
            await play_on(two, table, random.Random(6))
            await bo.tell(type="follow", games=True)
            again = (await ada.post(f"/api/tables/{table}/rematch", {"entropy": ""}))["info"]["table"]
            line = await line_until(bo, again, lambda line: True)
            assert (line["seats"], line["info"]["seats"][1]["name"]) == ([], "Bo")
            listed = next(line for line in await games_of(bo) if line["info"]["table"] == again)
            assert listed["seats"] == []

    with_server(test, tmp_path)


def test_whoever_opens_a_table_without_a_seat_finds_it_again(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            await ada.tell(type="follow", games=True)
            opened = await ada.open_table(sit=())
            table = opened["info"]["table"]
            line = await line_until(ada, table, lambda line: True)
            assert line["seats"] == []
            assert [line["info"]["table"] for line in await games_of(ada)] == [table]

    with_server(test, tmp_path)


def test_tables_without_a_seat_of_ones_own_count_like_the_others(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            await ada.open_table(sit=())
            await ada.open_table(sit=(0,))
            refused = await ada.ask("POST", "/api/tables", {"settings": {}}, status=409)
            assert (refused["code"], refused["details"]) == ("too_many", {"most": 2})

    with_server(test, tmp_path, max_tables_per_person=2)


def test_where_there_are_enough_tables_one_may_still_sit_down_at_one_that_is_there(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            table = (await ada.open_table(is_listed=True, players=3))["info"]["table"]
            refused = await bo.ask("POST", "/api/tables", {"settings": {}}, status=409)
            assert (refused["code"], refused["details"]) == ("too_many", {"most": 1})
            await bo.post(f"/api/tables/{table}/seats/1", {"entropy": ""})
            await ada.post(f"/api/tables/{table}/seats/2", {"entropy": ""})
            (line,) = await games_of(ada)
            assert line["seats"] == [0, 2]

    with_server(test, tmp_path, max_tables=1, max_tables_per_person=1)


def test_others_games_are_nobodys_business(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            await eve.tell(type="follow", games=True)
            table = await seated(two)
            await play_on(two, table, random.Random(7), most=3)
            assert await games_of(eve) == []
            number = await eve.send(type="ping")
            while (message := await eve.hear_any()).get("re") != number:
                assert message["type"] != "games"

    with_server(test, tmp_path)


def test_running_games_come_first_however_many_are_over(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            opened = await ada.open_table(players=1, start=True)
            running = opened["info"]["table"]
            journal = host.service.journal
            over = await ada.open_table(players=1, start=True)
            await ada.watch(over["info"]["table"])
            await play_on([ada], over["info"]["table"], random.Random(8))
            assert len(await journal.listings_of(ada.id, (Status.OVER,))) == 1
            assert [line["info"]["table"] for line in await games_of(ada)] == [running, over["info"]["table"]]

    with_server(test, tmp_path)
