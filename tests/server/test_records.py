"""Records of live games: whole for all who may watch, the viewer's own while it runs, and always fair."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from royalcrypt import Record
from royalcrypt.cli import main
from royalcrypt.play.fairness import Finding, verify
from tests.server.harness import Host, Json, Person, people, person, play_on, seated, with_server


async def record_of(someone: Person, table: str) -> Json:
    return await someone.ask("GET", f"/api/tables/{table}/record")


def test_a_finished_game_is_kept_as_a_record_for_all_who_may_watch(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            ada, bo = two
            table = await seated(two, is_listed=True, collectors="ABABAB", leader=1)
            info = (await ada.watch(table))["info"]
            await play_on(two, table, random.Random(0))
            record = await record_of(ada, table)
            assert await record_of(bo, table) == record
            assert record["game"] | {"created": ""} == {
                "id": table,
                "created": "",
                "players": 2,
                "mode": "standard",
                "collectors": "ABABAB",
                "leader": 1,
                "seats": [{"name": "Ada", "kind": "human"}, {"name": "Bo", "kind": "human"}],
            }
            assert record["fairness"]["commitment"] == info["commitment"]
            assert record["fairness"]["entropy"] == ["Ada", "Bo"]
            assert record["result"]["scores"] == ada.view["scores"]
            assert verify(Record.parse(record)).finding is Finding.FAIR
            assert await record_of(eve, table) == record

    with_server(test, tmp_path)


def test_the_record_of_a_private_table_is_for_those_with_its_link(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two)
            path, invite = f"/api/tables/{table}/record", (await two[1].watch(table))["you"]["invite"]
            await play_on(two, table, random.Random(2))
            for wrong in ({}, {"X-Table-Invite": "x" * len(invite)}):
                refused = await eve.ask("GET", path, headers=wrong, status=404)
                assert refused["code"] == "no_such_table"
            record = await eve.ask("GET", path, headers={"X-Table-Invite": invite})
            assert verify(Record.parse(record)).finding is Finding.FAIR
            assert (await eve.http.get("/api/me/records")).text == ""

    with_server(test, tmp_path)


def test_where_spectators_are_not_wanted_only_those_who_played_get_the_record(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two, is_listed=True, spectators=False)
            await play_on(two, table, random.Random(3))
            refused = await eve.ask("GET", f"/api/tables/{table}/record", status=403)
            assert refused["code"] == "no_spectators"
            assert verify(Record.parse(await record_of(two[1], table))).finding is Finding.FAIR

    with_server(test, tmp_path)


def test_nobody_gets_a_record_without_a_name(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, host.client() as stranger:
            table = await seated(two, is_listed=True)
            await play_on(two, table, random.Random(4))
            assert (await stranger.get(f"/api/tables/{table}/record")).status_code == 401

    with_server(test, tmp_path)


def test_of_a_running_game_everybody_gets_what_they_may_know(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two, is_listed=True)
            await play_on(two, table, random.Random(1), most=12)
            for reader, viewer in ((two[0], 0), (two[1], 1), (eve, "spectator")):
                record = await record_of(reader, table)
                assert (record["viewer"], "seed" in record["fairness"]) == (viewer, False)
                assert not {"secret", "moves", "result"} & record.keys()
                assert verify(Record.parse(record)).finding is Finding.VIEWERS
            shown = await two[0].watch(table)
            assert shown["events"] == (await record_of(two[0], table))["events"]

    with_server(test, tmp_path)


def test_before_the_start_there_is_no_record(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            table = (await ada.open_table())["info"]["table"]
            refused = await ada.ask("GET", f"/api/tables/{table}/record", status=404)
            assert refused["code"] == "no_record"
            assert (await ada.http.get("/api/me/records")).text == ""

    with_server(test, tmp_path)


def test_all_of_ones_records_pass_check_and_verify(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def test(host: Host) -> str:
        async with people(host, 3) as three:
            for number, count in enumerate((1, 2, 3, 2)):
                table = await seated(three[:count], collectors="??????")
                await play_on(three[:count], table, random.Random(number))
            answer = await three[0].http.get("/api/me/records")
            assert answer.headers["content-type"].startswith("application/x-ndjson")
            assert "records.jsonl" in answer.headers["content-disposition"]
            others: Any = (await three[2].http.get("/api/me/records")).text.splitlines()
            assert [json.loads(line)["game"]["players"] for line in others] == [3]
            return answer.text

    records = with_server(test, tmp_path)
    players = [json.loads(line)["game"]["players"] for line in records.splitlines()]
    assert players == [2, 3, 2, 1]
    (tmp_path / "mine.jsonl").write_text(records, "utf-8")
    assert main(["check", str(tmp_path / "mine.jsonl")]) == 0
    assert main(["verify", str(tmp_path / "mine.jsonl")]) == 0
    assert capsys.readouterr().out.count(": fair: ") == 4


def test_a_game_that_bots_finished_for_people_is_a_game_of_people(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two)
            await ada.post(f"/api/tables/{table}/leave")
            await ada.disconnect()
            while bo.view["phase"] != "over":
                if bo.view["actor"] == 1:
                    await play_on([bo, bo], table, random.Random(1), most=1)
                else:
                    await bo.hear("update")
            record = await record_of(ada, table)
            assert [seat["kind"] for seat in record["game"]["seats"]] == ["human", "human"]
            assert verify(Record.parse(record)).finding is Finding.FAIR

    with_server(test, tmp_path)
