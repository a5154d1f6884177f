"""What a server does by itself."""

import asyncio
import gc
import weakref
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

from royalcrypt.server.http.protocols import RequestProtocol
from royalcrypt.server.operations.garbage import MAX_REFUSED_REQUESTS, NEW_OBJECTS, GarbageCollection
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


def test_what_refused_requests_leave_behind_is_collected_when_it_is_quiet(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        garbage = host.service.garbage
        gc.disable()
        try:
            async with host.client() as http:
                assert (await http.get("/api/tables/none")).status_code == 401
            assert garbage.refused_requests == 1
            garbage.collect(is_quiet=False)
            assert garbage.refused_requests == 1
            garbage.collect(is_quiet=True)
            assert garbage.refused_requests == 0
        finally:
            gc.enable()

    with_server(test, tmp_path)


def test_too_much_is_not_left_lying_even_if_people_play() -> None:
    garbage = GarbageCollection()
    garbage.refused_requests = MAX_REFUSED_REQUESTS
    gc.disable()
    try:
        cycle = Cycle()
        behind = weakref.ref(cycle)
        del cycle
        garbage.collect(is_quiet=False)
        assert behind() is None
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
            garbage.refused_requests += 1
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
