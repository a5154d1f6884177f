"""The example programs play whole games on a real server, and their records pass every check."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from royalcrypt.cli import main
from royalcrypt.live.connection import Close
from royalcrypt.tables.entries import Moved, decode_entry
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table
from tests.examples.running import FOLDER, PROGRAMS, started
from tests.server.harness import Host, Json, Person, person, until, with_server
from tests.server.keeping import made


async def ended(host: Host, table: str) -> Json:
    """The record of a game, once it is over."""
    await until(lambda: seen(host, table).status is Status.OVER)
    game = seen(host, table).game
    assert game is not None
    return json.loads(game.record().to_json())


def seen(host: Host, table: str) -> Table:
    found = host.service.tables.in_use(table)
    assert found is not None
    return found


async def seated(ada: Person, languages: list[str], **settings: Any) -> tuple[str, list[str]]:
    """A table with a program for each language in its first seats; returns the table and the tokens."""
    table = (await ada.open_table(sit=(), **settings))["info"]["table"]
    tokens: list[str] = []
    for seat, language in enumerate(languages):
        program = await made(ada, language)
        tokens.append(program["token"])
        await ada.ask(
            "PUT", f"/api/tables/{table}/seats/{seat}/program", {"program": program["program"]["id"]}
        )
    return table, tokens


def check(record: Json, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record), "utf-8")
    assert main(["check", str(path)]) == 0
    assert main(["verify", str(path)]) == 0


@pytest.mark.parametrize("file", ["program.py", "program.mjs"])
def test_an_example_is_short(file: str) -> None:
    assert len((FOLDER / file).read_text("utf-8").splitlines()) < 80


def test_the_two_programs_play_each_other_to_the_end(tmp_path: Path) -> None:
    async def test(host: Host) -> Json:
        languages = list(PROGRAMS)
        async with person(host, is_connected=False) as ada:
            table, tokens = await seated(ada, languages, players=2, collectors="BBBBBB")
            with ExitStack() as stack:
                for language, token in zip(languages, tokens, strict=True):
                    stack.enter_context(started(language, host.url, token))
                await ada.post(f"/api/tables/{table}/start")
                return await ended(host, table)

    record = with_server(test, tmp_path)
    assert [seat["kind"] for seat in record["game"]["seats"]] == ["program:Python", "program:JavaScript"]
    check(record, tmp_path)


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_program_invited_by_a_link_plays_a_whole_game_despite_a_lost_connection(
    language: str, tmp_path: Path
) -> None:
    async def test(host: Host) -> Json:
        async with person(host, is_connected=False) as ada:
            opened = await ada.open_table(sit=(), players=2, bots=[{"seat": 0, "level": "random"}])
            table, invite = opened["info"]["table"], opened["you"]["invite"]
            program = await made(ada, language)
            link = f"{host.url}/#/table/{table}/{invite}"
            with started(language, host.url, program["token"], link):
                await until(lambda: program["program"]["id"] in host.service.hub.of_person)
                await ada.post(f"/api/tables/{table}/start")
                await until(lambda: seen(host, table).ply >= 10)
                host.service.hub.disconnect(program["program"]["id"], Close.RESTART)
                record = await ended(host, table)
            entries = [decode_entry(line) for line in await host.service.journal.entries(table)]
            own = [entry for entry in entries if isinstance(entry, Moved) and entry.seat == 1]
            assert len(own) >= 8
            assert not any(entry.is_bots for entry in own), "nobody played for it"
            return record

    record = with_server(test, tmp_path, bot_pause=0.05)
    assert record["game"]["seats"][1]["kind"] == f"program:{language}"
    check(record, tmp_path)
