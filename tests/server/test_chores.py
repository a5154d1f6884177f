"""What a server does by itself."""

import zipfile
from pathlib import Path

from tests.server.harness import Host, person, with_server


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
