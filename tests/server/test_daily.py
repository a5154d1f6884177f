"""The daily crypt: one try each, the same for all, and nothing told before the day is over."""

import asyncio
import hashlib
import io
import zipfile
from pathlib import Path

from royalcrypt import Record
from royalcrypt.play.fairness import Finding, verify
from royalcrypt.tables.seals import begin_of, day_at, end_of, sides_of
from tests.server.harness import Host, Person, people, person, with_server
from tests.server.registries import Hands
from tests.server.sealed import Outcomes, Overhearing, in_common, outcomes, play_alone, record_of

HOUR = 3600
START = begin_of("2026-11-17") + 20 * HOUR * 1000
TODAY, TOMORROW = "2026-11-17", "2026-11-18"


async def begin(someone: Person, day: str = TODAY) -> str:
    return (await someone.post(f"/api/daily/{day}"))["info"]["table"]


def test_everybody_meets_the_same_cards_and_dice_whatever_they_do(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as three:
            told: list[Outcomes] = []
            for seed, one in enumerate(three):
                table = await begin(one)
                await play_alone(one, table, seed)
                told.append(outcomes(await record_of(one, table)))
            first, *others = told
            assert all(in_common(first, other) > 30 for other in others)
            day = await three[0].ask("GET", f"/api/daily/{TODAY}")
            assert day["collectors"] == sides_of(TODAY)
            assert sum(line["count"] for line in day["scores"]) == 3

    with_server(test, tmp_path, clock=Hands(START))


def test_a_day_can_be_tried_once_however_often_and_from_wherever_one_asks(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, host.client(cookies=dict(ada.http.cookies)) as phone:
            asked = [http.post(f"/api/daily/{TODAY}") for http in (ada.http, phone, ada.http, phone)]
            answers = [answer.json() for answer in await asyncio.gather(*asked)]
            (table,) = {answer["info"]["table"] for answer in answers}
            assert all(answer["info"]["status"] == "running" for answer in answers)
            await play_alone(ada, table, 1)
            assert await begin(ada) == table
            # What the browser's clock says is nobody's business: another day cannot be asked for.
            for day in (TOMORROW, "2026-11-16", "2026-02-31", "0000-00-00"):
                assert (await ada.ask("POST", f"/api/daily/{day}", status=404))["code"] == "no_such_day"
            await ada.ask("POST", "/api/daily/today", status=400)
            assert (await ada.ask("GET", f"/api/daily/{TODAY}"))["begun"] == 1

    with_server(test, tmp_path, clock=Hands(START))


def test_a_try_that_was_left_or_closed_is_used_up(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo), host.client(headers=host.host_headers()) as boss:
            left, closed = await begin(ada), await begin(bo)
            await ada.post(f"/api/tables/{left}/leave")
            await boss.post(f"/api/host/tables/{closed}/close")
            assert [await begin(ada), await begin(bo)] == [left, closed]
            mine = (await bo.ask("GET", f"/api/daily/{TODAY}"))["mine"]
            assert (mine["status"], mine["counts"]) == ("closed", False)

    with_server(test, tmp_path, clock=Hands(START))


def test_a_server_that_died_between_the_try_and_its_table_opens_it_when_asked_again(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            await host.service.operations.daily.prepare()
            await host.service.dailies.begin(TODAY, ada.id, "promised-table", START)
            assert (await ada.ask("GET", f"/api/daily/{TODAY}"))["mine"] is None
            assert await begin(ada) == "promised-table"

    with_server(test, tmp_path, clock=Hands(START))


def test_nothing_tells_the_secret_before_the_day_is_over_and_then_everything_does(tmp_path: Path) -> None:
    clock = Hands(START)

    async def ask_everything(ada: Person, bo: Person, table: str) -> None:
        host = ada.host
        invite = (await ada.watch(table))["you"]["invite"]
        for one, headers in ((ada, {}), (bo, {}), (bo, {"X-Table-Invite": invite})):
            for path in (f"/api/tables/{table}", f"/api/tables/{table}/record", "/api/tables"):
                await one.http.get(path, headers=headers)
            for path in ("/api/me/games", "/api/me/records", "/api/daily", f"/api/daily/{TODAY}"):
                await one.http.get(path)
        await bo.watch(table)
        assert (await bo.watch(table, invite=invite))["reason"]["code"] == "no_spectators"
        await bo.tell(type="follow", lobby=True, games=True)
        async with host.client(headers=host.host_headers()) as boss:
            export = await boss.get("/api/host/export")
            with zipfile.ZipFile(io.BytesIO(export.content)) as archive:
                host.answers += [archive.read(name) for name in archive.namelist()]  # type: ignore[attr-defined]
            await boss.get("/api/host/tables")

    async def test(plain: Host) -> None:
        host = Overhearing(plain)
        async with people(host, 2) as (ada, bo):
            table = await begin(ada)
            secret = (await host.service.tables.table(table)).secret.hex().encode()
            commitment = hashlib.sha256(bytes.fromhex(secret.decode())).hexdigest()
            await ask_everything(ada, bo, table)
            await play_alone(ada, table, 2)
            await ask_everything(ada, bo, table)
            record = await record_of(ada, table)
            assert record["fairness"] == {
                "commitment": commitment, "seal": f"daily:{TODAY}", "entropy": []
            }  # fmt: skip
            assert verify(Record.parse(record)).finding is Finding.UNPROVEN
            assert (await ada.http.get("/api/me/records")).json() == record
            told = host.answers + ada.received + bo.received
            assert len(told) > 50
            assert not any(secret in sent.lower() for sent in told)
            of_bo = b"".join(bo.received)
            assert b'"row":[' not in of_bo  # nothing of what lies ahead of Bo

            clock.now = end_of(TODAY)
            day = await bo.ask("GET", f"/api/daily/{TODAY}")
            assert (day["secret"], day["commitment"]) == (secret.decode(), commitment)
            for whole in (await record_of(ada, table), (await ada.http.get("/api/me/records")).json()):
                assert whole["fairness"]["seed"] == secret.decode()
                assert verify(Record.parse(whole)).finding is Finding.FAIR
            await record_of(bo, table, status=404)

    with_server(test, tmp_path, clock=clock)


def test_a_game_that_ends_after_midnight_does_not_count_and_one_before_does(tmp_path: Path) -> None:
    clock = Hands(START)

    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            early, late = await begin(ada), await begin(bo)
            clock.now = end_of(TODAY) - 1
            score = (await play_alone(ada, early, 3))["scores"][0]
            clock.now = end_of(TODAY)
            await play_alone(bo, late, 4)
            mine = (await ada.ask("GET", f"/api/daily/{TODAY}"))["mine"]
            assert (mine["counts"], mine["score"], mine["place"], len(mine["taken"])) == (True, score, 1, 8)
            day = await bo.ask("GET", f"/api/daily/{TODAY}")
            assert (day["mine"]["counts"], day["mine"]["place"], day["mine"]["status"]) == (
                False,
                None,
                "over",
            )
            assert [(line["name"], line["is_you"]) for line in day["best"]] == [("Ada", False)]
            assert day["scores"] == [{"score": score, "count": 1}]
            assert sum(day["titles"].values()) == 1
            assert day["begun"] == 2
            lines = (await bo.ask("GET", "/api/daily"))["days"]
            assert [(line["day"], line["has_tried"], line["score"]) for line in lines] == [
                (TOMORROW, False, None),
                (TODAY, True, None),
            ]

    with_server(test, tmp_path, clock=clock)


def test_a_day_before_is_played_out_of_competition_as_often_as_one_likes(tmp_path: Path) -> None:
    clock = Hands(START)

    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            first = await begin(ada)
            await play_alone(ada, first, 5)
            told = outcomes(await record_of(ada, first))
            clock.turn(24 * HOUR)
            again = [await begin(one) for one in (ada, ada, bo)]
            assert len({first, *again}) == 4
            await play_alone(bo, again[2], 6)
            record = await record_of(bo, again[2])
            assert verify(Record.parse(record)).finding is Finding.FAIR
            assert in_common(told, outcomes(record)) > 30
            day = await bo.ask("GET", f"/api/daily/{TODAY}")
            assert (day["begun"], day["mine"], len(day["scores"])) == (1, None, 1)
            assert day_at(clock()) == TOMORROW
            assert await begin(ada, TOMORROW) not in again

    with_server(test, tmp_path, clock=clock)


def test_who_has_no_name_yet_may_look_unless_the_server_is_for_invited_people(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with host.client() as stranger:
            for path in ("/api/daily", f"/api/daily/{TODAY}"):
                assert (await stranger.get(path)).status_code == 200
            assert (await stranger.post(f"/api/daily/{TODAY}")).status_code == 401
            await host.service.host_rules.set_invite_only(is_invite_only=True)
            assert (await stranger.get("/api/daily")).status_code == 403

    with_server(test, tmp_path, clock=Hands(START))


def test_somebody_who_is_gone_or_was_sent_away_is_not_named_among_the_best(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            for seed, one in enumerate((ada, bo)):
                await play_alone(one, await begin(one), seed)
            await host.service.people.update(bo.id, is_banned=True)
            await ada.ask("PATCH", "/api/me", {"name": "Ada of the Nile"})
            day = await ada.ask("GET", f"/api/daily/{TODAY}")
            assert [line["name"] for line in day["best"]] == ["Ada of the Nile"]
            assert sum(line["count"] for line in day["scores"]) == 2

    with_server(test, tmp_path, clock=Hands(START))


def test_the_sides_of_a_day_follow_from_its_date() -> None:
    bits = f"{hashlib.sha256(b'2026-11-17').digest()[0]:08b}"[:6]
    assert sides_of("2026-11-17") == bits.replace("0", "A").replace("1", "B")
    assert len({sides_of(f"2026-{month:02}-{day:02}") for month in range(1, 13) for day in range(1, 29)}) > 50
