"""Forecasts of a game: shares of the win, final scores, and for an Only Child the titles."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from royalcrypt.play.results import RANKS
from royalcrypt.rules.layout import FACES

Spread = dict[int, float]
"""The chance of each number."""
PLACES = 9
"""Decimal places for comparisons, so the order of additions does not matter."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """Expected results, by seat."""

    wins: tuple[float, ...]
    """Shares of the win, which add up to 1; empty for an Only Child."""
    scores: tuple[float, ...]
    titles: tuple[float, ...]
    """For an Only Child the chance of each title, the highest first; may have only the first."""
    is_exact: bool

    def value(self, seat: int) -> float:
        """What the seat maximises: its share of the win, or alone its score."""
        return self.wins[seat] if self.wins else self.scores[seat]

    def rank(self, seat: int) -> tuple[float, float]:
        """The key by which the seat chooses: the value, then the score."""
        return round(self.value(seat), PLACES), round(self.scores[seat], PLACES)


def shared_out(wins: Sequence[float]) -> tuple[float, ...]:
    """Shares scaled to add up to 1, which removes rounding errors."""
    whole = sum(wins)
    return tuple(win / whole for win in wins)


def blend(prospects: Iterable[tuple[float, Prospect]]) -> Prospect:
    """The mean of prospects, weighted with their chances."""
    found = list(prospects)
    first = found[0][1]

    def mean(rows: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
        chances = [chance for chance, _ in found]
        return tuple(sum(map(float.__mul__, chances, column)) for column in zip(*rows, strict=True))

    return Prospect(
        wins=shared_out(mean([prospect.wins for _, prospect in found])) if first.wins else (),
        scores=mean([prospect.scores for _, prospect in found]),
        titles=_within_one(mean([prospect.titles for _, prospect in found])) if first.titles else (),
        is_exact=all(prospect.is_exact for _, prospect in found),
    )


def _within_one(titles: tuple[float, ...]) -> tuple[float, ...]:
    return shared_out(titles) if len(titles) == len(RANKS) else titles


def title_chances(scores: Spread) -> tuple[float, ...]:
    """The chance of each title, the highest first (R10.7)."""
    bounds = [least for least, _ in RANKS]
    above = [max(scores) + 1, *bounds[:-1]]
    return shared_out(
        [
            sum(chance for score, chance in scores.items() if least <= score < more)
            for least, more in zip(bounds, above, strict=True)
        ]
    )


@cache
def roll_totals(dice: int) -> Spread:
    """The chance of each sum of this many dice."""
    totals = {0: 1.0}
    for _ in range(dice):
        further: Spread = {}
        for total, face in product(totals, range(1, FACES + 1)):
            further[total + face] = further.get(total + face, 0.0) + totals[total] / FACES
        totals = further
    return totals


@cache
def tie_shares(dice: tuple[int, ...]) -> tuple[float, ...]:
    """Shares of the win of players who tie for first place, by their dice (R7.3)."""
    if len(dice) == 1 or not any(dice):
        return (1 / len(dice),) * len(dice)
    rolls = [roll_totals(count) for count in dice]
    shares = [0.0] * len(dice)
    again = 0.0
    for highest in {total for totals in rolls for total in totals}:
        equal = [totals.get(highest, 0.0) for totals in rolls]
        lower = [sum(chance for total, chance in totals.items() if total < highest) for totals in rolls]
        for is_top in product((False, True), repeat=len(dice)):
            chance = 1.0
            for seat, is_one in enumerate(is_top):
                chance *= equal[seat] if is_one else lower[seat]
            if all(is_top):
                again += chance
            elif any(is_top) and chance > 0:
                tied = [seat for seat, is_one in enumerate(is_top) if is_one]
                for seat, share in zip(tied, tie_shares(tuple(dice[seat] for seat in tied)), strict=True):
                    shares[seat] += chance * share
    return tuple(share / (1 - again) for share in shares)
