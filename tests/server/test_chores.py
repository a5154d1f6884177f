"""What a server does by itself."""

import gc
import weakref
import zipfile
from pathlib import Path

from royalcrypt.server.protocols import SocketProtocol
from royalcrypt.server.service import MANY_LEFT
from tests.server.harness import Host, person, until, with_server


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


def ends_of_sockets(host: Host) -> list[SocketProtocol]:
    assert host.server is not None
    return [one for one in host.server.server_state.connections if isinstance(one, SocketProtocol)]


def test_what_many_closed_connections_left_behind_is_cleared_away(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        hub = host.service.hub
        gc.disable()
        try:
            async with person(host):
                (behind,) = [weakref.ref(one) for one in ends_of_sockets(host)]
            await until(lambda: not hub.connections)
            await host.service.tidy()
            assert (hub.left, behind() is None) == (1, False)
            hub.left = MANY_LEFT
            await host.service.tidy()
            assert (hub.left, behind()) == (0, None)
        finally:
            gc.enable()

    with_server(test, tmp_path)
