"""Playing again, over REST and the socket."""

import asyncio
import random
from pathlib import Path
from typing import Any

from royalcrypt.tables.journal import Status
from tests.server.harness import Host, Json, Person, people, play_on, seated, with_server


async def finished(someone: list[Person], **settings: Any) -> str:
    table = await seated(someone, **settings)
    await play_on(someone, table, random.Random(0))
    return table


async def again(someone: Person, table: str) -> Json:
    return await someone.post(f"/api/tables/{table}/rematch", {"entropy": someone.name})


def test_all_who_ask_meet_at_one_table_in_their_own_seats_with_the_torches_moved_on(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as three:
            first = await finished(three, leader=2, collectors="AB?BAB")
            for each in three:
                await each.watch(first)
            answers = await asyncio.gather(*(again(each, first) for each in three))
            tables = {answer["info"]["table"] for answer in answers}
            assert len(tables) == 1
            second = tables.pop()
            for seat, (each, answer) in enumerate(zip(three, answers, strict=True)):
                assert answer["you"]["seats"] == [seat]
                update = await each.hear("update")
                assert update["info"]["followed_by"] == second
            info = (await three[0].ask("GET", f"/api/tables/{second}"))["info"]
            assert [seat["name"] for seat in info["seats"]] == ["Ada", "Bo", "Cleo"]
            assert (info["settings"]["leader"], info["settings"]["collectors"]) == (0, "AB?BAB")
            assert (info["follows"], info["settings"]["is_listed"]) == (first, False)
            waiting = await host.service.journal.listings((Status.OPEN,), is_listed=False)
            assert [listing.table for listing in waiting] == [second]

    with_server(test, tmp_path)


def test_a_kept_seat_is_closed_to_others_until_the_owner_frees_it(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as (ada, bo, eve):
            first = await finished([ada, bo], is_listed=True)
            second = (await again(ada, first))["info"]["table"]
            seat = f"/api/tables/{second}/seats/1"
            refused = await eve.ask("POST", seat, {"entropy": ""}, status=409)
            assert (refused["code"], refused["details"]) == ("seat_kept", {"seat": 2, "name": "Bo"})
            await ada.ask("DELETE", seat)
            await eve.post(seat, {"entropy": ""})
            await ada.post(f"/api/tables/{second}/start")
            late = await again(bo, first)
            assert (late["you"]["seats"], late["info"]["status"]) == ([], "running")

    with_server(test, tmp_path)


def test_who_was_replaced_at_a_private_rematch_learns_nothing_of_it(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            first = await finished([ada, bo])
            second = (await again(ada, first))["info"]["table"]
            await ada.ask("PUT", f"/api/tables/{second}/seats/1/bot", {"level": "random"})
            refused = await bo.ask("POST", f"/api/tables/{first}/rematch", {"entropy": ""}, status=404)
            assert refused["code"] == "no_such_table"

    with_server(test, tmp_path)


def test_bots_keep_their_seats_and_games_follow_one_another(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,):
            bots = [{"seat": 1, "level": "random"}]
            opened = await ada.open_table(players=2, bots=bots, leader=0, start=True)
            chain = [opened["info"]["table"]]
            for leader in (1, 0):
                await ada.watch(chain[-1])
                await play_on([ada], chain[-1], random.Random(3))
                answer = await again(ada, chain[-1])
                info = answer["info"]
                assert (info["seats"][1]["level"], info["settings"]["leader"]) == ("random", leader)
                assert (info["follows"], answer["you"]["is_owner"]) == (chain[-1], True)
                chain.append(info["table"])
                await ada.post(f"/api/tables/{chain[-1]}/start")

    with_server(test, tmp_path)


def test_a_rematch_that_came_to_nothing_can_be_asked_for_again(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            first = await finished([ada, bo])
            second = (await again(ada, first))["info"]["table"]
            await ada.post(f"/api/tables/{second}/leave")
            third = (await again(bo, first))["info"]["table"]
            assert third != second
            assert (await again(ada, first))["info"]["table"] == third
            assert (await ada.ask("GET", f"/api/tables/{first}"))["info"]["followed_by"] == third

    with_server(test, tmp_path)


def test_a_rematch_is_for_those_who_played_and_after_the_end(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as (ada, bo, eve):
            running = await seated([ada, bo])
            refused = await ada.ask("POST", f"/api/tables/{running}/rematch", {"entropy": ""}, status=409)
            assert refused["code"] == "already_started"
            listed = await finished([ada, bo], is_listed=True)
            for table, status, code in ((running, 404, "no_such_table"), (listed, 403, "not_seated")):
                refused = await eve.ask(
                    "POST", f"/api/tables/{table}/rematch", {"entropy": ""}, status=status
                )
                assert refused["code"] == code

    with_server(test, tmp_path)
