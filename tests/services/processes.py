"""A program that runs beside the tests, and to which bad things can be done."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

PORTS = range(10_000, 32_000)
"""Below those that systems give to clients, of which other tests open thousands."""
PATIENCE = 60.0
"""Seconds, on a machine that is busy with other tests."""


def free_port() -> int:
    """One that nobody uses, for services that cannot say which one they were given."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("", port))
            return port


def program(*names: str) -> str:
    """Where one of these is installed."""
    for name in names:
        found = shutil.which(name) or next(
            (str(path) for path in sorted(Path("/").glob(f"usr/lib/postgresql/*/bin/{name}"), reverse=True)),
            None,
        )
        if found:
            return found
    raise FileNotFoundError(f"none of {names} is installed: `make test` does that on Debian")


class Service(ABC):
    """Runs from ``start`` on, on one port throughout; its folder is removed at the end."""

    name = "service"
    user: str | None = None
    """As whom it runs if the tests run as root."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"royalcrypt-{self.name}-"))
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        if self._user:
            shutil.chown(self.folder, self._user, self._user)

    @property
    def _user(self) -> str | None:
        return self.user if os.name == "posix" and os.geteuid() == 0 else None

    @abstractmethod
    def command(self) -> list[str]: ...

    @abstractmethod
    def is_ready(self) -> bool: ...

    def start(self) -> Self:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                user=self._user,
                group=self._user,
                extra_groups=[] if self._user else None,
            )
        deadline = time.monotonic() + PATIENCE
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{self.name} did not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.02)
        return self

    def send(self, number: signal.Signals) -> None:
        """To the program and all it has started."""
        for pid in list(self._family()):  # all of them are known before the first one ends
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue

    def _family(self) -> Iterator[int]:
        assert self.process
        yield self.process.pid
        try:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("ascii")
        except OSError:
            return
        yield from map(int, children.split())

    def pause(self) -> None:
        self.send(signal.SIGSTOP)

    def resume(self) -> None:
        self.send(signal.SIGCONT)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        if self.process is None:
            return
        self.resume()
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        self.process = None

    def kill(self) -> None:
        """As if the machine it runs on had gone."""
        self.send(signal.SIGKILL)
        assert self.process
        self.process.wait(PATIENCE)
        self.process = None

    def __enter__(self) -> Self:
        return self.start() if self.process is None else self

    def __exit__(self, *_: object) -> None:
        try:
            if self.process is not None and self.process.poll() is None:
                self.kill()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
