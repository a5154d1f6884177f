"""What the host can do, from end to end."""

import asyncio
import contextlib
import io
import json
import random
import zipfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from royalcrypt import Record
from royalcrypt.play.fairness import Finding, verify
from tests.server.harness import Host, Json, Person, people, person, play_on, seated, serving, with_server

Boss = httpx.AsyncClient


@contextlib.asynccontextmanager
async def boss_of(host: Host) -> AsyncGenerator[Boss]:
    async with host.client(headers=host.host_headers()) as boss:
        yield boss


async def order(boss: Boss, method: str, path: str, body: Any = None, status: int = 204) -> None:
    answer = await boss.request(method, f"/api/host{path}", json=body)
    assert answer.status_code == status, answer.text


async def is_sent_away(one: Person) -> None:
    with pytest.raises(ConnectionClosed) as ended:
        await one.hear("never")
    assert ended.value.rcvd is not None
    assert ended.value.rcvd.code == 1008


def test_who_is_kicked_is_out_at_once_and_a_bot_plays_on_until_they_may_return(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as both, boss_of(host) as boss, person(host, "Cleo") as cleo:
            ada, bo = both
            table = await seated(both, leader=1)
            waiting = (await bo.open_table(players=2, is_listed=True))["info"]["table"]
            await cleo.post(f"/api/tables/{waiting}/seats/1", {})
            await order(boss, "PUT", f"/people/{bo.id}/kick", {"on": True})
            await is_sent_away(bo)
            for method, path in (
                ("GET", "/api/me"),
                ("POST", f"/api/tables/{table}/return"),
                ("POST", "/api/tables"),
            ):
                assert (await bo.ask(method, path, {}, status=403))["code"] == "banned"
            with pytest.raises(ConnectionClosed):
                await bo.connect()
            info = (await ada.ask("GET", f"/api/tables/{table}"))["info"]
            assert [place["taken_over"] for place in info["seats"]] == [None, "kicked"]
            while ada.view["actor"] != 0:  # so the bot decides for Bo
                await ada.hear("update")
            left = (await cleo.ask("GET", f"/api/tables/{waiting}"))["info"]
            assert [place["kind"] for place in left["seats"]] == ["free", "person"]
            assert left["owner"] == cleo.id
            await order(boss, "PUT", f"/people/{bo.id}/kick", {"on": False})
            await bo.connect()
            await bo.watch(table)
            back = await bo.post(f"/api/tables/{table}/return")
            assert back["table"]["info"]["seats"][1]["taken_over"] is None
            assert back["events"], "with what happened meanwhile"
            assert (await ada.tell(type="ping"))["type"] == "done"

    with_server(test, tmp_path)


def test_what_somebody_had_said_before_they_were_kicked_is_not_heard_after_it(tmp_path: Path) -> None:
    """Messages wait their turn; those of somebody who must go are not read any more."""

    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo), boss_of(host) as boss:
            table = (await ada.open_table(is_listed=True))["info"]["table"]
            for one in (ada, bo):
                await one.watch(table)
            for number in range(200):
                await bo.send(type="say", table=table, text=f"spam {number}")
            await order(boss, "PUT", f"/people/{bo.id}/kick", {"on": True})
            while bo.id in host.service.hub.of_person:
                await ada.tell(type="ping")
            heard = sum(b"spam" in raw for raw in ada.received)
            for _ in range(3):
                await ada.tell(type="ping")
            assert sum(b"spam" in raw for raw in ada.received) == heard

    with_server(test, tmp_path)


def test_who_is_muted_plays_and_listens_but_says_nothing(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as both, boss_of(host) as boss:
            ada, bo = both
            table = await seated(both, leader=1)
            await order(boss, "PUT", f"/people/{bo.id}/mute", {"on": True})
            assert (await bo.ask("GET", "/api/me"))["is_muted"]
            for words in ({"type": "say", "text": "hello"}, {"type": "react", "reaction": "hello"}):
                assert (await bo.tell(table=table, **words))["reason"]["code"] == "muted"
            await ada.tell(type="say", table=table, text="are you there?")
            assert (await bo.hear("said"))["line"]["text"] == "are you there?"
            assert await play_on(both, table, random.Random(1), most=3) == 3
            await order(boss, "PUT", f"/people/{bo.id}/mute", {"on": False})
            assert (await bo.tell(type="say", table=table, text="hello"))["type"] == "done"

    with_server(test, tmp_path)


@pytest.mark.parametrize("is_running", [False, True])
def test_a_table_that_the_host_closes_is_closed_for_everybody(is_running: bool, tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as both, boss_of(host) as boss:
            ada, _ = both
            if is_running:
                table = await seated(both)
            else:
                table = (await ada.open_table())["info"]["table"]
                await ada.watch(table)
            await order(boss, "POST", f"/tables/{table}/close")
            told = await ada.hear("update")
            assert (told["info"]["status"], told["info"]["why_closed"]) == ("closed", "host")
            acted = await ada.act(table, {"do": "recover"})
            assert acted["reason"]["code"] == "table_closed"
            assert (await ada.ask("POST", f"/api/tables/{table}/start", status=409))["code"] == "table_closed"
            assert table not in str(await ada.ask("GET", "/api/me/games"))
            await order(boss, "POST", f"/tables/{table}/close", status=409)
            await order(boss, "POST", "/tables/never-was1/close", status=404)

    with_server(test, tmp_path)


def test_an_invite_only_server_lets_in_those_with_the_invitation_and_keeps_who_is_there(
    tmp_path: Path,
) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, boss_of(host) as boss, host.client() as newcomer:
            await order(boss, "PUT", "/rules", {"is_invite_only": True})
            overview: Json = (await boss.get("/api/host")).json()
            assert overview["is_invite_only"]
            for given in ({}, {"invitation": None}, {"invitation": ""}, {"invitation": "guessed"}):
                refused = await newcomer.post("/api/me", json={"name": "Cy"} | given)
                assert (refused.status_code, refused.json()["code"]) == (403, "invite_only")
                assert "set-cookie" not in refused.headers
            assert (await newcomer.get("/api/tables")).json()["code"] == "invite_only"
            await ada.ask("GET", "/api/me", status=200)
            await ada.ask("GET", "/api/tables", status=200)
            await ada.open_table()
            code = (await ada.post("/api/me/codes"))["code"]
            async with host.client() as phone:
                assert (await phone.post("/api/sign-in", json={"code": code})).status_code == 200
            invited = {"name": "Cy", "invitation": overview["invitation"]}
            assert (await newcomer.post("/api/me", json=invited)).status_code == 201
            await order(boss, "PUT", "/rules", {"is_invite_only": False})
            newcomer.cookies.clear()
            assert (await newcomer.post("/api/me", json={"name": "Di"})).status_code == 201

    with_server(test, tmp_path)


def test_a_notice_reaches_everybody_now_and_later_until_it_is_taken_back(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as both, boss_of(host) as boss:
            await order(boss, "PUT", "/notice", {"text": "  Closing at ten.  "})
            for one in both:
                assert (await one.hear("notice"))["text"] == "Closing at ten."
            async with person(host, "Cy", is_connected=False) as cy:
                assert (await cy.connect())["notice"] == "Closing at ten."
            await order(boss, "PUT", "/notice", {"text": "x" * 501}, status=400)
            await order(boss, "PUT", "/notice", {"text": ""})
            for one in both:
                assert (await one.hear("notice"))["text"] == ""
            async with person(host, "Di", is_connected=False) as di:
                assert "notice" not in await di.connect()

    with_server(test, tmp_path)


def test_what_the_host_decided_holds_after_a_restart(tmp_path: Path) -> None:
    async def decide(host: Host) -> dict[str, str]:
        async with person(host, is_connected=False) as ada, boss_of(host) as boss:
            await order(boss, "PUT", f"/people/{ada.id}/kick", {"on": True})
            await order(boss, "PUT", "/rules", {"is_invite_only": True})
            await order(boss, "PUT", "/notice", {"text": "Welcome back."})
            return {"Cookie": ada.cookie}

    async def look(host: Host, headers: dict[str, str]) -> None:
        async with boss_of(host) as boss, host.client() as http:
            overview: Json = (await boss.get("/api/host")).json()
            assert overview["is_invite_only"]
            assert overview["notice"] == "Welcome back."
            assert (await http.get("/api/me", headers=headers)).status_code == 403

    async def both(data: Path) -> None:
        async with serving(data) as host:
            headers = await decide(host)
        async with serving(data) as host:
            await look(host, headers)

    asyncio.run(both(tmp_path))


def unpacked(packed: bytes) -> dict[str, list[Json]]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        return {
            name: [json.loads(line) for line in archive.read(name).splitlines()]
            for name in archive.namelist()
        }


def test_the_export_holds_everything_and_of_running_games_what_spectators_see(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as both, boss_of(host) as boss:
            ada, _ = both
            over = await seated(both)
            await ada.tell(type="say", table=over, text="a good game")
            await play_on(both, over, random.Random(1))
            running = await seated(both)
            await play_on(both, running, random.Random(2), most=6)
            waiting = (await ada.open_table())["info"]["table"]
            answer = await boss.get("/api/host/export")
            assert answer.headers["content-type"] == "application/zip"
            assert answer.headers["content-disposition"].endswith('.zip"')
            found = unpacked(answer.content)
            assert {one["id"] for one in found["people.jsonl"]} == {one.id for one in both}
            assert {one["table"]: one["status"] for one in found["tables.jsonl"]} == {
                over: "over", running: "running", waiting: "open"
            }  # fmt: skip
            assert [one["text"] for one in found["chat.jsonl"]] == ["a good game"]
            (record,) = found["records.jsonl"]
            assert record == await ada.ask("GET", f"/api/tables/{over}/record")
            assert verify(Record.parse(json.dumps(record))).finding is Finding.FAIR
            (seen,) = found["running.jsonl"]
            assert (seen["game"]["id"], seen["viewer"]) == (running, "spectator")
            assert set(seen["fairness"]) == {"commitment", "entropy"}
            kept = await host.service.tables.table(running)
            spectators = await spectators_record(host, running, kept.invite)
            assert seen == spectators
            told = json.dumps(found)
            cookie = ada.cookie.partition("=")[2]
            for hidden in (kept.secret.hex(), kept.invite, cookie, host.service.host_rules.invitation()):
                assert hidden not in told

    with_server(test, tmp_path)


async def spectators_record(host: Host, table: str, invite: str) -> Json:
    async with person(host, "Sam", is_connected=False) as sam:
        return await sam.ask("GET", f"/api/tables/{table}/record", headers={"X-Table-Invite": invite})


def test_the_host_sees_everybody_and_every_table(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo), boss_of(host) as boss:
            private = (await ada.open_table())["info"]["table"]
            listed = (await bo.open_table(is_listed=True))["info"]["table"]
            await bo.disconnect()
            while bo.id in host.service.hub.of_person:
                await ada.tell(type="ping")
            lines: list[Json] = (await boss.get("/api/host/people")).json()
            assert {(line["name"], line["is_connected"]) for line in lines} == {("Ada", True), ("Bo", False)}
            tables: list[Json] = (await boss.get("/api/host/tables")).json()
            assert {info["table"] for info in tables} == {private, listed}
            overview: Json = (await boss.get("/api/host")).json()
            assert overview["connections"] == 1
            assert overview["tables"] == {"open": 2, "running": 0, "over": 0, "closed": 0}
            await order(boss, "PUT", "/people/nobody12/kick", {"on": True}, status=404)
            await order(boss, "PUT", "/people/nobody12/mute", {"on": True}, status=404)

    with_server(test, tmp_path)


async def joins(host: Host, invitation: str) -> int:
    """What somebody without an account is answered who has this invitation."""
    async with host.client() as http:
        answer = await http.post("/api/me", json={"name": "Cy", "invitation": invitation})
        assert ("set-cookie" in answer.headers) == answer.is_success
        return answer.status_code


async def invitation_of(boss: Boss) -> str:
    return (await boss.get("/api/host")).json()["invitation"]


def test_a_renewed_invitation_lets_in_and_the_old_one_does_not_even_after_a_restart(tmp_path: Path) -> None:
    async def both(data: Path) -> None:
        async with serving(data) as host, person(host) as ada, boss_of(host) as boss:
            await order(boss, "PUT", "/rules", {"is_invite_only": True})
            old = await invitation_of(boss)
            new = (await boss.post("/api/host/invitation")).json()["invitation"]
            assert new not in ("", old)
            assert await invitation_of(boss) == new
            assert [await joins(host, old), await joins(host, new)] == [403, 201]
            await ada.open_table()
            await ada.post("/api/host/invitation", status=401)
        async with serving(data) as host:
            assert [await joins(host, old), await joins(host, new)] == [403, 201]

    asyncio.run(both(tmp_path))


def test_who_was_kicked_finds_no_way_back_to_an_invite_only_server(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo), boss_of(host) as boss:
            await order(boss, "PUT", "/rules", {"is_invite_only": True})
            old = await invitation_of(boss)
            program = await bo.post("/api/me/programs", {"name": "Clockwork"})
            code = (await bo.post("/api/me/codes"))["code"]
            phrase = (await bo.post("/api/me/recovery"))["phrase"]
            phone_code = (await bo.post("/api/me/codes"))["code"]
            async with host.client() as phone, host.client() as stranger:
                assert (await phone.post("/api/sign-in", json={"code": phone_code})).status_code == 200
                await order(boss, "PUT", f"/people/{bo.id}/kick", {"on": True})
                for http in (phone, stranger):
                    assert (await http.post("/api/sign-in", json={"code": code})).status_code == 403
                    recovered = await http.post("/api/sign-in/phrase", json={"phrase": phrase})
                    assert recovered.status_code == 403
                assert (await phone.get("/api/tables")).json()["code"] == "banned"
                token = {"Authorization": f"Bearer {program['token']}"}
                assert (await stranger.get("/api/me", headers=token)).json()["code"] == "banned"
            assert await joins(host, old) == 403
            await ada.open_table()
            new = await invitation_of(boss)
            assert await joins(host, new) == 201
            await order(boss, "PUT", f"/people/{bo.id}/kick", {"on": False})
            assert await invitation_of(boss) == new

    with_server(test, tmp_path)
