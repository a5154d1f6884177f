"""Scheduling of Python's garbage collector, whose automatic runs would scan all tables and delay moves.

Only refused requests leave reference cycles, through tracebacks; moves and closed connections do not.
"""

import gc
import time

MAX_REFUSED_REQUESTS = 10_000
"""Number of refused requests (a few KiB each) after which it collects even while people play."""
COLLECT_SECONDS = 3600.0


class GarbageCollection:
    def __init__(self) -> None:
        self.refused_requests = 0
        """Number of refused requests since the last collection."""
        self._collected = time.monotonic()

    @staticmethod
    def disable_automatic() -> None:
        """Disable automatic collection in this process, which leaves it to ``collect``."""
        gc.disable()
        gc.freeze()

    def collect(self, *, is_quiet: bool) -> None:
        """Run the garbage collector if it is due and few people play, or if there is too much garbage."""
        if gc.isenabled():
            return
        is_due = self.refused_requests > 0 or time.monotonic() - self._collected > COLLECT_SECONDS
        if (is_quiet and is_due) or self.refused_requests >= MAX_REFUSED_REQUESTS:
            self.refused_requests = 0
            self._collected = time.monotonic()
            gc.collect()
