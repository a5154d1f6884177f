"""``royalcrypt connect`` plays on a server with a bot."""

import asyncio
from pathlib import Path

import pytest

from royalcrypt.cli import main
from royalcrypt.cli.bot_client import ServerClient
from royalcrypt.live.connection import Close
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables.journal import Status
from tests.server.harness import Host, person, until, with_server
from tests.server.keeping import made


async def connected(host: Host, *arguments: str) -> int:
    return await asyncio.to_thread(main, ["connect", host.url, "--games", "1", *arguments])


def seen(host: Host, table: str) -> Status:
    found = host.service.tables.in_use(table)
    assert found is not None
    return found.status


@pytest.mark.parametrize("players", [2, 3])
def test_a_bot_plays_a_whole_game_on_a_server(
    players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It gets its seat while it is connected; the connection is cut during the game."""

    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            program = await made(ada)
            bots = [{"seat": seat, "level": "greedy"} for seat in range(1, players)]
            opened = await ada.open_table(sit=(), players=players, bots=bots, collectors="BBBBBB")
            table = opened["info"]["table"]
            playing = asyncio.create_task(connected(host, "--token", program["token"], "--bot", "novice"))
            await until(lambda: program["program"]["id"] in host.service.hub.of_person)
            path = f"/api/tables/{table}/seats/0/program"
            await ada.ask("PUT", path, {"program": program["program"]["id"]})
            await ada.post(f"/api/tables/{table}/start")
            await until(lambda: (host.service.tables.loaded[table].table.ply) > 12)
            host.service.hub.disconnect(program["program"]["id"], Close.RESTART)
            assert await playing == 0
            assert seen(host, table) is Status.OVER

    with_server(test, tmp_path, bot_pause=0.02)
    said = capsys.readouterr().out
    assert "novice plays as Robot" in said
    assert "The line is lost" in said
    assert "is over." in said
    assert "Refused" not in said


def test_a_bot_takes_a_free_seat_by_a_link_and_plays_against_the_ghost(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            opened = await ada.open_table(sit=(), players=1)
            table, invite = opened["info"]["table"], opened["you"]["invite"]
            token = (await made(ada))["token"]
            link = f"{host.url}/#/table/{table}/{invite}"
            arguments = ["connect", link, "--token", token, "--games", "1"]
            playing = asyncio.create_task(asyncio.to_thread(main, arguments))
            await until(lambda: not host.service.tables.loaded[table].table.seats[0].is_free)
            await ada.post(f"/api/tables/{table}/start")
            assert await playing == 0
            assert seen(host, table) is Status.OVER
            assert await asyncio.to_thread(main, arguments) == 2

    with_server(test, tmp_path)


def test_a_table_without_memory_aid_is_left_to_another_bot(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            program = await made(ada)
            table = (await ada.open_table(players=2, leader=1, remembers=False))["info"]["table"]
            path = f"/api/tables/{table}/seats/1/program"
            await ada.ask("PUT", path, {"program": program["program"]["id"]})
            await ada.post(f"/api/tables/{table}/start")
            playing = asyncio.create_task(connected(host, "--token", program["token"]))
            await until(lambda: host.service.tables.loaded[table].table.seats[1].taken_over == "left")
            await ada.ask("DELETE", f"/api/me/programs/{program['program']['id']}", status=204)
            assert await playing == 1

    with_server(test, tmp_path)


def test_a_wrong_token_is_reported_with_the_servers_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def test(host: Host) -> None:
        assert await connected(host, "--token", "crypt_wrong") == 2

    with_server(test, tmp_path)
    assert "The server refuses: This token is not valid" in capsys.readouterr().err


def test_the_token_may_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROYALCRYPT_TOKEN", "crypt_wrong")

    async def test(host: Host) -> None:
        assert await connected(host) == 2

    with_server(test, tmp_path)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["http://127.0.0.1:9"], "A program needs a token"),
        (["http://127.0.0.1:9", "--token", "x"], "Nobody answers at http://127.0.0.1:9"),
        (["127.0.0.1:9", "--token", "x"], "127.0.0.1:9 is no address of a server"),
        (["file:///etc/passwd", "--token", "x"], "is no address of a server"),
        (["http://127.0.0.1:9", "--token", "x", "--bot", "nobody"], "nobody"),
        (["http://127.0.0.1:9", "--token", "x", "--games", "0"], "--games 0"),
    ],
)
def test_wrong_arguments_are_refused_with_a_reason(
    arguments: list[str],
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("ROYALCRYPT_TOKEN", raising=False)
    assert main(["connect", *arguments]) == 2
    assert reason in capsys.readouterr().err


def test_several_forms_of_an_address_are_accepted() -> None:
    for text in ("http://a.example", "http://a.example/", "http://a.example/#/table/six_66/x"):
        assert ServerClient.at(text, "t").url == "http://a.example"
    assert ServerClient.at("https://a.example", "t").socket_url == "wss://a.example/socket"
    with pytest.raises(Refusal) as caught:
        ServerClient.at("ftp://a.example", "t")
    assert caught.value.reason is Reason.NOT_A_SERVER
