"""Shutdown on signals within a time limit."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import FrameType

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)]
SHUTDOWN_SECONDS = 1.8
"""Time limit after the first signal; nothing is lost, because acknowledged moves are already durable."""


class Shutdown:
    """Handles Ctrl-C and SIGTERM, starting before the server runs."""

    def __init__(self) -> None:
        self.is_requested = False
        self.stop: Callable[[], None] | None = None
        """Function that stops the server; None until it runs."""

    def __call__(self, _: int, __: FrameType | None) -> None:
        if not self.is_requested:
            self.is_requested = True
            last_resort = threading.Timer(SHUTDOWN_SECONDS, exit_now)
            last_resort.daemon = True
            last_resort.start()
        if self.stop is not None:
            self.stop()

    @contextmanager
    def handling_signals(self) -> Generator["Shutdown"]:
        """Install the signal handlers; does nothing outside the main thread (in tests)."""
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = {number: signal.signal(number, self) for number in SIGNALS}
        try:
            yield self
        finally:
            for number, handler in before.items():
                # A late second Ctrl-C must not print a traceback.
                signal.signal(number, signal.SIG_IGN if self.is_requested else handler)


def exit_now() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)
