"""Rows that are added one after the other, and read by every process: each once, and none missed."""

from collections import deque

OVERLAP = 32
"""Rows that are read once more: one with a lower number may be kept a moment after one with a higher."""


class Feed:
    def __init__(self, newest: int) -> None:
        self.since = max(0, newest)
        """Rows beyond this number are to be read."""
        self._begin = newest
        self._known: deque[int] = deque(maxlen=4 * OVERLAP)

    def is_new(self, number: int) -> bool:
        """Whether it has not come by before; from now on it has."""
        if number <= self._begin or number in self._known:
            return False
        self._known.append(number)
        self.since = max(self.since, number - OVERLAP)
        return True
