"""Programs keep to the same ways as people: they are made, seated, play, come along to a rematch, and go."""

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from royalcrypt.server.accounts.tokens import USE_UPDATE_INTERVAL
from royalcrypt.server.limits import (
    PROGRAM_MESSAGES,
    PROGRAM_SEATS,
    PROGRAM_SOCKETS,
    PROGRAM_TABLES,
    PROGRAMS,
)
from tests.server.harness import Host, Json, Person, any_action, people, person, play_on, with_server
from tests.server.keeping import Robot, made, robot

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection


async def table_with(ada: Person, program: Robot, **settings: Any) -> str:
    """A table of Ada's, who has the first seat and gives the second to the program."""
    table = (await ada.open_table(players=2, leader=0, **settings))["info"]["table"]
    await seat(ada, table, program.id)
    return table


async def seat(owner: Person, table: str, program: str, number: int = 1, **options: Any) -> Json:
    path = f"/api/tables/{table}/seats/{number}/program"
    return await owner.ask("PUT", path, {"program": program, "entropy": "chosen"}, **options)


def test_a_program_is_made_listed_renewed_and_removed(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            assert await ada.ask("GET", "/api/me/programs") == []
            answer = await made(ada, "  Deep   Crypt ")
            program = answer["program"]
            assert program["name"] == "Deep Crypt"
            assert answer["token"].startswith("crypt_")
            assert await ada.ask("GET", "/api/me/programs") == [program]
            renewed = await ada.post(f"/api/me/programs/{program['id']}/token")
            assert renewed["token"] != answer["token"]
            assert renewed["program"] == program
            await ada.ask("DELETE", f"/api/me/programs/{program['id']}", status=204)
            assert await ada.ask("GET", "/api/me/programs") == []

    with_server(test, tmp_path)


def test_nobody_keeps_more_than_five_programs(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            for number in range(PROGRAMS.most):
                await made(ada, f"Robot {number}")
            refusal = await ada.post("/api/me/programs", {"name": "One more"}, status=409)
            assert (refusal["code"], refusal["details"]) == ("too_many", {"most": PROGRAMS.most})

    with_server(test, tmp_path)


def test_the_use_of_a_token_is_noted_now_and_then(tmp_path: Path) -> None:
    times = [1_000_000]

    async def test(host: Host) -> None:
        async def used() -> int | None:
            return (await ada.http.get("/api/me/programs")).json()[0]["used"]

        async with person(host, is_connected=False) as ada, robot(ada, is_connected=False) as program:
            assert await used() is None
            await program.ask("GET", "/api/me")
            assert await used() == 1_000_000
            times[0] += USE_UPDATE_INTERVAL - 1
            await program.ask("GET", "/api/me")
            assert await used() == 1_000_000
            times[0] += 1
            await program.ask("GET", "/api/me")
            assert await used() == times[0]

    with_server(test, tmp_path, clock=lambda: times[0])


def test_a_program_learns_of_its_seat_and_everybody_sees_whose_it_is(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo), robot(ada) as program:
            await program.tell(type="follow", games=True)
            table = await table_with(ada, program, is_listed=True)
            told = await program.hear("games")
            (line,) = told["games"]
            assert (line["info"]["table"], line["seats"]) == (table, [1])
            seen = (await bo.watch(table))["info"]["seats"][1]
            assert (seen["kind"], seen["name"], seen["keeper"]) == ("person", "Robot", "Ada")
            assert (await bo.watch(table))["info"]["seats"][0]["keeper"] is None
            assert await program.ask("GET", "/api/me") == {
                "person": program.id, "name": "Robot", "is_muted": False, "keeper": "Ada",
            }  # fmt: skip

    with_server(test, tmp_path)


def test_a_program_plays_a_whole_game_and_the_record_and_results_say_so(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada, "Deep Crypt") as program:
            table = await table_with(ada, program)
            await ada.post(f"/api/tables/{table}/start")
            for one in (ada, program):
                await one.watch(table)
            await play_on([ada, program], table, random.Random(1))
            record = await ada.ask("GET", f"/api/tables/{table}/record")
            kinds = [seat["kind"] for seat in record["game"]["seats"]]
            assert kinds == ["human", "program:Deep Crypt"]
            assert record["fairness"]["entropy"] == ["Ada", "chosen"]
            (rival,) = (await ada.ask("GET", "/api/me/statistics"))["rivals"]
            assert (rival["kind"], rival["person"], rival["name"]) == ("program", program.id, "Deep Crypt")

    with_server(test, tmp_path)


def test_a_program_sits_down_by_itself_with_a_link(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo), robot(bo) as program:
            opened = await ada.open_table(players=2)
            path = f"/api/tables/{opened['info']['table']}/seats/1"
            await program.post(path, {}, status=404)
            link = {"X-Table-Invite": opened["you"]["invite"]}
            taken = await program.post(path, {"entropy": "mine"}, headers=link)
            assert taken["info"]["seats"][1]["keeper"] == "Bo"
            assert taken["you"]["seats"] == [1]

    with_server(test, tmp_path)


def test_only_its_keeper_gives_a_program_a_seat_and_only_at_their_own_table(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo), robot(ada) as program:
            table = (await ada.open_table(players=3, is_listed=True))["info"]["table"]
            assert (await seat(bo, table, program.id, status=404))["code"] == "no_such_program"
            elsewhere = (await bo.open_table(players=3, is_listed=True))["info"]["table"]
            assert (await seat(ada, elsewhere, program.id, status=403))["code"] == "not_owner"
            private = (await bo.open_table(players=3))["info"]["table"]
            assert (await seat(ada, private, program.id, status=404))["code"] == "no_such_table"
            assert (await seat(ada, table, program.id, 0, status=409))["code"] == "seat_taken"
            await seat(ada, table, program.id)
            assert (await seat(ada, table, program.id, 2, status=409))["code"] == "program_seated"

    with_server(test, tmp_path)


def test_a_program_goes_by_no_other_name_than_its_own(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            body = {"settings": {"players": 2}, "sit": [0], "names": ["Bo"]}
            opened = await program.post("/api/tables", body)
            again = await program.post(f"/api/tables/{opened['info']['table']}/seats/0", {"name": "Cleo"})
            for answer in (opened, again):
                assert answer["info"]["seats"][0]["name"] == "Robot"

    with_server(test, tmp_path)


def test_a_program_takes_a_bots_place_and_the_other_way_round(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            opened = await ada.open_table(players=2, bots=[{"seat": 1, "level": "random"}])
            table = opened["info"]["table"]
            taken = (await seat(ada, table, program.id))["info"]["seats"][1]
            assert (taken["kind"], taken["level"]) == ("person", None)
            await ada.ask("DELETE", f"/api/tables/{table}/seats/1")
            given = await ada.ask("PUT", f"/api/tables/{table}/seats/1/bot", {"level": "random"})
            assert given["info"]["seats"][1]["keeper"] is None

    with_server(test, tmp_path)


def test_a_program_comes_along_to_its_keepers_rematch(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            table = await table_with(ada, program)
            await ada.post(f"/api/tables/{table}/start")
            for one in (ada, program):
                await one.watch(table)
            await play_on([ada, program], table, random.Random(2))
            refusal = await program.post(f"/api/tables/{table}/rematch", {}, status=403)
            assert refusal["code"] == "not_for_programs"
            again = await ada.post(f"/api/tables/{table}/rematch", {"entropy": "new"})
            second = again["info"]["seats"][1]
            assert (second["kind"], second["person"], second["keeper"]) == ("person", program.id, "Ada")

    with_server(test, tmp_path)


def test_a_seat_is_kept_for_a_program_whose_keeper_did_not_play(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo), robot(bo) as program:
            opened = await ada.open_table(players=2)
            table, link = opened["info"]["table"], {"X-Table-Invite": opened["you"]["invite"]}
            await program.post(f"/api/tables/{table}/seats/1", {}, headers=link)
            await ada.post(f"/api/tables/{table}/start")
            for one in (ada, program):
                await one.watch(table)
            await play_on([ada, program], table, random.Random(3))
            again = await ada.post(f"/api/tables/{table}/rematch", {})
            kept = again["info"]["seats"][1]
            assert (kept["kind"], kept["keeper"]) == ("kept", "Bo")
            joined = await program.post(f"/api/tables/{table}/rematch", {})
            assert joined["you"]["seats"] == [1]

    with_server(test, tmp_path)


def test_a_table_that_only_programs_are_left_at_is_closed(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo), robot(ada) as program:
            table = await table_with(ada, program)
            left = await ada.post(f"/api/tables/{table}/leave")
            assert left["info"]["status"] == "closed"
            opened = await ada.open_table(players=3)
            table, link = opened["info"]["table"], {"X-Table-Invite": opened["you"]["invite"]}
            await seat(ada, table, program.id)
            await bo.post(f"/api/tables/{table}/seats/2", {}, headers=link)
            left = await ada.post(f"/api/tables/{table}/leave")
            assert (left["info"]["status"], left["info"]["owner"]) == ("open", bo.id)

    with_server(test, tmp_path)


def test_a_removed_program_is_replaced_at_its_tables(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            running, waiting = await table_with(ada, program), await table_with(ada, program)
            await ada.post(f"/api/tables/{running}/start")
            await ada.ask("DELETE", f"/api/me/programs/{program.id}", status=204)
            seats = [
                (await ada.ask("GET", f"/api/tables/{table}"))["info"]["seats"][1]
                for table in (running, waiting)
            ]
            assert (seats[0]["taken_over"], seats[0]["keeper"]) == ("left", "Ada")
            assert seats[1]["kind"] == "free"
            await ada.watch(running)
            while ada.view["phase"] != "over":  # a bot plays on
                if ada.view["actor"] == 0:
                    await ada.act(running, any_action(ada.view, random.Random(1)))
                else:
                    await ada.hear("update")

    with_server(test, tmp_path)


def test_a_program_that_does_not_come_is_handed_over_and_takes_its_seat_back(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            table = await table_with(ada, program)
            await ada.post(f"/api/tables/{table}/start")
            gone = await ada.post(f"/api/tables/{table}/seats/1/hand-over")
            assert gone["info"]["seats"][1]["taken_over"] == "left"
            back = await program.post(f"/api/tables/{table}/return")
            assert back["table"]["info"]["seats"][1]["taken_over"] is None

    with_server(test, tmp_path)


@pytest.mark.parametrize("message", [{"type": "say", "text": "hi"}, {"type": "react", "reaction": "hello"}])
def test_programs_do_not_chat(message: Json, tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            table = await table_with(ada, program)
            await program.watch(table)
            refusal = await program.tell(table=table, **message)
            assert refusal["reason"]["code"] == "not_for_programs"

    with_server(test, tmp_path)


def test_a_program_sits_at_so_many_tables_and_no_more(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            *_, last = [await table_with(ada, program) for _ in range(PROGRAM_SEATS.most)]
            opened = await ada.open_table(players=2)
            refusal = await seat(ada, opened["info"]["table"], program.id, status=409)
            assert refusal["details"] == {"most": PROGRAM_SEATS.most}
            link = {"X-Table-Invite": opened["you"]["invite"]}
            await program.post(f"/api/tables/{opened['info']['table']}/seats/1", {}, headers=link, status=409)
            await program.post("/api/tables", {}, status=409)
            await ada.post(f"/api/tables/{last}/close")
            await seat(ada, opened["info"]["table"], program.id)

    with_server(test, tmp_path)


def test_a_program_waits_in_the_lobby_at_one_table_only(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            await program.open_table(is_listed=True)
            listed = {"settings": {"is_listed": True}}
            refusal = await program.post("/api/tables", listed, status=409)
            assert (refusal["code"], refusal["details"]) == ("too_many", {"most": 1})
            await program.open_table()

    with_server(test, tmp_path)


def test_new_tables_of_all_programs_of_a_person_are_counted_together(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as one, robot(ada, "Other") as other:
            for number in range(PROGRAM_TABLES.burst):
                await (one, other)[number % 2].post("/api/tables", {})
            assert (await other.post("/api/tables", {}, status=429))["code"] == "too_fast"
            await ada.post("/api/tables", {})

    with_server(test, tmp_path, rate_limits=True)


def test_messages_of_all_sockets_of_a_program_are_counted_together(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            first = program.socket
            await program.connect()
            for _ in range(PROGRAM_MESSAGES.burst):
                await program.send(type="ping")
            program.socket, second = first, program.socket
            answers = [(await program.tell(type="ping"))["type"] for _ in range(5)]
            assert "refused" in answers
            assert second is not None
            await second.close()

    with_server(test, tmp_path, rate_limits=True)


def test_a_program_has_a_few_sockets_at_once(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada, is_connected=False) as program:
            opened: list[ClientConnection] = []
            for _ in range(PROGRAM_SOCKETS.most):
                assert (await program.connect())["type"] == "welcome"
                assert program.socket is not None
                opened.append(program.socket)
            assert (await program.connect())["reason"]["details"] == {"most": PROGRAM_SOCKETS.most}
            for socket in opened:
                await socket.close()

    with_server(test, tmp_path)
