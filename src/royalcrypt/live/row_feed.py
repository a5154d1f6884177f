"""Feed of numbered rows, such as chat lines, to which several processes may add."""

from collections import deque

OVERLAP = 32
"""Rows that each poll reads again, because a row may become visible after one with a higher number."""
LATE_POLLS = 2
"""Polls after the newest row that still look for rows with lower numbers."""


class RowFeed:
    """Tracks which rows this process has seen."""

    def __init__(self, newest: int = 0) -> None:
        self.start(newest)

    def start(self, newest: int) -> None:
        """Treat all rows up to this number as seen."""
        self.since = newest
        """Number above which the next poll reads rows."""
        self._first = newest
        self._newest = newest
        self._polls_left = 0
        self._seen: deque[int] = deque(maxlen=4 * OVERLAP)

    def may_have_more(self, newest: int) -> bool:
        """Whether the next poll must read rows; ``newest`` is the highest row number now."""
        self._polls_left = LATE_POLLS if newest != self._newest else self._polls_left - 1
        self._newest = newest
        return self._polls_left > 0

    def is_new(self, number: int) -> bool:
        """Whether the row has not been seen before; marks it as seen."""
        if number <= self._first or number in self._seen:
            return False
        self._seen.append(number)
        self.since = max(self.since, number - OVERLAP)
        return True
