"""Installs boardgame.io where it is not, and starts the server and those who play there."""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.server.processes import Crowd, Server, Side, cores, started

SOURCE = Path(__file__).parent
VENV = SOURCE.parents[2] / ".venv"
PLACE = VENV / "boardgameio"
LOCK = "package-lock.json"
FILES = (".npmrc", "package.json", LOCK, "server.cjs", "load.mjs")
INSTALLED = PLACE / "installed.json"
"""The lock file of what is installed."""
ENVIRONMENT = os.environ | {
    "NODE_ENV": "production",
    "PATH": os.pathsep.join((os.environ["PATH"], str(VENV / "node" / "bin"))),
}
"""With Node.js from the Python package, where the system has none."""


def install() -> None:
    """Raises FileNotFoundError without npm, CalledProcessError if packages cannot be had."""
    PLACE.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copy(SOURCE / name, PLACE)
    wanted = (SOURCE / LOCK).read_bytes()
    if not INSTALLED.exists() or INSTALLED.read_bytes() != wanted:
        subprocess.run([program("npm"), "ci", "--loglevel", "error"], cwd=PLACE, env=ENVIRONMENT, check=True)
        INSTALLED.write_bytes(wanted)


def program(name: str) -> str:
    found = shutil.which(name, path=ENVIRONMENT["PATH"])
    if found is None:
        raise FileNotFoundError(f"{name} is missing; install Node.js 20 or later")
    return found


@contextmanager
def boardgameio(tables: int) -> Generator[Side]:
    """A new server with four people at each of its tables."""
    for_server, for_crowd = cores()
    node = program("node")
    options = {"cwd": PLACE, "env": ENVIRONMENT}
    with started(for_server, [node, "server.cjs"], **options) as process:
        assert process.stdout is not None
        server = Server(process.pid, process.stdout.readline().strip().removeprefix("http://"))
        arguments = [node, "load.mjs", server.host]
        with started(for_crowd, arguments, stdin=subprocess.PIPE, **options) as playing:
            crowd = Crowd(playing)
            crowd.tell("connect", tables=tables)
            yield Side(server, crowd)
