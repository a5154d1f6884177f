"""When Python's cyclic garbage collector runs. Automatic runs would scan all loaded tables and delay moves.

Moves and closed connections leave no reference cycles. Refused requests do, through tracebacks.
"""

import gc
import time

MAX_REFUSED_REQUESTS = 10_000
"""After this many refused requests (a few KiB each) it collects even while people play."""
COLLECT_SECONDS = 3600.0


class GarbageCollection:
    def __init__(self) -> None:
        self.refused_requests = 0
        """Since the last collection."""
        self._collected = time.monotonic()

    @staticmethod
    def disable_automatic() -> None:
        """Disable automatic collection in this process; only ``collect`` collects from now on."""
        gc.disable()
        gc.freeze()

    def collect(self, *, is_quiet: bool) -> None:
        """Collect if it is due and few people play, or if there is too much garbage."""
        if gc.isenabled():
            return
        is_due = self.refused_requests > 0 or time.monotonic() - self._collected > COLLECT_SECONDS
        if (is_quiet and is_due) or self.refused_requests >= MAX_REFUSED_REQUESTS:
            self.refused_requests = 0
            self._collected = time.monotonic()
            gc.collect()
