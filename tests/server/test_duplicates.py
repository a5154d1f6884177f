"""Duplicates: the same cards and dice at several tables, one seat each, nothing told before all are done."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from royalcrypt import Record
from royalcrypt.play.fairness import Finding, verify
from tests.server.harness import Host, Json, Person, people, play_on, with_server
from tests.server.sealed import Outcomes, Overhearing, in_common, outcomes, play_alone, record_of


async def set_up(owner: Person, tables: int, **settings: Any) -> Json:
    return await owner.post("/api/duplicates", {"tables": tables, "settings": settings})


async def sit(someone: Person, table: Json, seat: int = 0, status: int = 200) -> Json:
    path = f"/api/tables/{table['table']}/seats/{seat}"
    link = {"X-Table-Invite": table["invite"]}
    return await someone.ask("POST", path, {"entropy": someone.name}, headers=link, status=status)


async def look(someone: Person, duplicate: Json) -> Json:
    return await someone.ask("GET", f"/api/duplicates/{duplicate['duplicate']}")


async def begin(two: list[Person], table: Json) -> str:
    """Both sit down in this order, the first one starts, both watch."""
    for seat, one in enumerate(two):
        await sit(one, table, seat)
    await two[0].post(f"/api/tables/{table['table']}/start")
    for one in two:
        await one.watch(table["table"])
    return table["table"]


def test_three_tables_meet_the_same_cards_and_dice_and_are_compared_seat_by_seat(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 6) as six:
            made = await set_up(six[0], 3, players=2, collectors="A?B?A?")
            told: list[Outcomes] = []
            pairs = [six[:2], six[2:4], six[4:]]
            for seed, (pair, table) in enumerate(zip(pairs, made["tables"], strict=True)):
                await begin(pair, table)
                assert (await look(six[5], made))["standings"] == []
                await play_on(pair, table["table"], random.Random(seed))
            done = await look(six[0], made)
            assert (done["is_sealed"], done["commitment"]) == (False, made["commitment"])
            for pair, table in zip(pairs, made["tables"], strict=True):
                record = await record_of(pair[1], table["table"])
                assert record["game"]["collectors"] == made["settings"]["collectors"]
                assert record["game"]["leader"] == made["settings"]["leader"]
                assert verify(Record.parse(record)).finding is Finding.FAIR
                assert await record_of(six[0], table["table"]) == record
                told.append(outcomes(record))
            first, *others = told
            # Eight rows and tops, and some of the dice.
            assert all(in_common(first, other) > 16 for other in others)

            scores = [table["scores"] for table in done["tables"]]
            averages = [sum(seat) / 3 for seat in zip(*scores, strict=True)]
            assert done["averages"] == averages
            due = {
                (number, seat): score - averages[seat]
                for number, table in enumerate(scores)
                for seat, score in enumerate(table)
            }
            found = {(one["number"], one["seat"]): one["difference"] for one in done["standings"]}
            assert found == pytest.approx(due)
            for one in done["standings"]:
                better = [other for other in done["standings"] if other["difference"] > one["difference"]]
                assert one["place"] == 1 + len(better)

    with_server(test, tmp_path)


def test_nobody_sits_at_two_tables_of_a_duplicate_not_even_at_once(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            one, two, _ = (await set_up(ada, 3, players=2))["tables"]
            asked = [
                bo.http.post(
                    f"/api/tables/{table['table']}/seats/0",
                    json={},
                    headers={"X-Table-Invite": table["invite"]},
                )
                for table in (one, two)
            ]
            answers = await asyncio.gather(*asked)
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            refused = next(answer.json() for answer in answers if answer.status_code == 409)
            assert refused["code"] == "sits_elsewhere"
            held, other = (one, two) if answers[0].status_code == 200 else (two, one)
            await bo.ask("DELETE", f"/api/tables/{held['table']}/seats/0")
            await sit(bo, other)
            await sit(ada, held)

    with_server(test, tmp_path)


def test_each_table_is_led_by_the_first_who_sits_there_and_outlives_their_leaving(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as (ada, bo, cleo):
            made = await set_up(ada, 2, players=2)
            table = made["tables"][0]
            path = f"/api/tables/{table['table']}"
            assert (await sit(bo, table))["info"]["owner"] == bo.id
            await ada.ask("POST", f"{path}/start", status=404)
            await bo.post(f"{path}/leave")
            assert (await sit(cleo, table))["info"]["owner"] == cleo.id
            await sit(bo, table, 1)
            assert (await cleo.ask("DELETE", f"{path}/seats/0"))["info"]["owner"] == bo.id
            await cleo.ask("GET", path, status=404)

    with_server(test, tmp_path)


def test_nothing_of_a_table_reaches_those_of_another_before_all_are_done(tmp_path: Path) -> None:
    async def test(plain: Host) -> None:
        host = Overhearing(plain)
        async with people(host, 3) as (ada, bo, cleo):
            made = await set_up(ada, 2, players=1)
            one, two = made["tables"]
            secret = (await host.service.tables.table(one["table"])).secret.hex().encode()
            await ada.watch(one["table"])  # the owner looks on, until it begins
            await sit(bo, one)
            await sit(cleo, two)
            await bo.post(f"/api/tables/{one['table']}/start")
            await ada.hear("gone")
            await play_alone(bo, one["table"], 1)
            for other in (ada, cleo):
                link = {"X-Table-Invite": one["invite"]}
                for path in (f"/api/tables/{one['table']}", f"/api/tables/{one['table']}/record"):
                    await other.ask("GET", path, status=404)
                    assert (await other.ask("GET", path, headers=link, status=403))["code"] == "no_spectators"
                refused = await other.watch(one["table"], invite=one["invite"])
                assert refused["reason"]["code"] == "no_spectators"
                assert (await other.http.get("/api/me/records")).content == b""
                progress = await look(other, made)
                assert [table["status"] for table in progress["tables"]] == ["over", "open"]
                assert [table["scores"] for table in progress["tables"]] == [None, None]
                assert b'"row"' not in b"".join(other.received)
            assert "seed" not in (await record_of(bo, one["table"]))["fairness"]
            assert "seed" not in (await bo.http.get("/api/me/records")).json()["fairness"]
            assert [table["invite"] for table in (await look(cleo, made))["tables"]] == [None, None]
            told = host.answers + ada.received + bo.received + cleo.received
            assert not any(secret in sent.lower() for sent in told)

            await cleo.post(f"/api/tables/{two['table']}/start")
            await play_alone(cleo, two["table"], 2)
            for reader in (ada, bo, cleo):
                record = await record_of(reader, one["table"])
                assert record["fairness"]["seed"] == secret.decode()

    with_server(test, tmp_path)


def test_whoever_set_it_up_may_end_it_and_only_they(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as (ada, bo, cleo):
            made = await set_up(ada, 3, players=1)
            path = f"/api/duplicates/{made['duplicate']}"
            await sit(bo, made["tables"][0])
            await bo.post(f"/api/tables/{made['tables'][0]['table']}/start")
            score = (await play_alone(bo, made["tables"][0]["table"], 1))["scores"][0]
            await sit(cleo, made["tables"][1])
            await cleo.post(f"/api/tables/{made['tables'][1]['table']}/start")
            assert (await bo.ask("POST", f"{path}/end", status=403))["code"] == "not_owner"
            ended = await ada.post(f"{path}/end")
            assert [table["status"] for table in ended["tables"]] == ["over", "closed", "closed"]
            assert [table["scores"] for table in ended["tables"]] == [[score], None, None]
            assert [(one["place"], one["name"], one["difference"]) for one in ended["standings"]] == [
                (1, "Bo", 0.0)
            ]
            assert await ada.post(f"{path}/end") == ended
            (line,) = (await cleo.http.get("/api/duplicates")).json()
            assert (line["tables"], line["finished"], line["is_sealed"]) == (3, 3, False)
            await bo.ask("GET", "/api/duplicates/nowhere", status=404)

    with_server(test, tmp_path)


def test_a_rematch_of_a_sealed_table_is_an_ordinary_one(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,):
            one, _ = (await set_up(ada, 2, players=1))["tables"]
            await sit(ada, one)
            await ada.post(f"/api/tables/{one['table']}/start")
            await play_alone(ada, one["table"], 1)
            again = (await ada.post(f"/api/tables/{one['table']}/rematch", {"entropy": "mine"}))["info"]
            assert again["seal"] is None
            tables = [await host.service.tables.table(name) for name in (one["table"], again["table"])]
            assert tables[0].secret != tables[1].secret
            assert [table.entropy for table in tables] == [(), ("mine",)]

    with_server(test, tmp_path)


def test_two_to_sixteen_tables_and_no_more_than_one_may_have(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,):
            for wrong in (1, 17, "2"):
                await ada.ask("POST", "/api/duplicates", {"tables": wrong}, status=400)
            bots = [{"seat": 0, "level": "random"}, {"seat": 1, "level": "random"}]
            wrong_set_up = {"tables": 2, "settings": {"players": 2, "bots": bots}}
            await ada.ask("POST", "/api/duplicates", wrong_set_up, status=400)
            too_many = await ada.ask("POST", "/api/duplicates", {"tables": 9}, status=409)
            assert too_many["code"] == "too_many"
            made = await set_up(ada, 8, players=4, is_listed=True, spectators=True)
            assert (made["settings"]["is_listed"], made["settings"]["spectators"]) == (False, False)
            assert await ada.ask("GET", "/api/tables") == []

    with_server(test, tmp_path, max_tables_per_person=8)
