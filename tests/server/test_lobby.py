"""The lobby, live: what is listed there, and how it changes while one looks."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from royalcrypt.tables import commands
from tests.server.harness import Host, Json, Person, people, person, play_on, seated, with_server


async def change_until(someone: Person, table: str, wanted: Callable[[Json], bool]) -> Json:
    """Hear of changes until one shows the table as wanted; several may come before, or be told as one."""
    while True:
        message = await someone.hear("lobby")
        assert message["is_change"]
        for info in message["tables"]:
            if info["table"] == table and wanted(info):
                return info


async def gone(someone: Person, table: str) -> None:
    while table not in (await someone.hear("lobby")).get("gone", []):
        pass


def kinds(info: Json) -> list[str]:
    return [seat["kind"] for seat in info["seats"]]


async def no_more(someone: Person) -> None:
    """Nothing about the lobby is on its way: what follows a flush is an answer to a ping."""
    await someone.host.service.flush()
    number = await someone.send(type="ping")
    while (message := await someone.hear_any()).get("re") != number:
        assert message["type"] != "lobby", message


def test_a_listed_table_is_followed_from_its_opening_to_its_end(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            ada, bo = two
            await eve.send(type="follow", lobby=True)
            first = await eve.hear("lobby")
            assert first["tables"] == []
            assert "is_change" not in first
            opened = await ada.open_table(is_listed=True, leader=0)
            table = opened["info"]["table"]
            told = await change_until(eve, table, lambda info: kinds(info) == ["person", "free"])
            assert told["status"] == "open"
            await bo.post(f"/api/tables/{table}/seats/1", {"entropy": ""})
            told = await change_until(eve, table, lambda info: kinds(info) == ["person", "person"])
            assert [seat["name"] for seat in told["seats"]] == ["Ada", "Bo"]
            await ada.post(f"/api/tables/{table}/start")
            told = await change_until(eve, table, lambda info: info["status"] == "running")
            assert told["round"] == 1
            for each in two:
                await each.watch(table)
            while ada.view["round"] == 1:
                await play_on(two, table, random.Random(0), most=1)
            await change_until(eve, table, lambda info: info["round"] == 2)
            await play_on(two, table, random.Random(0))
            await gone(eve, table)
            assert await eve.ask("GET", "/api/tables") == []

    with_server(test, tmp_path)


def test_a_table_that_is_closed_goes_and_one_that_a_seat_is_cleared_at_changes(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, eve):
            opened = await ada.open_table(is_listed=True, players=3)
            table = opened["info"]["table"]
            await eve.send(type="follow", lobby=True)
            assert [info["table"] for info in (await eve.hear("lobby"))["tables"]] == [table]
            await ada.ask("PUT", f"/api/tables/{table}/seats/2/bot", {"level": "greedy"})
            await change_until(eve, table, lambda info: kinds(info) == ["person", "free", "bot"])
            await ada.ask("DELETE", f"/api/tables/{table}/seats/2")
            await change_until(eve, table, lambda info: kinds(info) == ["person", "free", "free"])
            await ada.post(f"/api/tables/{table}/close")
            await gone(eve, table)

    with_server(test, tmp_path)


def test_moves_within_a_round_do_not_trouble_the_lobby(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two, is_listed=True)
            await host.service.flush()
            await eve.send(type="follow", lobby=True)
            await eve.hear("lobby")
            await play_on(two, table, random.Random(1), most=1)
            await no_more(eve)

    with_server(test, tmp_path)


def test_a_private_table_never_shows(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            await seated(two, is_listed=False)
            await eve.send(type="follow", lobby=True)
            assert (await eve.hear("lobby"))["tables"] == []
            table = await seated(two, is_listed=False)
            await play_on(two, table, random.Random(2))
            await two[0].post(f"/api/tables/{table}/rematch", {"entropy": ""})
            await no_more(eve)
            assert await eve.ask("GET", "/api/tables") == []

    with_server(test, tmp_path)


def test_who_follows_no_more_is_told_no_more(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, eve):
            await eve.tell(type="follow", lobby=True)
            await eve.tell(type="follow", lobby=False, games=True)
            await ada.open_table(is_listed=True)
            await no_more(eve)

    with_server(test, tmp_path)


def test_what_changes_while_the_list_is_read_comes_after_the_list(tmp_path: Path) -> None:
    """Whoever follows while tables open, fill and close ends with the same list as the server has."""

    async def test(host: Host) -> None:
        async with people(host, 3) as (ada, bo, eve):
            shown: dict[str, Json] = {}
            for _ in range(6):
                following = await eve.send(type="follow", lobby=True)
                opened = await asyncio.gather(*(ada.open_table(is_listed=True) for _ in range(3)))
                tables = [one["info"]["table"] for one in opened]
                await asyncio.gather(
                    host.service.flush(),
                    bo.post(f"/api/tables/{tables[0]}/seats/1", {"entropy": ""}),
                    ada.post(f"/api/tables/{tables[1]}/close"),
                    host.service.flush(),
                )
                await host.service.flush()
                last = await eve.send(type="ping")
                while (message := await eve.hear_any()).get("re") != last:
                    if message["type"] == "lobby":
                        shown = shown if message.get("is_change") else {}
                        shown |= {info["table"]: info for info in message["tables"]}
                        for gone in message.get("gone", []):
                            shown.pop(gone, None)
                    assert message.get("re") in (None, following)
                listed: Any = await eve.ask("GET", "/api/tables")
                assert shown == {info["table"]: info for info in listed}
                for table in (tables[0], tables[2]):
                    await ada.post(f"/api/tables/{table}/close")
                await host.service.flush()

    with_server(test, tmp_path)


def test_a_change_does_not_overtake_the_list_it_changes(tmp_path: Path) -> None:
    """The list is read while a table closes: its end is told after the list that still had it."""

    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, eve):
            opened = await ada.open_table(is_listed=True)
            table = opened["info"]["table"]
            await host.service.flush()
            journal = host.service.journal
            lobby = journal.lobby

            async def slowly(*arguments: object, **named: object) -> object:
                found = await lobby(*arguments, **named)  # pyright: ignore[reportArgumentType]
                await host.service.tables.change(
                    table, lambda found, now: commands.close(found, why="host", now=now)
                )
                await host.service.flush()
                return found

            journal.lobby = slowly  # pyright: ignore[reportAttributeAccessIssue]
            await eve.send(type="follow", lobby=True)
            assert [info["table"] for info in (await eve.hear("lobby"))["tables"]] == [table]
            assert (await eve.hear("lobby"))["gone"] == [table]

    with_server(test, tmp_path)
