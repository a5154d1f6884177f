"""A pseudo-terminal with scripted input."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Self

SOURCES = Path(__file__).parents[2] / "src"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[()][A-Z0-9]|[\x01\x02\r]")
CLEARED = "\x1b[2J"
SECONDS = 20.0


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    paths = [str(SOURCES), *filter(None, [kept.get("PYTHONPATH")])]
    basis = {"PYTHONPATH": os.pathsep.join(paths), "ROYALCRYPT_DATA": str(folder), "TERM": "xterm-256color"}
    return kept | basis | {"PYTHONWARNINGS": "error"} | more


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "royalcrypt", "play", *options]


class Terminal:
    """Runs ``royalcrypt play`` and types into it; ``screen`` is the output since it was last cleared."""

    def __init__(self, folder: Path, *options: str, size: tuple[int, int] = (100, 30), **more: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.process = subprocess.Popen(
            command("--terminal", *options),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(folder, **more),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 (no threads here)
        )
        os.close(slave)
        self.raw = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)

    @property
    def screen(self) -> str:
        return CONTROL.sub("", self.raw.rpartition(CLEARED)[2])

    @property
    def everything(self) -> str:
        return CONTROL.sub("", self.raw)

    def _read(self, until: float) -> bool:
        """Read more output; False at its end."""
        ready, _, _ = select.select([self.master], [], [], max(until - time.monotonic(), 0))
        if not ready:
            raise TimeoutError(self.screen)
        try:
            found = os.read(self.master, 65536)
        except OSError:
            return False
        self.raw += self.decoder.decode(found)
        return bool(found)

    def wait_for(self, pattern: str) -> str:
        """Wait until the newest screen ends like this."""
        until = time.monotonic() + SECONDS
        while not re.search(pattern + r"\s*$", self.screen):
            if not self._read(until):
                raise EOFError(self.screen)
        return self.screen

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def type(self, line: str) -> None:
        self.raw += CLEARED  # Only later output counts.
        self.press(line + "\n")

    def say(self, line: str, then: str = "> ") -> str:
        self.type(line)
        return self.wait_for(then)

    def close(self) -> int:
        """Read to the end; return the exit code."""
        until = time.monotonic() + SECONDS
        while self._read(until):
            pass
        return self.process.wait(SECONDS)
