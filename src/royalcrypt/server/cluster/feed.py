"""Rows that are added one after the other, and read by every process: each once, and none missed."""

from collections import deque

OVERLAP = 32
"""Rows that are read once more: one with a lower number may be kept a moment after one with a higher."""
LOOKS_AFTER = 2
"""So often they are read again after the last one came, for those that are late."""


class Feed:
    def __init__(self, newest: int) -> None:
        self.since = newest
        """Rows beyond this number are to be read."""
        self._begin = newest
        self._newest = newest
        self._looks = 0
        self._known: deque[int] = deque(maxlen=4 * OVERLAP)

    def may_have_more(self, newest: int) -> bool:
        """Whether it is worth reading, if this is the highest number now."""
        self._looks = LOOKS_AFTER if newest != self._newest else self._looks - 1
        self._newest = newest
        return self._looks > 0

    def is_new(self, number: int) -> bool:
        """Whether it has not come by before; from now on it has."""
        if number <= self._begin or number in self._known:
            return False
        self._known.append(number)
        self.since = max(self.since, number - OVERLAP)
        return True
