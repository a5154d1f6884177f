"""The processes of a measurement: the server on one core, those who play there on another."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from benchmarks.server.load import PROTOCOL, Full, Step

PATIENCE = 30.0
STEP = 0.01
UNBOUNDED = {
    "ROYALCRYPT_COMPILED_BOTS": "false",
    "ROYALCRYPT_RATE_LIMITS": "false",
    "ROYALCRYPT_MAX_CONNECTIONS": "20000",
    "ROYALCRYPT_MAX_CONNECTIONS_PER_ADDRESS": "1000000",
    "ROYALCRYPT_PORT": "0",
    "CI": "1",
}


def cores() -> tuple[int, int]:
    """For the server and for the crowd; the same if there is only one."""
    found = sorted(os.sched_getaffinity(0))
    return found[0], found[-1]


@contextmanager
def on_core(core: int) -> Generator[None]:
    """Processes that are started meanwhile never leave it."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})  # a child inherits it
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


@contextmanager
def started(core: int, arguments: list[str], **options: Any) -> Generator[subprocess.Popen[str]]:
    """A process that never leaves a core; asked to end at the end."""
    with on_core(core):
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, **options)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def serve_arguments() -> list[str]:
    return [str(Path(sys.executable).with_name("royalcrypt")), "serve"]


@contextmanager
def our_server(data: Path, core: int, **settings: str) -> Generator["Server"]:
    chosen = {f"ROYALCRYPT_{name.upper()}": value for name, value in settings.items()}
    environment = os.environ | UNBOUNDED | {"ROYALCRYPT_DATA": str(data)} | chosen
    with started(core, serve_arguments(), env=environment) as process:
        assert process.stdout is not None
        url = next(word for line in process.stdout for word in line.split() if word.startswith("http://"))
        yield Server(process.pid, url.removeprefix("http://"))


@contextmanager
def bare_server(database: Path, core: int, *, size: int, row: int) -> Generator["Server"]:
    arguments = [sys.executable, "-m", "benchmarks.server.bare", str(database), str(size), str(row)]
    with started(core, arguments) as process:
        assert process.stdout is not None
        yield Server(process.pid, process.stdout.readline().strip().removeprefix("http://"))


def busy(pid: int) -> float:
    """Seconds of processor time of a process with all threads, and of its children that have ended."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, parts[11:15])) / os.sysconf("SC_CLK_TCK")


def busy_family(pid: int) -> float:
    """The same with all processes that it has started, also those that still run."""
    while True:
        try:
            running = sum(map(busy_family, children(pid)))
        except FileNotFoundError:  # one has just ended, and counts with the others that have
            continue
        return busy(pid) + running


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text("ascii").split()]


class Server:
    def __init__(self, pid: int, host: str) -> None:
        self.pid = pid
        self.host = host
        self._wait()

    def _wait(self) -> None:
        """Until it answers anything at all."""
        latest = time.monotonic() + PATIENCE
        while True:
            asking = HTTPConnection(self.host, timeout=PATIENCE)
            try:
                asking.request("GET", "/health")
                asking.getresponse().read()
            except OSError:
                if time.monotonic() > latest:
                    raise
                time.sleep(STEP)
            else:
                return
            finally:
                asking.close()

    def memory(self) -> int:
        """Bytes in memory now (RSS)."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise ProcessLookupError(self.pid)

    def busy(self) -> float:
        """Seconds of processor time so far, with all threads, and with processes that it has started."""
        return busy_family(self.pid)


class Crowd:
    """Those who play, in a process of their own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def tell(self, do: str, **order: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **order}) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise ChildProcessError("those who play have failed")
        return json.loads(answer)

    def run(self, rate: float, seconds: float, seed: int, *, plays_on: bool = False) -> Step:
        self.tell("play_again")
        told = self.tell("run", rate=rate, seconds=seconds, seed=seed, plays_on=plays_on)
        return msgspec.convert(told, Step)

    def full(self, at_once: int, seconds: float) -> Full:
        self.tell("play_again")
        return msgspec.convert(self.tell("full", at_once=at_once, seconds=seconds), Full)


@contextmanager
def crowd_at(core: int, *hosts: str) -> Generator[Crowd]:
    arguments = [sys.executable, "-m", "benchmarks.server.load", *hosts]
    with started(core, arguments, stdin=subprocess.PIPE) as process:
        yield Crowd(process)


class Cost(NamedTuple):
    """Of a command, in µs of the server's processor time, and what else came of them."""

    micros: float
    step: Step


class Side(NamedTuple):
    """A server and those who play there."""

    server: Server
    crowd: Crowd

    def measure(self, rate: float, seconds: float, seed: int) -> Cost:
        self.crowd.tell("play_again")
        busy = self.server.busy()
        step = self.crowd.run(rate, seconds, seed)
        return Cost((self.server.busy() - busy) / step.all * 1e6, step)


@contextmanager
def live_side(prepared: Path, tables: list[dict[str, Any]], *, protocol: int = PROTOCOL) -> Generator[Side]:
    """Our server with a copy of what is prepared, and people who are not connected yet."""
    for_server, for_crowd = cores()
    with tempfile.TemporaryDirectory(dir=prepared.parent) as folder:
        data = shutil.copytree(prepared, Path(folder) / "data")
        with our_server(data, for_server) as server, crowd_at(for_crowd, server.host) as crowd:
            crowd.tell("seat_live", tables=tables, protocol=protocol)
            yield Side(server, crowd)


@contextmanager
def playing_side(
    prepared: Path, tables: list[dict[str, Any]], *, protocol: int = PROTOCOL
) -> Generator[Side]:
    """With people who look at their tables."""
    with live_side(prepared, tables, protocol=protocol) as side:
        side.crowd.tell("connect", first=0, last=len(tables))
        side.crowd.tell("watch")
        yield side
