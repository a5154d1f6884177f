"""What a server does by itself."""

import asyncio
import gc
import weakref
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from royalcrypt.server.http.protocols import RequestProtocol
from royalcrypt.server.operations import garbage as module
from royalcrypt.server.operations.garbage import NEW_OBJECTS, GarbageCollection
from tests.server.harness import Host, ends_of_sockets, person, until, with_server


def test_a_running_server_backs_itself_up_once_a_day(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False):
            await host.service.back_up()
            await host.service.back_up()

    with_server(test, tmp_path / "data")
    (made,) = (tmp_path / "data" / "backups").iterdir()
    with zipfile.ZipFile(made) as archive:
        assert set(archive.namelist()) == {"royalcrypt.db", "server.key"}


def test_a_server_that_keeps_no_backups_makes_none(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        await host.service.back_up()

    with_server(test, tmp_path / "data", backups_kept=0)
    assert not (tmp_path / "data" / "backups").exists()


def test_a_closed_connection_leaves_nothing_behind_that_has_to_be_collected(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        gc.disable()
        try:
            async with person(host):
                (behind,) = [weakref.ref(one) for one in ends_of_sockets(host)]
            await until(lambda: behind() is None)
        finally:
            gc.enable()

    with_server(test, tmp_path)


def test_an_open_socket_keeps_nothing_of_the_request_that_opened_it(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        gc.disable()
        try:
            async with person(host):
                # ``isinstance`` would ask weak proxies, whose objects may be gone.
                kept = [one for one in gc.get_objects() if issubclass(type(one), RequestProtocol)]
                assert host.server is not None
                assert all(one in host.server.server_state.connections for one in kept)
        finally:
            gc.enable()

    with_server(test, tmp_path)


def test_all_objects_are_scanned_when_it_is_due_and_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that were exempt."""
    garbage = GarbageCollection()
    gc.disable()
    try:
        cycle = Cycle()
        gc.freeze()
        behind = weakref.ref(cycle)
        del cycle
        garbage.collect(is_quiet=True)
        assert behind() is not None, "not due"
        monkeypatch.setattr(module, "COLLECT_SECONDS", 0.0)
        garbage.collect(is_quiet=False)
        assert behind() is not None, "not quiet"
        garbage.collect(is_quiet=True)
        assert behind() is None
    finally:
        gc.unfreeze()
        gc.enable()


def test_answered_requests_leave_nothing_that_is_never_collected(tmp_path: Path) -> None:
    """Reading the lobby leaves cycles in SQLAlchemy, which must not become exempt."""

    async def test(host: Host) -> None:
        async with host.client() as http:
            for number in range(1200):
                assert (await http.get("/api/tables")).status_code == 200
                if number == 200:
                    gc.collect()
                    gc.disable()
                host.service.garbage.collect_new()
        gc.unfreeze()
        assert gc.collect() < 3 * NEW_OBJECTS

    try:
        with_server(test, tmp_path)
    finally:
        gc.enable()


def test_a_flood_of_refused_requests_leaves_nothing_lying_while_people_play() -> None:
    """Only new objects are scanned, however many there are already."""
    garbage = GarbageCollection()
    old = [[number] for number in range(200_000)]
    gc.collect()
    gc.disable()
    try:
        behind: list[weakref.ref[Cycle]] = []
        for _ in range(5 * NEW_OBJECTS):
            behind.append(weakref.ref(Cycle()))
            garbage.count_request()
            garbage.collect_new()
        assert sum(one() is not None for one in behind) < 2 * NEW_OBJECTS
        assert gc.get_count()[0] < NEW_OBJECTS
        assert len(old) == 200_000
    finally:
        gc.enable()


def test_what_play_leaves_behind_is_not_scanned_again() -> None:
    garbage = GarbageCollection()
    gc.collect()
    gc.disable()
    try:
        before = gc.get_freeze_count()
        kept = [[number] for number in range(NEW_OBJECTS)]
        garbage.collect_new()
        assert gc.get_freeze_count() - before >= len(kept)
    finally:
        gc.unfreeze()
        gc.enable()


def test_a_closed_request_connection_leaves_nothing_behind_that_has_to_be_collected(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        assert host.server is not None
        gc.disable()
        try:
            async with host.client() as http:
                await http.get("/health")
                (behind,) = [weakref.ref(one) for one in host.server.server_state.connections]
            await until(lambda: behind() is None)
            reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(host.url).port)
            writer.write(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 3)
            await reader.readuntil(b"\r\n\r\n")
            (behind,) = [weakref.ref(one) for one in host.server.server_state.connections]
            writer.transport.abort()
            await until(lambda: behind() is None)
        finally:
            gc.enable()

    with_server(test, tmp_path)


class Cycle:
    def __init__(self) -> None:
        self.itself = self
