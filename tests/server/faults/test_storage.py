"""A disk that is full or fails, a database that is locked: a clear refusal, and play goes on afterwards."""

import asyncio
import random
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest
from structlog.typing import EventDict
from websockets.exceptions import ConnectionClosed

from royalcrypt.live.bot_scheduler import MoveChooser
from royalcrypt.live.connection import Close
from royalcrypt.notation.moves import Move
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay
from royalcrypt.play.views import View
from royalcrypt.server.clock import wall_clock
from royalcrypt.storage.sqlite.connection import Tuning, open_raw
from royalcrypt.storage.sqlite.database import SqliteDatabase
from tests.server.captured import captured_logs
from tests.server.harness import (
    Host,
    Json,
    Person,
    any_action,
    catch_up,
    choose_with,
    people,
    person,
    play_on,
    seated,
    serving,
    until,
    with_server,
)
from tests.server.processes import REAL, Process
from tests.storage.faulty import FaultyVfs

IMPATIENT = Tuning(busy=50)
Trouble = Callable[[FaultyVfs, Path], AbstractContextManager[None]]


@contextmanager
def disk_full(vfs: FaultyVfs, _: Path) -> Generator[None]:
    vfs.writing = apsw.FullError
    try:
        yield
    finally:
        vfs.writing = None


@contextmanager
def failing_disk(vfs: FaultyVfs, _: Path) -> Generator[None]:
    vfs.syncing = apsw.IOError
    try:
        yield
    finally:
        vfs.syncing = None


@contextmanager
def locked(_: FaultyVfs, path: Path) -> Generator[None]:
    with closing(open_raw(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


TROUBLES = [(disk_full, "disk_full"), (failing_disk, "storage_failed"), (locked, "database_busy")]


@pytest.fixture
def vfs(monkeypatch: pytest.MonkeyPatch) -> FaultyVfs:
    """The disk on which servers of this test keep everything."""
    vfs = FaultyVfs("under-a-server")

    class OnFaultyDisk:
        open = partial(SqliteDatabase.open, vfs=vfs.name, tuning=IMPATIENT)

    monkeypatch.setattr("royalcrypt.storage.sqlite.database.SqliteDatabase", OnFaultyDisk)
    return vfs


async def is_undisturbed(someone: Person) -> bool:
    """Whether they are there, and have heard nothing of the table since they last listened."""
    number = await someone.send(type="ping")
    heard = [await someone.hear_any()]
    while heard[-1].get("re") != number:
        heard.append(await someone.hear_any())
    return {message["type"] for message in heard} <= {"done", "presence"}


def check_errors(logged: list[EventDict]) -> None:
    """Trouble with the disk is a warning: an error would be one of ours."""
    assert [entry for entry in logged if entry["log_level"] == "error"] == []


async def assert_refused(answer: Json, code: str, someone: Person, ply: int) -> None:
    assert answer["type"] == "refused", answer
    assert answer["reason"]["code"] == code
    assert answer["reason"]["text"]
    assert answer["ply"] == ply
    assert answer["view"] == someone.view


async def assert_unavailable(someone: Person, method: str, path: str, body: Any, code: str) -> None:
    answer = await someone.http.request(method, path, json=body)
    assert answer.status_code == 503, answer.text
    assert int(answer.headers["Retry-After"]) >= 1
    assert answer.json()["code"] == code
    assert answer.json()["text"]


@pytest.mark.parametrize(("trouble", "code"), TROUBLES)
def test_while_nothing_can_be_kept_everything_is_refused_and_then_goes_on(
    tmp_path: Path, vfs: FaultyVfs, trouble: Trouble, code: str
) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as players, person(host, "Eve") as eve:
            table = await seated(players, leader=0)
            ada, bo, cleo = players
            ply, action = ada.ply, any_action(ada.view, random.Random(1))
            before = await host.service.journal.entries(table)
            with trouble(vfs, host.service.settings.database_file):
                for _ in range(3):
                    await assert_refused(await ada.act(table, action), code, ada, ply)
                said = await ada.tell(type="say", table=table, text="Hello?")
                assert said["reason"]["code"] == code
                for path in ("tables", "me/codes", f"tables/{table}/leave"):
                    await assert_unavailable(ada, "POST", f"/api/{path}", {}, code)
                eve.http.cookies.clear()
                await assert_unavailable(eve, "POST", "/api/me", {"name": "Eve"}, code)
                # Whoever only wants to look is served.
                await ada.ask("GET", "/health")
                await ada.ask("GET", f"/api/tables/{table}")
                await bo.watch(table)
                assert await host.service.journal.entries(table) == before
            assert await is_undisturbed(bo)
            assert await is_undisturbed(cleo)
            assert (await ada.act(table, action))["ply"] == ply + 1
            for other in (bo, cleo):
                await catch_up(other, ply + 1)
            await play_on(players, table, random.Random(2))
            assert len(await host.service.journal.entries(table)) == ada.ply
            record = await ada.ask("GET", f"/api/tables/{table}/record")
            assert replay(Record.parse(record)).is_over

    with captured_logs() as logged:
        with_server(test, tmp_path)
    check_errors(logged)


@pytest.mark.parametrize("trouble", [disk_full, failing_disk, locked])
def test_bots_and_clocks_wait_until_their_moves_can_be_kept(
    tmp_path: Path, vfs: FaultyVfs, trouble: Trouble
) -> None:
    async def test(host: Host) -> None:
        service, late = host.service, 0
        service.tables.now = lambda: wall_clock() + late
        async with people(host, 2) as (ada, bo):
            bots = [{"seat": 1, "level": "greedy"}]
            opened = await ada.open_table(players=2, bots=bots, leader=0, start=True)
            with_bot = opened["info"]["table"]
            await ada.watch(with_bot)
            clock = {"kind": "live", "move": 5, "bank": 0}
            opened = await bo.open_table(players=2, sit=(0, 1), leader=0, clock=clock, start=True)
            with_clock = opened["info"]["table"]
            await bo.watch(with_clock)
            action = any_action(ada.view, random.Random(1))
            assert service.bots._chooser is not None
            waiting = Waiting(service.bots._chooser)
            choose_with(service, waiting)
            assert (await ada.act(with_bot, action))["type"] == "update"
            plies = {table: len(await service.journal.entries(table)) for table in (with_bot, with_clock)}
            with trouble(vfs, service.settings.database_file):
                waiting.go_on()
                late = 60_000
                service.heartbeats._beaten += (
                    late  # It was awake all that time, so nobody is credited with it.
                )
                await until(lambda: {with_bot, with_clock} <= refused_tables(logged))
                assert await is_undisturbed(ada)
                assert await is_undisturbed(bo)
                for table, ply in plies.items():
                    assert len(await service.journal.entries(table)) == ply
            await catch_up(ada, plies[with_bot] + 1)
            assert ada.view["actor"] == 0
            taken_over = await bo.hear("update")
            assert taken_over["info"]["seats"][0]["taken_over"] == "time"
            await play_on([ada], with_bot, random.Random(3))

    with captured_logs() as logged:
        with_server(test, tmp_path)
    check_errors(logged)


def refused_tables(logged: list[EventDict]) -> set[str]:
    """Those for which the server wanted to keep something, and could not."""
    return {
        entry["table"]
        for entry in logged
        if entry["event"] in ("bot could not move", "due table not handled")
    }


class Waiting:
    """Thinks no further until it is told to."""

    def __init__(self, chooser: MoveChooser) -> None:
        self._chooser = chooser
        self._is_on = asyncio.Event()

    def go_on(self) -> None:
        self._is_on.set()

    async def choose(self, level: str, view: View) -> Move:
        await self._is_on.wait()
        return await self._chooser.choose(level, view)


def test_a_disk_that_cannot_be_read_is_said_to_be_so(tmp_path: Path, vfs: FaultyVfs) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as players:
            table = await seated(players)
            ada, bo = players
            host.service.tables.loaded.clear()
            host.service.identities.forget(bo.id)
            await bo.disconnect()
            await host.service.heartbeat()  # What readers remember of the file no longer holds.
            vfs.reading = apsw.IOError
            await assert_unavailable(ada, "GET", "/health", None, "storage_failed")
            await assert_unavailable(ada, "GET", f"/api/tables/{table}", None, "storage_failed")
            with pytest.raises(ConnectionClosed) as closed:
                await bo.connect()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == Close.TRY_AGAIN
            vfs.reading = None
            await ada.ask("GET", "/health")
            for each in players:
                await each.disconnect()
                await each.connect()
                await each.watch(table)
            await play_on(players, table, random.Random(1))

    with captured_logs() as logged:
        with_server(test, tmp_path)
    check_errors(logged)


def test_a_server_ends_and_starts_again_around_a_full_disk(tmp_path: Path, vfs: FaultyVfs) -> None:
    async def test() -> None:
        async with serving(tmp_path) as host, people(host, 2) as players:
            table = await seated(players)
            moves = await play_on(players, table, random.Random(1), most=3)
            kept = await host.service.journal.entries(table)
            vfs.writing = apsw.FullError
        vfs.writing = None
        async with serving(tmp_path) as host:
            assert await host.service.journal.entries(table) == kept
        assert moves == 3

    with captured_logs() as logged:
        asyncio.run(test())
    check_errors(logged)


def test_the_program_itself_waits_out_a_lock(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as players:
            table = await seated(players, leader=0)
            ada, bo = players
            ply, action = ada.ply, any_action(ada.view, random.Random(1))
            with closing(open_raw(tmp_path / "data" / "royalcrypt.db")) as other:
                other.execute("BEGIN IMMEDIATE")
                await assert_refused(await ada.act(table, action), "database_busy", ada, ply)
                await ada.ask("GET", "/health")
                assert await is_undisturbed(bo)
            assert (await ada.act(table, action))["ply"] == ply + 1
            await catch_up(bo, ply + 1)

    with Process(tmp_path / "data", "serve", "--port", "0", program=REAL) as server:
        asyncio.run(test(Host(server.url)))
        assert server.end() == 0
        assert "Traceback" not in server.complaints()
