"""Game clocks; server outages do not count. All times are in ms since 1970, durations in ms."""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from royalcrypt.tables.settings import DAY, SECOND, ClockChoice, DaysClock

FOREVER = 1 << 62
Outage = tuple[int, int]
"""Begin and end of a server outage, during which clocks are stopped."""


def timestamp(milliseconds: int) -> str:
    """Format a time as in records, such as 2026-11-17T20:15:00Z."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def elapsed(since: int, until: int, outages: Sequence[Outage]) -> int:
    """Return the time between two moments, without outages."""
    return max(0, until - since - credited(since, until, outages))


def credited(since: int, until: int, outages: Sequence[Outage]) -> int:
    """Return how much of the time between two moments was an outage; outages must be in order."""
    found = 0
    for begin, end in reversed(outages):
        if end <= since:
            break
        found += max(0, min(until, end) - max(since, begin))
    return found


class Clock(msgspec.Struct, frozen=True, gc=False):
    """The clock of a running game: the time of the current decision, and each seat's time bank."""

    per_move: int
    banks: tuple[int, ...]
    since: int
    """When the current decision began, or when the person returned during it."""
    used: int = 0
    """Time already used for this decision before the person left."""

    @classmethod
    def chosen(cls, choice: ClockChoice, seats: int, now: int) -> "Clock | None":
        if choice is None:
            return None
        if isinstance(choice, DaysClock):
            return cls(choice.days * DAY, (0,) * seats, now)
        return cls(choice.move * SECOND, (choice.bank * SECOND,) * seats, now)

    def pressed(self, seat: int, now: int, outages: Sequence[Outage]) -> "Clock":
        """Return the clock after a decision: the bank pays for extra time, and the next decision begins."""
        over = self.used + elapsed(self.since, now, outages) - self.per_move
        banks = tuple(
            max(0, bank - max(0, over)) if index == seat else bank for index, bank in enumerate(self.banks)
        )
        return Clock(self.per_move, banks, now)

    def begun(self, now: int) -> "Clock":
        """Return the clock at the start of a decision, with unchanged banks."""
        return Clock(self.per_move, self.banks, now)

    def paused(self, now: int, outages: Sequence[Outage]) -> "Clock":
        """Return the clock after the deciding person has left: it stores the time used so far."""
        used = self.used + elapsed(self.since, now, outages)
        return Clock(self.per_move, self.banks, now, used)

    def resumed(self, now: int) -> "Clock":
        return Clock(self.per_move, self.banks, now, self.used)

    def deadline(self, seat: int, outages: Sequence[Outage]) -> int:
        """Return when the seat's time runs out, if there is no further outage."""
        left = self.per_move + self.banks[seat] - self.used
        return self.since + left + credited(self.since, FOREVER, outages)
