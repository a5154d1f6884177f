"""When the collector of cycles runs: by itself it would go through all tables again and again, and stop them.

What play leaves behind is in no cycle, and what a closed connection leaves is taken apart. Refused requests
leave some: where an error came from holds the error.
"""

import gc
import time

MAX_REFUSED_REQUESTS = 10_000
"""Refused requests, with a few KiB each, that are not left lying even if people play."""
COLLECT_SECONDS = 3600.0


class GarbageCollection:
    def __init__(self) -> None:
        self.litter = 0
        """Refused requests since it was last collected."""
        self._collected = time.monotonic()

    @staticmethod
    def take_over() -> None:
        """For a program that is nothing but a server: from now on only ``collect`` collects."""
        gc.disable()
        gc.freeze()

    def collect(self, *, is_quiet: bool) -> None:
        """If there is something to find, and nobody whom it would stop; or too much of it."""
        if gc.isenabled():
            return
        is_due = self.litter > 0 or time.monotonic() - self._collected > COLLECT_SECONDS
        if (is_quiet and is_due) or self.litter >= MAX_REFUSED_REQUESTS:
            self.litter = 0
            self._collected = time.monotonic()
            gc.collect()
