"""A server as a program of its own, with the little application inside."""

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Self
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]
LITTLE = [sys.executable, "-m", "tests.server.little"]
REAL = [sys.executable, "-m", "royalcrypt"]
OPEN = "Stop with Ctrl-C."
"""The last thing a server says when it opens."""
PATIENCE = 30.0
"""Seconds, on a machine that is busy with other tests."""
NOT_KEPT = ("CI", "DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "PYTHONWARNINGS")


def environment(data: Path, **more: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in NOT_KEPT and not name.startswith("ROYALCRYPT_")
    }
    ours = {
        "ROYALCRYPT_DATA": str(data),
        "ROYALCRYPT_COMPILED_BOTS": "false",
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
    }
    return kept | ours | more


def finished(
    data: Path, *arguments: str, program: list[str] = LITTLE, **more: str
) -> subprocess.CompletedProcess[str]:
    """What a command said that ends by itself."""
    return subprocess.run(
        [*program, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(data, **more),
        timeout=PATIENCE,
    )


class Process:
    """Runs until it is told to end; what it printed up to now is in ``said``."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        until: str = OPEN,
        program: list[str] = LITTLE,
        **more: str,
    ) -> None:
        self.errors = (data.parent / f"{data.name}.errors").open("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [*program, *arguments],
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            cwd=ROOT,
            env=environment(data, **more),
            start_new_session=True,
        )
        self.said = ""
        try:
            self.read_until(until)
        except BaseException:  # nobody gets to hold it, nor to end it
            self.__exit__()
            raise

    @property
    def output(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout

    def read_until(self, words: str) -> None:
        while words not in self.said:
            line = self.output.readline()
            assert line, f"ended with {self.process.wait()}: {self.said} {self.complaints()}"
            self.said += line

    @property
    def url(self) -> str:
        found = re.search(r"open at (\S+)", self.said)
        assert found
        return found[1]

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    def get(self, path: str, **headers: str) -> tuple[http.client.HTTPResponse, str]:
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        asking.request("GET", path, headers={name.replace("_", "-"): text for name, text in headers.items()})
        answer = asking.getresponse()
        body = answer.read().decode()
        asking.close()
        return answer, body

    def end(self, number: int = signal.SIGINT, *, times: int = 1) -> int:
        """As a terminal does it: everybody who works for it gets the signal too."""
        for _ in range(times):
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)
            time.sleep(0.05)
        code = self.process.wait(PATIENCE)
        self.said += self.output.read()
        return code

    def complaints(self) -> str:
        self.errors.flush()
        self.errors.seek(0)
        return self.errors.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.output.close()
        self.errors.close()


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < deadline, path
        time.sleep(0.02)
