"""Compiled code is made ready aside, in a process of its own, so that no move waits for the compiler.

Nothing here imports NumPy or Numba: a server knows which bots are ready by what that process says.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial

PROGRAM = (sys.executable, "-P", "-m", "royalcrypt.bots.compiling")
APART = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0
)
"""On Windows; elsewhere a session of its own keeps Ctrl-C away, and it makes way for others by itself."""
LONGEST_GOODBYE = 1.0


def ignore(*_: object) -> None:
    pass


class WarmUp:
    """Which bots are not ready yet, and the process that makes them so; all others count as ready."""

    def __init__(self, unready: Iterable[str], *, program: Sequence[str] = PROGRAM) -> None:
        self.why = ""
        """Why some will not be ready any more, once that is known."""
        self._unready = set(unready)
        self._program = program
        self._process: subprocess.Popen[str] | None = None
        self._listener: threading.Thread | None = None
        self._is_closing = False

    @property
    def is_under_way(self) -> bool:
        return self._process is not None

    def is_ready(self, name: str) -> bool:
        return name not in self._unready

    def is_hopeful(self, name: str) -> bool:
        """Whether it is ready, or may be soon."""
        return self.is_ready(name) or self.is_under_way

    def begin(
        self,
        names: Sequence[str],
        *,
        on_ready: Callable[[str], object] = ignore,
        on_failure: Callable[[list[str], str], object] = ignore,
    ) -> None:
        """Make these ready, and others' as far as they tell what they need; comes back at once.

        What is told is told from another thread; a failure once, with all that will not be ready.
        """
        try:
            self._process = subprocess.Popen(  # noqa: S603 (this very program)
                [*self._program, *names],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,
                creationflags=APART,
            )
        except OSError as error:
            self._give_up(names, str(error), on_failure)
            return
        listening = partial(self._listen, self._process, names, on_ready, on_failure)
        self._listener = threading.Thread(target=listening, name="warm-up", daemon=True)
        self._listener.start()

    def close(self) -> None:
        """End what is under way; what was made by then is kept."""
        self._is_closing = True
        process, listener = self._process, self._listener
        if process is not None:
            process.kill()
        if listener is not None:
            listener.join(LONGEST_GOODBYE)

    def _listen(
        self,
        process: subprocess.Popen[str],
        names: Sequence[str],
        on_ready: Callable[[str], object],
        on_failure: Callable[[list[str], str], object],
    ) -> None:
        why = last_words = ""
        with process:  # waits for its end, which ends what it says
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
                        last_words = line.strip() or last_words
        self._process = None
        why = why or f"{last_words} (exit code {process.returncode})".strip()
        self._give_up(names, why, on_failure)

    def _give_up(
        self, names: Sequence[str], why: str, on_failure: Callable[[list[str], str], object]
    ) -> None:
        failed = [name for name in names if not self.is_ready(name)]
        if failed and not self._is_closing:
            self.why = why
            on_failure(failed, why)
