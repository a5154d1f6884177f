"""The server's clock, by which everything is decided: it never goes back (ADR 0030)."""

import time
from collections.abc import Callable

MAX_STEP = 4_000
"""Time in ms by which the machine's clock may be set forward and is followed at once."""
STEP_PATIENCE = 600_000
"""Time in ms for which a longer step forward must last until it is followed."""
TOLERANCE = 1_000
"""Difference in ms between two clocks that counts as agreement."""
SLOWED = 0.95
"""Rate of the server's time while the machine's clock is behind it and catches up."""
_STEADY = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def wall_clock() -> int:
    """Return the machine's time in ms since 1970."""
    return time.time_ns() // 1_000_000


def steady_clock() -> int:
    """Return ms since some moment in the past; nobody can set it, and it goes on while the machine sleeps."""
    found = time.monotonic_ns() if _STEADY is None else time.clock_gettime_ns(_STEADY)
    return found // 1_000_000


class ServerClock:
    """Time in ms since 1970, which follows the machine's clock but not its jumps.

    While the machine's clock is behind, time goes on by the steady clock, slower, until both agree. After a
    step forward of more than MAX_STEP it goes on as before, until the step is stored as an outage and
    ``advance`` is called.
    """

    def __init__(
        self, wall: Callable[[], int] = wall_clock, steady: Callable[[], int] = steady_clock
    ) -> None:
        self.wall = wall
        self._steady = steady
        self._correction = 0
        self._ahead_since: int | None = None
        """By the steady clock, when the machine's clock was set forward; None if it is not ahead."""
        self._time = float(wall())
        self._steady_at = steady()

    def __call__(self) -> int:
        steady, machine = self._steady(), self.machine()
        passed = max(0, steady - self._steady_at)
        self._steady_at = steady
        if machine > self._time + passed + MAX_STEP:
            self._time += passed
            self._ahead_since = steady if self._ahead_since is None else self._ahead_since
        else:
            self._time = max(self._time + passed * SLOWED, machine)
            self._ahead_since = None
        return int(self._time)

    def machine(self) -> int:
        """Return the machine's time, corrected by the clock that several processes share."""
        return self.wall() + self._correction

    def difference(self) -> int:
        """Return how many ms the machine's clock is ahead of the server's, negative if it is behind."""
        return -(self() - self.machine())

    def must_follow(self) -> bool:
        """Whether the machine's clock was set forward and stays so."""
        self()
        return self._ahead_since is not None and self._steady_at - self._ahead_since >= STEP_PATIENCE

    def start(self, lowest: int) -> None:
        """Begin at the machine's time, but not below ``lowest``."""
        self._time, self._steady_at = float(max(self.machine(), lowest)), self._steady()
        self._ahead_since = None

    def advance(self, lowest: int) -> None:
        """Continue from ``lowest`` if that is later than now."""
        self._time = float(max(self(), lowest))

    def correct(self, shared: int, *, asked: int) -> None:
        """Take the time of a clock that all processes share if it differs by more than TOLERANCE.

        It was read after ``asked`` by the machine's clock.
        """
        nearest = max(asked, min(shared, self.wall()))
        self._correction = shared - nearest if abs(shared - nearest) > TOLERANCE else 0
