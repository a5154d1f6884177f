"""A token opens tables and seats, and nothing that is a person's own."""

import re
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from royalcrypt.server.http.callers import SUBPROTOCOL, TOKEN_PREFIX
from royalcrypt.server.http.common import is_for_programs
from tests.server.harness import Host, Json, people, person, with_server
from tests.server.keeping import Robot, made, robot
from tests.server.security.raw import ask, knock


async def status_of(host: Host, token: str) -> int:
    return (await ask(host, "GET", "/api/me", Authorization=f"Bearer {token}")).status


def test_a_wrong_token_is_refused_clearly_whatever_cookie_comes_with_it(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            token = (await made(ada))["token"]
            for wrong in ("", "crypt_", token[:-1], token + "x", token.swapcase(), "é" * 43):
                answer = await ask(host, "GET", "/api/me", Authorization=f"Bearer {wrong}", Cookie=ada.cookie)
                assert (answer.status, answer.reason) == (401, "wrong_token")
                assert answer.headers["www-authenticate"] == "Bearer"
            assert await status_of(host, token) == 200

    with_server(test, tmp_path)


def test_a_token_counts_more_than_a_cookie(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada, robot(ada, is_connected=False) as program:
            me = await ada.ask("GET", "/api/me", headers=program.bearer)
            assert me["person"] == program.id
            assert (await ada.ask("GET", "/api/me"))["person"] == ada.id

    with_server(test, tmp_path)


def test_other_schemes_say_nothing_about_programs(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            basic = {"Authorization": "Basic YWRhOmFkYQ=="}
            assert (await ada.ask("GET", "/api/me", headers=basic))["person"] == ada.id

    with_server(test, tmp_path)


def test_a_program_can_do_nothing_that_is_a_persons_own(tmp_path: Path) -> None:
    """Every endpoint that knows who asks, also those to come, is closed unless it is for programs."""

    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            before = await ada.ask("GET", "/api/me/programs")
            paths: Json = (await program.ask("GET", "/api/schema/openapi.json"))["paths"]
            closed = [
                (method, path)
                for path, methods in paths.items()
                for method, one in methods.items()
                if one["security"] == [{"person": []}]
            ]
            assert len(closed) >= 6
            for method, path in closed:
                assert not is_for_programs(method.upper(), path)
                filled = re.sub(r"{\w+}", "never-was1", path)
                answer = await program.http.request(method, filled, json={"name": "x"})
                assert answer.status_code in (400, 403), (method, path, answer.text)
                assert "set-cookie" not in answer.headers
            assert await ada.ask("GET", "/api/me/programs") == before

    with_server(test, tmp_path)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/me/programs", {"name": "Child"}),
        ("POST", "/api/me/codes", None),
        ("DELETE", "/api/me/device", None),
        ("DELETE", "/api/me", {"name": "Robot"}),
        ("POST", "/api/sign-in", {"code": "0000-0000"}),
    ],
)
def test_a_program_makes_no_others_and_becomes_nobody_else(
    method: str, path: str, body: Json | None, tmp_path: Path
) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada, is_connected=False) as program:
            assert (await program.ask(method, path, body, status=403))["code"] == "not_for_programs"
            assert (await program.post("/api/me", {"name": "New"}, status=409))["code"] == "already_signed_in"

    with_server(test, tmp_path)


def test_nobody_touches_another_persons_program(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            answer = await made(ada)
            path = f"/api/me/programs/{answer['program']['id']}"
            assert (await bo.post(f"{path}/token", status=404))["code"] == "no_such_program"
            assert (await bo.ask("DELETE", path, status=404))["code"] == "no_such_program"
            assert await bo.ask("GET", "/api/me/programs") == []
            assert await status_of(host, answer["token"]) == 200

    with_server(test, tmp_path)


async def is_shut_out(program: Robot) -> None:
    """Its socket is closed for good, and its token opens nothing."""
    assert program.socket is not None
    await program.socket.wait_closed()
    assert program.socket.close_code == 1008
    assert await status_of(program.host, program.token) in (401, 403)


def test_a_renewed_token_shuts_the_old_one_out_at_once(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            renewed = await ada.post(f"/api/me/programs/{program.id}/token")
            await is_shut_out(program)
            assert await status_of(host, renewed["token"]) == 200

    with_server(test, tmp_path)


def test_a_removed_program_is_shut_out_at_once(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            await ada.ask("DELETE", f"/api/me/programs/{program.id}", status=204)
            await is_shut_out(program)

    with_server(test, tmp_path)


def test_a_program_does_not_come_back_while_its_keeper_is_being_deleted(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada, is_connected=False) as program:
            host.service.identities.deleting |= {ada.id, program.id}
            assert await status_of(host, program.token) == 401
            assert (await program.connect())["reason"]["code"] == "wrong_token"

    with_server(test, tmp_path)


def test_a_program_is_sent_away_with_its_keeper_and_comes_back_with_them(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada) as program:
            opened = await program.open_table(players=2, bots=[{"seat": 1, "level": "random"}], start=True)

            async def kick(*, on: bool) -> None:
                path = f"/api/host/people/{ada.id}/kick"
                await ada.ask("PUT", path, {"on": on}, headers=host.host_headers())

            await kick(on=True)
            await is_shut_out(program)
            table = await host.service.tables.table(opened["info"]["table"])
            assert table.seats[0].taken_over == "kicked"
            answer = await ask(host, "GET", "/api/me", Authorization=f"Bearer {program.token}")
            assert (answer.status, answer.reason) == (403, "banned")
            await kick(on=False)
            assert await status_of(host, program.token) == 200

    with_server(test, tmp_path)


def test_a_token_may_be_said_as_a_protocol_by_those_who_cannot_send_headers(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada, is_connected=False) as program:
            good, wrong = (
                [Subprotocol(SUBPROTOCOL), Subprotocol(TOKEN_PREFIX + token)]
                for token in (program.token, "wrong")
            )
            async with connect(host.socket_url, subprotocols=good) as socket:
                assert socket.subprotocol == SUBPROTOCOL
                assert program.id in str(await socket.recv())
            async with connect(host.socket_url, subprotocols=wrong) as socket:
                assert '"wrong_token"' in str(await socket.recv())
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
                assert socket.close_code == 1008

    with_server(test, tmp_path)


def test_no_page_of_another_site_gets_in_even_with_a_token(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,), robot(ada, is_connected=False) as program:
            bearer = f"Bearer {program.token}"
            foreign = "http://elsewhere.example"
            answer = await ask(host, "POST", "/api/tables", b"{}", Authorization=bearer, Origin=foreign)
            assert (answer.status, answer.reason) == (403, "foreign_origin")
            for said in ({"Authorization": bearer}, {"Sec_WebSocket_Protocol": f"{SUBPROTOCOL}, bearer.x"}):
                assert (await knock(host, Origin=foreign, **said)).status == 403
            assert (await knock(host, Authorization=bearer)).status == 101

    with_server(test, tmp_path)


def test_nothing_on_the_disk_or_in_any_answer_tells_a_token(tmp_path: Path) -> None:
    async def test(host: Host) -> str:
        async with people(host, 1) as (ada,), robot(ada) as program:
            await program.open_table()
            for path in ("/api/me/programs", "/api/me", "/api/me/games"):
                assert program.token not in (await ada.http.get(path)).text
            async with host.client(headers=host.host_headers()) as boss:
                for path in ("/api/host/people", "/api/host/export"):
                    assert program.token.encode() not in (await boss.get(path)).content
            assert not files_with(program.token)
            return program.token

    def files_with(token: str) -> list[Path]:
        found = [file for file in tmp_path.rglob("*") if file.is_file()]
        assert found
        return [file for file in found if token.removeprefix("crypt_").encode() in file.read_bytes()]

    assert not files_with(with_server(test, tmp_path))
