"""How the server ends: whatever signal comes when, well and soon."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import FrameType

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)]
SHUTDOWN_SECONDS = 1.8
"""Seconds from the first signal on: what was acknowledged is on the disk already, so nothing is lost."""


class Shutdown:
    """Hears Ctrl-C and SIGTERM from the start: whatever is under way then, the program ends well and soon."""

    def __init__(self) -> None:
        self.is_asked = False
        self.ask: Callable[[], None] | None = None
        """Asks the server to leave, once there is one."""

    def __call__(self, _: int, __: FrameType | None) -> None:
        if not self.is_asked:
            self.is_asked = True
            last_resort = threading.Timer(SHUTDOWN_SECONDS, exit_now)
            last_resort.daemon = True
            last_resort.start()
        if self.ask is not None:
            self.ask()

    @contextmanager
    def heard(self) -> Generator["Shutdown"]:
        """Signals come to the main thread only, so elsewhere (in tests) nothing is listened to."""
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = {number: signal.signal(number, self) for number in SIGNALS}
        try:
            yield self
        finally:
            for number, handler in before.items():
                # A second Ctrl-C, come late, would be a traceback, or look like a crash.
                signal.signal(number, signal.SIG_IGN if self.is_asked else handler)


def exit_now() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)
