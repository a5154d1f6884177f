"""Scheduling of Python's garbage collector, whose automatic runs would scan all tables and delay moves.

Only refused requests leave reference cycles, through tracebacks; moves and closed connections do not. While
requests are refused, new objects are scanned after every few thousand, which takes some 3 ms and finds these
cycles. Otherwise new objects are exempt from later scans. A scan of all others waits for a quiet time.
"""

import gc
import time

NEW_OBJECTS = 5000
"""Number of new objects after which they are scanned or exempt."""
SCANS_OF_NEW = 4
"""Number of such scans after which those that survived one are scanned again."""
MAX_REFUSED_REQUESTS = 1_000_000
"""Number of refused requests after which all objects are scanned even while people play: one in a hundred
survives the scans of new objects, with a few KiB."""
COLLECT_SECONDS = 3600.0


class GarbageCollection:
    def __init__(self) -> None:
        self.refused_requests = 0
        """Number of refused requests since the last collection."""
        self._collected = time.monotonic()
        self._scans = 0
        self._refused_before = 0

    @staticmethod
    def disable_automatic() -> None:
        """Disable automatic collection in this process, which leaves it to ``collect``."""
        gc.disable()
        gc.freeze()

    def collect_new(self) -> None:
        """Collect garbage among new objects if there are many; exempt them if there can be none."""
        if gc.isenabled() or gc.get_count()[0] < NEW_OBJECTS:
            return
        is_clean = self.refused_requests == self._refused_before
        self._refused_before = self.refused_requests
        if is_clean:
            gc.freeze()
            return
        self._scans += 1
        gc.collect(1 if self._scans % SCANS_OF_NEW == 0 else 0)

    def collect(self, *, is_quiet: bool) -> None:
        """Run the garbage collector if it is due and few people play, or if there is too much garbage."""
        if gc.isenabled():
            return
        is_due = self.refused_requests > 0 or time.monotonic() - self._collected > COLLECT_SECONDS
        if (is_quiet and is_due) or self.refused_requests >= MAX_REFUSED_REQUESTS:
            self.refused_requests = 0
            self._collected = time.monotonic()
            gc.collect()
