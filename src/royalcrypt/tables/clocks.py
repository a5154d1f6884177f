"""Whose time runs, and how much is left. Time in which no server ran counts for nobody."""

from collections.abc import Sequence

import msgspec

from royalcrypt.tables.settings import DAY, SECOND, ClockChoice, DaysClock

Outage = tuple[int, int]
"""From when to when no server ran."""


FOREVER = 1 << 62


def elapsed(since: int, until: int, outages: Sequence[Outage]) -> int:
    """Time that counts between two moments."""
    return max(0, until - since - credited(since, until, outages))


def credited(since: int, until: int, outages: Sequence[Outage]) -> int:
    """How much of the time between two moments no server ran; outages are in order."""
    found = 0
    for begin, end in reversed(outages):
        if end <= since:
            break
        found += max(0, min(until, end) - max(since, begin))
    return found


class Clock(msgspec.Struct, frozen=True, gc=False):
    """The clock of a running game: one decision at a time, and each seat's bank."""

    per_move: int
    banks: tuple[int, ...]
    since: int
    """When the decision at hand began, or its person came back to it."""
    used: int = 0
    """What it had taken before its person left."""

    @classmethod
    def chosen(cls, choice: ClockChoice, seats: int, now: int) -> "Clock | None":
        if choice is None:
            return None
        if isinstance(choice, DaysClock):
            return cls(choice.days * DAY, (0,) * seats, now)
        return cls(choice.move * SECOND, (choice.bank * SECOND,) * seats, now)

    def pressed(self, seat: int, now: int, outages: Sequence[Outage]) -> "Clock":
        """The seat has decided: what it took beyond its time comes off the bank; the next decision begins."""
        over = self.used + elapsed(self.since, now, outages) - self.per_move
        banks = tuple(
            max(0, bank - max(0, over)) if index == seat else bank for index, bank in enumerate(self.banks)
        )
        return Clock(self.per_move, banks, now)

    def begun(self, now: int) -> "Clock":
        """A decision begins."""
        return Clock(self.per_move, self.banks, now)

    def paused(self, now: int, outages: Sequence[Outage]) -> "Clock":
        """Whoever decides leaves: what they took so far stays taken."""
        used = self.used + elapsed(self.since, now, outages)
        return Clock(self.per_move, self.banks, now, used)

    def gone_on(self, now: int) -> "Clock":
        return Clock(self.per_move, self.banks, now, self.used)

    def deadline(self, seat: int, outages: Sequence[Outage]) -> int:
        """When the seat's time runs out, as long as no server fails in between."""
        left = self.per_move + self.banks[seat] - self.used
        return self.since + left + credited(self.since, FOREVER, outages)
