"""Compilation of bots in a separate process, so that no move waits for the compiler.

This module imports neither NumPy nor Numba: it reads from the process's output which bots are ready.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial

PROGRAM = (sys.executable, "-P", "-m", "royalcrypt.bots.compiling")
PROCESS_FLAGS = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0
)
"""Flags that start a new process group on Windows and lower the priority; elsewhere not needed."""
JOIN_TIMEOUT = 1.0


def ignore(*_: object) -> None:
    pass


class WarmUp:
    """The bots that are not compiled yet, and the process that compiles them; other bots count as ready."""

    def __init__(self, unready: Iterable[str], *, program: Sequence[str] = PROGRAM) -> None:
        self.why = ""
        """The reason why some bots will not be compiled; empty without a failure."""
        self._unready = set(unready)
        self._program = program
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._is_closing = False

    @property
    def is_under_way(self) -> bool:
        return self._process is not None

    def is_ready(self, name: str) -> bool:
        return name not in self._unready

    def may_be_ready(self, name: str) -> bool:
        """Whether the bot is ready or may still become ready."""
        return self.is_ready(name) or self.is_under_way

    def begin(
        self,
        names: Sequence[str],
        *,
        on_ready: Callable[[str], object] = ignore,
        on_failure: Callable[[list[str], str], object] = ignore,
    ) -> None:
        """Start compiling these bots, and external bots that declare their functions; returns at once.

        The callbacks run in another thread; ``on_failure`` is called at most once, with all remaining bots.
        """
        try:
            self._process = subprocess.Popen(  # noqa: S603 (our own program)
                [*self._program, *names],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,
                creationflags=PROCESS_FLAGS,
            )
        except OSError as error:
            self._report_failure(names, str(error), on_failure)
            return
        reading = partial(self._read_output, self._process, names, on_ready, on_failure)
        self._reader = threading.Thread(target=reading, name="warm-up", daemon=True)
        self._reader.start()

    def close(self) -> None:
        """Stop the compilation; finished results stay stored."""
        self._is_closing = True
        process, reader = self._process, self._reader
        if process is not None:
            process.kill()
        if reader is not None:
            reader.join(JOIN_TIMEOUT)

    def _read_output(
        self,
        process: subprocess.Popen[str],
        names: Sequence[str],
        on_ready: Callable[[str], object],
        on_failure: Callable[[list[str], str], object],
    ) -> None:
        why = last_line = ""
        with process:  # waits for the process to exit, which closes its output
            for line in process.stdout or ():
                match line.split(maxsplit=2):
                    case ["compiling", name]:
                        self._unready.add(name)
                    case ["ready", name] if not self.is_ready(name):
                        self._unready.discard(name)
                        on_ready(name)
                    case ["failed", name, reason]:
                        why = why or ("" if self.is_ready(name) else reason.strip())
                    case _:
                        last_line = line.strip() or last_line
        self._process = None
        why = why or f"{last_line} (exit code {process.returncode})".strip()
        self._report_failure(names, why, on_failure)

    def _report_failure(
        self, names: Sequence[str], why: str, on_failure: Callable[[list[str], str], object]
    ) -> None:
        failed = [name for name in names if not self.is_ready(name)]
        if failed and not self._is_closing:
            self.why = why
            on_failure(failed, why)
