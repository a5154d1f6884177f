"""Rate limits with token buckets."""

from collections import OrderedDict
from math import ceil
from time import monotonic
from typing import NamedTuple

from royalcrypt.notation.reasons import Reason, Refusal

MAX_BUCKETS = 50_000


class Rate(NamedTuple):
    """A token-bucket limit: burst size and long-term rate."""

    burst: int
    per_second: float


MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
MESSAGES = Rate(60, 15)
TALK = Rate(6, 0.6)
WATCH = Rate(30, 3)
NEW_PEOPLE = Rate(20, 30 / HOUR)
NEW_TABLES = Rate(15, 120 / HOUR)
CODES = Rate(5, 10 / HOUR)
SIGN_INS = Rate(5, 5 / MINUTE)
ALL_SIGN_INS = Rate(60, 60 / MINUTE)
REQUESTS = Rate(120, 10)
HANDSHAKES = Rate(60, 2)
REPLAYS = Rate(30, 1)
ANALYSES = Rate(10, 6 / MINUTE)
EXPLORATIONS = Rate(40, 1)
ADDRESSES = Rate(4, 6 / DAY)
MAILBOXES = Rate(3, 3 / DAY)
NEW_ADDRESSES = Rate(10, 30 / DAY)
ALL_ADDRESSES = Rate(60, 120 / HOUR)
HOST = Rate(10, 10 / MINUTE)
TOKENS = Rate(5, 20 / HOUR)
TOKEN_ATTEMPTS = Rate(12, 12 / MINUTE)
PROGRAM_MESSAGES = Rate(40, 10)
PROGRAM_REQUESTS = Rate(60, 5)
PROGRAM_TABLES = Rate(10, 60 / HOUR)
MAX_PROGRAMS = 5
"""Maximum number of programs per person."""
MAX_PROGRAM_TABLES = 8
"""Maximum number of open and running tables per program."""
MAX_PROGRAM_SOCKETS = 3


class Bucket:
    __slots__ = ("rate", "since", "tokens")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.tokens = float(rate.burst)
        self.since = monotonic()

    def take(self, *, now: float | None = None) -> float:
        """Take one token; returns 0 on success, else the seconds until one is available."""
        now = monotonic() if now is None else now
        self.tokens = min(self.rate.burst, self.tokens + (now - self.since) * self.rate.per_second)
        self.since = now
        if self.tokens < 1:
            return (1 - self.tokens) / self.rate.per_second
        self.tokens -= 1
        return 0.0


class RateLimiter:
    """Token buckets keyed by rate and subject; the least recently used are dropped first."""

    def __init__(self, *, is_on: bool = True) -> None:
        self.is_on = is_on
        self._buckets: OrderedDict[tuple[Rate, str], Bucket] = OrderedDict()

    def take(self, rate: Rate, subject: str) -> None:
        """Take one token of this subject; raises Refusal with the time to wait if there is none."""
        if not self.is_on:
            return
        bucket = self._buckets.pop((rate, subject), None) or Bucket(rate)
        self._buckets[rate, subject] = bucket
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)
        spend(bucket)


def spend(bucket: Bucket) -> None:
    wait = bucket.take()
    if wait:
        raise Refusal(Reason.TOO_FAST, seconds=ceil(wait))
