"""Applies limits: token buckets for rates, refusals beyond bounds; each time is counted for the metrics."""

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.limits import BUCKETS, Bound, Rate


class Bucket:
    __slots__ = ("rate", "since", "tokens")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.tokens = float(rate.burst)
        self.since = monotonic()

    def take(self, tokens: int = 1, *, now: float | None = None) -> float:
        """Take tokens; returns 0 on success, else the seconds until so many are available."""
        now = monotonic() if now is None else now
        self.tokens = min(self.rate.burst, self.tokens + (now - self.since) * self.rate.per_second)
        self.since = now
        if self.tokens < tokens:
            return (tokens - self.tokens) / self.rate.per_second
        self.tokens -= tokens
        return 0.0


class Limiter:
    """Token buckets keyed by rate and subject; the least recently used are dropped first."""

    def __init__(self, on_limit: Callable[[str], object], *, is_on: bool = True) -> None:
        self._on_limit = on_limit
        self.is_on = is_on
        """Whether rates are limited; bounds always are."""
        self._buckets: OrderedDict[tuple[Rate, str], Bucket] = OrderedDict()

    def take(self, rate: Rate, subject: str, tokens: int = 1) -> None:
        """Take tokens of this subject; raises Refusal with the time to wait if there are too few."""
        if not self.is_on:
            return
        bucket = self._buckets.pop((rate, subject), None) or Bucket(rate)
        self._buckets[rate, subject] = bucket
        if len(self._buckets) > BUCKETS.most:
            self._on_limit(BUCKETS.name)
            self._buckets.popitem(last=False)
        self.spend(bucket, tokens)

    def spend(self, bucket: Bucket, tokens: int = 1) -> None:
        """Take tokens of a bucket that the caller keeps; raises Refusal if there are too few."""
        wait = bucket.take(tokens)
        if self.is_on and wait:
            self._on_limit(bucket.rate.name)
            raise Refusal(Reason.TOO_FAST, seconds=ceil(wait))

    def count(self, bound: Bound) -> None:
        """Count that a bound was applied."""
        self._on_limit(bound.name)

    def busy(self, name: str, seconds: int) -> Refusal:
        """Count that too many wait for something; returns the refusal to raise."""
        self._on_limit(name)
        return Refusal(Reason.TOO_FAST, seconds=seconds)

    def refusal(self, bound: Bound) -> Refusal:
        """Count that a bound was applied; returns the refusal to raise."""
        self.count(bound)
        return Refusal(Reason.TOO_MANY, most=bound.most)
