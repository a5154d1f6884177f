"""Processes in which bots think end with the server, however it ends."""

import asyncio
import re
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.harness import Host, person
from tests.server.processes import PATIENCE, REAL, ROOT, Process, wait_for

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes as Linux shows them")

BAD = [sys.executable, "-m", "tests.server.faults.with_bad_bots"]


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


def is_alive(pid: int) -> bool:
    """Not so one that waits to be buried."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(map(is_alive, pids)):
        assert time.monotonic() < deadline, [pid for pid in pids if is_alive(pid)]
        time.sleep(0.05)


@contextmanager
def serving(data: Path, *, bots: str | None = None) -> Generator[tuple[Process, list[int]]]:
    """A server at whose only table a bot has moved, or hangs; and the processes that work for it."""
    options = ("serve", "--port", "0", "--bot-pause", "0")
    asked = data.with_name("asked")
    program, more = (REAL, {}) if bots is None else (BAD, {"BAD_BOTS": bots, "ASKED": str(asked)})
    with Process(data, *options, program=program, **more) as server:
        asyncio.run(let_bot_think(server, is_waited_for=bots is None))
        if bots is not None:
            wait_for(asked)
        workers = children(server.process.pid)
        assert workers
        yield server, workers


async def let_bot_think(server: Process, *, is_waited_for: bool) -> None:
    async with person(Host(server.url)) as ada:
        bots = [{"seat": 1, "level": "greedy"}]
        opened = await ada.open_table(players=2, bots=bots, leader=1, start=True)
        await ada.watch(opened["info"]["table"])
        while is_waited_for and ada.view["actor"] == 1:
            await ada.hear("update")


def test_bots_think_and_their_processes_end_with_the_server(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as (server, workers):
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0
        wait_until_gone(workers)
        assert server.complaints() == ""


def test_a_hanging_bot_does_not_keep_the_server_from_ending(tmp_path: Path) -> None:
    with serving(tmp_path / "data", bots="never_thinking") as (server, workers):
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0
        wait_until_gone(workers)
        assert "Traceback" not in server.complaints()


def test_a_server_that_was_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as (server, workers):
        server.process.kill()
        server.process.wait()
        wait_until_gone(workers)


@pytest.mark.faults
def test_a_server_that_was_killed_leaves_no_hanging_bot_behind(tmp_path: Path) -> None:
    with serving(tmp_path / "data", bots="never_thinking") as (server, workers):
        server.process.kill()
        server.process.wait()
        wait_until_gone(workers)


@contextmanager
def warming_up(data: Path) -> Generator[tuple[Process, list[int]]]:
    """A server that has nothing compiled yet, and the process that compiles for it."""
    more = {"ROYALCRYPT_COMPILED_BOTS": "true", "ROYALCRYPT_CACHE_DIR": str(data.with_name("caches"))}
    with Process(data, "serve", "--port", "0", program=REAL, **more) as server:
        (compiling,) = children(server.process.pid)
        yield server, [compiling]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_warm_up_ends_with_the_server(tmp_path: Path, number: int) -> None:
    with warming_up(tmp_path / "data") as (server, compiling):
        assert server.end(number) == 0
        wait_until_gone(compiling)
        assert server.complaints() == ""


def test_a_server_that_was_killed_leaves_no_warm_up_behind(tmp_path: Path) -> None:
    with warming_up(tmp_path / "data") as (server, compiling):
        server.process.kill()
        server.process.wait()
        wait_until_gone(compiling)


def test_the_server_itself_loads_no_compiler(tmp_path: Path) -> None:
    with warming_up(tmp_path / "data") as (server, (compiling,)):
        deadline = time.monotonic() + PATIENCE
        while "llvmlite" not in Path(f"/proc/{compiling}/maps").read_text("utf-8"):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        loaded = Path(f"/proc/{server.process.pid}/maps").read_text("utf-8")
        assert not {"numpy", "numba", "llvmlite"} & set(re.findall(r"site-packages/(\w+)/", loaded))


THOUGHT = """
from functools import partial
from royalcrypt.server.bots.pool import in_worker
from tests.server.faults.bad_bots import never_thinking
in_worker(partial(never_thinking, "greedy", b"", 1), 0.1)
"""


def test_a_thought_that_nobody_waits_for_ends_by_itself() -> None:
    done = subprocess.run([sys.executable, "-c", THOUGHT], check=False, capture_output=True, cwd=ROOT)
    assert done.returncode == 1
    assert b"never_thinking" in done.stderr
