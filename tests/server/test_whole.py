"""The real server as a program of its own: it can be stopped at any time, and what it deals is fair."""

import asyncio
import json
import os
import random
import signal
import time
from pathlib import Path

import pytest

from royalcrypt import Record
from royalcrypt.cli import main
from royalcrypt.play.fairness import Finding, verify
from tests.server.harness import Host, person, play_on
from tests.server.processes import REAL, Process, finished


def serve(data: Path) -> Process:
    options = ("--port", "0", "--no-rate-limits", "--bot-pause", "0", "--bot-workers", "2")
    return Process(data, "serve", *options, program=REAL)


async def begun(host: Host, seats: int) -> tuple[str, str]:
    """A game with bots that is played to its end; tells the table, and the record that anybody may have."""
    async with person(host, "Ada") as ada:
        bots = [{"seat": seat, "level": "greedy"} for seat in range(1, seats)]
        opened = await ada.open_table(players=seats, bots=bots, collectors="??????", start=True)
        table = opened["info"]["table"]
        await ada.watch(table)
        await play_on([ada], table, random.Random(seats))
        return table, json.dumps(await ada.ask("GET", f"/api/tables/{table}/record"))


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_what_was_played_with_bots_is_fair(
    tmp_path: Path, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(tmp_path / "data") as server:
        _, record = asyncio.run(begun(Host(server.url), seats))
        assert server.end() == 0
        assert server.complaints() == ""
    assert verify(Record.parse(record)).finding is Finding.FAIR
    (tmp_path / "game.json").write_text(record, "utf-8")
    assert main(["verify", str(tmp_path / "game.json")]) == 0
    assert ": fair: " in capsys.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_well_in_the_middle_of_games_with_bots(tmp_path: Path, number: int) -> None:
    async def leave(server: Process) -> int:
        host = Host(server.url)
        async with person(host, "Ada") as ada:
            bots = [{"seat": 0, "level": "greedy"}]
            for _ in range(5):
                opened = await ada.open_table(players=2, sit=(1,), bots=bots, leader=0, start=True)
                await ada.watch(opened["info"]["table"])
            code = await asyncio.to_thread(server.end, number, times=3)
            assert ada.socket is not None
            await asyncio.wait_for(ada.socket.wait_closed(), 20)
            assert ada.socket.close_code in (1001, 1012)
        return code

    with serve(tmp_path / "data") as server:
        assert asyncio.run(leave(server)) == 0
        assert "Traceback" not in server.complaints()
        deadline = time.monotonic() + 20
        while is_group_alive(server.process.pid):
            assert time.monotonic() < deadline, "bots do not go on thinking"
            time.sleep(0.05)


def is_group_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_second_server_on_the_same_data_is_refused(tmp_path: Path) -> None:
    with serve(tmp_path / "data") as server:
        (tmp_path / "data" / "server.json").unlink()
        done = finished(tmp_path / "data", "serve", "--port", "0", program=REAL)
        assert done.returncode == 2
        assert "is in use by a running server" in done.stderr
        assert done.stderr.count("\n") == 1
        assert server.get("/health")[0].status == 200
        assert server.end() == 0
