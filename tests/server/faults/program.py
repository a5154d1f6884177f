"""The real server as a program of its own, killed and started again."""

import signal
import socket
import subprocess
from pathlib import Path

from tests.server.processes import PATIENCE, REAL, ROOT, Process, environment


class Program:
    """The real server, killed again and again, always on the same port and data."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data = data
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.options = (
            "serve", "--port", str(self.port), "--bot-pause", "0", "--no-rate-limits", "--log-level", "error",
            "--max-connections-per-address", "5000", *options,
        )  # fmt: skip
        self.complaints = ""
        self.kills = self.stillborn = 0

    def start(self) -> None:
        self.running = Process(self.data, *self.options, program=REAL)

    def kill(self) -> None:
        self.running.process.send_signal(signal.SIGKILL)
        self.running.process.wait()
        self.kills += 1
        self.close()

    def end(self) -> int:
        """As a service manager does it; tells the exit code."""
        self.running.process.send_signal(signal.SIGTERM)
        return self.running.process.wait(PATIENCE)

    def close(self) -> None:
        self.complaints += self.running.complaints()
        self.running.__exit__()

    def start_and_kill(self, seconds: float) -> None:
        """Before it has said that it is open."""
        starting = subprocess.Popen(
            [*REAL, *self.options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=environment(self.data),
        )
        try:
            starting.wait(seconds)
        except subprocess.TimeoutExpired:
            starting.kill()
            self.stillborn += 1
        starting.wait()
