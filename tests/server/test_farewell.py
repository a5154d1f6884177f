"""Somebody deletes themselves: nothing leads to them any more, and everybody else plays on."""

import asyncio
import contextlib
import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert
from websockets.exceptions import ConnectionClosed

from royalcrypt.cli import main
from royalcrypt.notation.reasons import Reason
from royalcrypt.server.operations.backups import back_up_daily
from royalcrypt.storage import schema
from royalcrypt.storage.people import Person as StoredPerson
from royalcrypt.tables.journal import NotKept, Status
from tests.server.harness import Host, Json, Person, any_action, person, play_on, seated, with_server

NAME, OLD_NAME, ADDRESS = "Zephyrine Quill", "Quillzephyr", "zephyrine@example.org"
ROBOTS = ("Zephyrobot", "Quillomat")
SECRETS = ("memo-of-z", "orders-of-z", "said-by-z", "Zephybot")


async def zephyrine(host: Host, stack: contextlib.AsyncExitStack) -> Person:
    """Somebody who was once called otherwise."""
    found = await stack.enter_async_context(person(host, OLD_NAME, is_connected=False))
    found.name = "entropy0"
    await found.connect()
    return found


async def robot_at_a_table(keeper: Person, name: str, shared: str) -> str:
    """A program that sat at a table with others, played at one of its keeper's, and is no more."""
    robot = (await keeper.post("/api/me/programs", {"name": name}))["program"]["id"]
    own = (await keeper.open_table(players=2))["info"]["table"]
    for table, seat in ((shared, 2), (own, 1)):
        await keeper.ask("PUT", f"/api/tables/{table}/seats/{seat}/program", {"program": robot})
    await keeper.post(f"/api/tables/{own}/start")
    await keeper.ask("DELETE", f"/api/tables/{shared}/seats/2")
    await keeper.ask("DELETE", f"/api/me/programs/{robot}", status=204)
    return robot


async def add_rows(host: Host, who: Person, table: str) -> str:
    """What other features keep about somebody; tells the id of their program."""
    program = "Zprogram_123"
    await host.service.people.add(StoredPerson(program, "Zephybot", 5), "device-of-zephybot")
    rows: list[tuple[Any, Json]] = [
        (schema.programs, {"person_id": program, "kept_by": who.id}),
        (schema.tokens, {"digest": b"t" * 32, "person_id": program, "created": 5}),
        (
            schema.addresses,
            {"person_id": who.id, "address": ADDRESS, "language": "en", "key": b"k", "asked": 1},
        ),
        (schema.letters, {"person_id": who.id, "table_id": table, "day": "2020-01-01", "taken": 5}),
        (schema.memos, {"table_id": table, "person_id": who.id, "text": "memo-of-z", "updated": 5}),
        (
            schema.standing_orders,
            {
                "table_id": table,
                "seat": 0,
                "person_id": who.id,
                "round": 1,
                "orders": b"orders-of-z",
                "updated": 5,
            },
        ),
        (schema.dailies, {"day": "2020-01-01", "secret": b"s", "collectors": "AAAAAA", "created": 1}),
        (
            schema.daily_tries,
            {"day": "2020-01-01", "person_id": who.id, "table_id": "a-daily-table", "begun": 7},
        ),
        (schema.duplicates, {"id": "a-duplicate", "owner": who.id, "created": 7}),
    ]
    database = host.service.journal.database

    def work(sql: Any) -> None:
        for into, values in rows:
            sql.execute(insert(into).values(**values))

    await database.run(work)
    return program


def found_in(data: Path, *words: str) -> set[tuple[str, str]]:
    """Which of these stand in the bytes of which file."""
    files = [path for path in data.iterdir() if path.name.startswith("royalcrypt.db")]
    texts = {path.name: path.read_bytes() for path in files}
    for packed in (data / "backups").glob("*.zip"):
        with zipfile.ZipFile(packed) as archive:
            texts |= {f"{packed.name}/{name}": archive.read(name) for name in archive.namelist()}
    return {(name, word) for name, text in texts.items() for word in words if word.encode() in text}


def test_deletion_leaves_no_trace_and_the_others_play_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def test(host: Host) -> tuple[str, ...]:
        async with contextlib.AsyncExitStack() as stack:
            zoe = await zephyrine(host, stack)
            bo = await stack.enter_async_context(person(host, "Bo"))
            before = await seated([zoe, bo], leader=0)
            await zoe.tell(type="say", table=before, text="said-by-z")
            await bo.tell(type="say", table=before, text="hello")
            await play_on([zoe, bo], before, random.Random(1))
            await zoe.ask("PATCH", "/api/me", {"name": NAME})
            await zoe.post("/api/me/recovery")
            await zoe.post("/api/me/codes")
            rematch = (await zoe.post(f"/api/tables/{before}/rematch", {"entropy": "e1"}))["info"]["table"]
            solo = (await zoe.open_table(start=True, players=1))["info"]["table"]
            empty = (await zoe.open_table(players=2, is_listed=True))["info"]["table"]
            waiting = (await zoe.open_table(players=3, is_listed=True))["info"]["table"]
            await bo.post(f"/api/tables/{waiting}/seats/1", {"entropy": "e2"})
            running = await seated([zoe, bo], leader=0, is_listed=True)
            await zoe.tell(type="say", table=running, text="said-by-z again")
            await play_on([zoe, bo], running, random.Random(2), most=3)
            robots = [await robot_at_a_table(zoe, name, waiting) for name in ROBOTS]
            program = await add_rows(host, zoe, running)
            await host.service.ratings.rate(host.service.tables.now() + 60_000)
            words = (zoe.id, program, *robots, NAME, OLD_NAME, ADDRESS, *ROBOTS, *SECRETS)
            assert found_in(host.service.settings.data, *words), "there was something to delete"
            data = await zoe.ask("GET", "/api/me/data")
            assert data["mail"][0]["address"] == ADDRESS
            assert data["chat"][0]["text"] == "said-by-z"

            await zoe.ask("DELETE", "/api/me", {"name": "somebody"}, status=409)
            await zoe.ask("DELETE", "/api/me", {"name": f" {NAME.upper()} "}, status=204)
            assert not zoe.http.cookies
            with pytest.raises(ConnectionClosed) as closed:
                await zoe.hear("never")
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 1008

            shown = await bo.hear("shown")
            while shown["table"] != running:  # the finished one is on his screen as well
                shown = await bo.hear("shown")
            seat = shown["info"]["seats"][0]
            assert (seat["kind"], seat["name"], seat["taken_over"]) == ("person", "", "left")
            assert [line["text"] for line in shown["chat"]] == []
            statuses = {
                table: (await host.service.tables.table(table)).status
                for table in (before, rematch, solo, empty, waiting, running)
            }
            assert list(statuses.values()) == [
                Status.OVER, Status.CLOSED, Status.CLOSED, Status.CLOSED, Status.OPEN, Status.RUNNING,
            ]  # fmt: skip
            assert (await bo.ask("GET", f"/api/tables/{waiting}"))["you"]["is_owner"]
            await play_to_the_end(bo, running)
            history = await bo.ask("GET", "/api/me/history")
            assert [game["seats"][0]["name"] for game in history["games"]] == ["", ""]
            statistics = await bo.ask("GET", "/api/me/statistics")
            assert [(rival["kind"], rival["games"]) for rival in statistics["rivals"]] == [("gone", 2)]
            assert statistics["rating"]["games"] == 1, "what was played before counts as it did"
            records = tmp_path / "records.jsonl"
            records.write_bytes((await bo.http.get("/api/me/records")).content)

            await host.service.purge_deleted()
            assert not await host.service.personal.vacuum()
            await asyncio.to_thread(back_up_daily, host.service.settings)
            async with host.client(headers=host.host_headers()) as boss:
                export = (await boss.get("/api/host/export")).content
            with zipfile.ZipFile(io.BytesIO(export)) as archive:
                told = b"".join(archive.read(name) for name in archive.namelist())
            assert [word for word in words if word.encode() in told] == []
            assert found_in(host.service.settings.data, *words) == set()
            return words

    words = with_server(test, tmp_path / "data")
    assert found_in(tmp_path / "data", *words) == set()
    assert main(["check", str(tmp_path / "records.jsonl")]) == 0
    assert main(["verify", str(tmp_path / "records.jsonl")]) == 0
    assert capsys.readouterr().out.count(": fair: ") == 2

    async def again(host: Host) -> None:
        """What is read from the disk is what was in memory."""
        for listing in await host.service.journal.listings(tuple(Status), is_listed=True):
            table = await host.service.tables.table(listing.table)
            assert table.status is listing.status

    with_server(again, tmp_path / "data")


async def play_to_the_end(bo: Person, table: str) -> None:
    await bo.watch(table)
    chance = random.Random(3)
    while bo.view["phase"] != "over":
        if bo.view["actor"] == 1:
            await bo.act(table, any_action(bo.view, chance))
        else:
            await bo.hear("update")


def test_if_the_disk_fails_the_person_is_whole_and_can_try_again(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, "Zoe") as zoe, person(host, "Bo") as bo:
            table = await seated([zoe, bo], leader=0)
            forget = host.service.personal.delete

            async def fail(_: str) -> None:
                raise NotKept(Reason.DISK_FULL)

            host.service.personal.delete = fail  # type: ignore[method-assign]
            await zoe.ask("DELETE", "/api/me", {"name": "Zoe"}, status=503)
            assert (await zoe.ask("GET", "/api/me"))["name"] == "Zoe"
            await zoe.post(f"/api/tables/{table}/return")
            host.service.personal.delete = forget  # type: ignore[method-assign]
            await zoe.ask("DELETE", "/api/me", {"name": "Zoe"}, status=204)
            assert found_names(await host.service.journal.entries(table)) == {"", "Bo"}

    with_server(test, tmp_path)


def found_names(entries: list[bytes]) -> set[str]:
    return {json.loads(entry)["name"] for entry in entries if json.loads(entry)["type"] == "sat"}


def test_several_who_leave_one_table_for_good_stay_apart_in_its_journal(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, "Ada") as ada, person(host, NAME) as zoe, person(host, "Bo") as bo:
            opened = await bo.open_table(players=3, sit=(2,), is_listed=True)
            table = opened["info"]["table"]
            for seat, one in enumerate((ada, zoe)):
                await one.post(f"/api/tables/{table}/seats/{seat}", {"entropy": f"e{seat}"})
            await ada.ask("DELETE", "/api/me", {"name": "Ada"}, status=204)
            await zoe.ask("DELETE", "/api/me", {"name": NAME}, status=204)
            for seat in (0, 1):
                await bo.ask("PUT", f"/api/tables/{table}/seats/{seat}/bot", {"level": "random"})
            await bo.post(f"/api/tables/{table}/start")
            in_memory = await host.service.tables.table(table)
            host.service.tables.loaded.clear()
            from_disk = await host.service.tables.table(table)
            assert from_disk.entropy == in_memory.entropy
            assert [place.level for place in from_disk.seats] == ["random", "random", None]

    with_server(test, tmp_path)


def test_no_seat_is_kept_for_somebody_who_is_gone(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, person(host, "Bo") as bo:
            table = await seated([ada, bo])
            for one in (ada, bo):
                await one.watch(table)
            await play_on([ada, bo], table, random.Random(3))
            await bo.ask("DELETE", "/api/me", {"name": "Bo"}, status=204)
            again = await ada.post(f"/api/tables/{table}/rematch", {"entropy": "e1"})
            assert [seat["kind"] for seat in again["info"]["seats"]] == ["person", "free"]

    with_server(test, tmp_path)


def test_of_many_who_leave_while_others_play_nothing_is_left_and_no_move_is_lost(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with contextlib.AsyncExitStack() as stack:
            stay = [await stack.enter_async_context(person(host, f"Stay{n}")) for n in range(4)]
            go = [await stack.enter_async_context(person(host, f"Zephyr{n}")) for n in range(4)]
            tables = [await seated([one, other], leader=0) for one, other in zip(stay, go, strict=True)]

            async def leave(one: Person, table: str) -> None:
                await play_some(one, table)
                await one.ask("DELETE", "/api/me", {"name": one.name}, status=204)

            async def play_on_alone(one: Person, table: str) -> None:
                chance = random.Random(4)
                while one.view["phase"] != "over":
                    if one.view["actor"] == 0:
                        await one.act(table, any_action(one.view, chance))
                    else:
                        await one.hear("update", "shown")

            await asyncio.gather(
                *(leave(one, table) for one, table in zip(go, tables, strict=True)),
                *(play_on_alone(one, table) for one, table in zip(stay, tables, strict=True)),
            )
            for one in go:
                assert not await host.service.personal.is_mentioned(one.id)
            for table in tables:
                assert (await host.service.tables.table(table)).status is Status.OVER
            await host.service.purge_deleted()
            assert found_in(tmp_path, *(one.id for one in go)) == set()

    with_server(test, tmp_path)


async def play_some(one: Person, table: str) -> None:
    chance = random.Random(5)
    for _ in range(3):
        while one.view["actor"] != 1:
            await one.hear("update")

        await one.act(table, any_action(one.view, chance))
