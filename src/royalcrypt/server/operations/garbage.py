"""Scheduling of Python's garbage collector, whose automatic runs would scan all tables and delay moves.

Only requests leave reference cycles; moves and closed connections do not. If there were requests, new objects
are scanned after every few thousand, which takes some 2 ms. Those that remain are exempt from later scans.
All objects are scanned in a quiet hour only.
"""

import gc
import time

NEW_OBJECTS = 5000
"""Number of new objects after which they are scanned and exempt."""
COLLECT_SECONDS = 3600.0
"""Seconds between scans of all objects, which take a second per ten million."""


class GarbageCollection:
    def __init__(self) -> None:
        self._requests = 0
        """Number of requests since the last scan."""
        self._collected = time.monotonic()

    @staticmethod
    def disable_automatic() -> None:
        """Disable automatic collection in this process, which leaves it to this class."""
        gc.disable()
        gc.freeze()

    def count_request(self) -> None:
        self._requests += 1

    def collect_new(self) -> None:
        """Collect garbage among new objects, if there are many, and exempt the others."""
        if gc.isenabled() or gc.get_count()[0] < NEW_OBJECTS:
            return
        if self._requests:
            self._requests = 0
            gc.collect(1)
        gc.freeze()

    def collect(self, *, is_quiet: bool) -> None:
        """Run the garbage collector over all objects if that is due and few people play."""
        if gc.isenabled() or not is_quiet or time.monotonic() - self._collected < COLLECT_SECONDS:
            return
        self._collected = time.monotonic()
        gc.unfreeze()
        gc.collect()
        gc.freeze()
