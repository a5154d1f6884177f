"""The risks of a claim: exhausted servants, and being pushed out by rivals or the Ghost."""

from functools import cache
from itertools import product

from royalcrypt.rules.layout import FACES, SERVANTS

FAILS = tuple((effort - 1) / FACES for effort in range(FACES + 1))
"""By effort, the chance that a die is exhausted (R6.3)."""
UNTOUCHABLE = SERVANTS * FACES + 1
"""Total of a card that the Ghost skips: its own, or one that is gone."""


class Weariness:
    """The cost of exhausted servants in coins: at the end, and for the turn to recover them."""

    __slots__ = ("already", "first", "further")

    def __init__(self, exhausted: int, rounds_left: int) -> None:
        self.already = exhausted
        self.first = 1.4 if rounds_left else 1.0
        self.further = 0.4 if rounds_left else 0.0

    def of(self, exhausted: int) -> float:
        """The cost of this many exhausted servants; each further one costs more."""
        return self.first * exhausted + self.further * exhausted * (exhausted - 1) / 2

    def added(self, expected: float, pairs: float) -> float:
        """The added cost of expected failed dice, and of expected pairs of failed dice."""
        return (self.first + self.further * self.already) * expected + self.further * pairs


def cheapest_push(total: int, dice: int) -> float | None:
    """The lowest expected number of failed dice for a rival to beat this total; None if they cannot."""
    costs = [
        count * FAILS[-(-(total + 1) // count)] for count in range(1, dice + 1) if total + 1 <= count * FACES
    ]
    return min(costs, default=None)


@cache
def ghost_rolls(dice: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The Ghost's rolls: how many give each tuple of sums, in the order of placing (R10.4)."""
    found: dict[tuple[int, ...], int] = {}
    for faces in product(range(1, FACES + 1), repeat=dice):
        groups = sorted(((face * faces.count(face), faces.count(face)) for face in set(faces)), reverse=True)
        sums = tuple(total for total, _ in groups)
        found[sums] = found.get(sums, 0) + 1
    return tuple((ways, sums) for sums, ways in sorted(found.items()))


@cache
def chances_to_keep(totals: tuple[int, ...], dice: int, *, is_last: bool) -> tuple[float, ...]:
    """By slot, the exact chance that the Ghost, who must beat ``totals``, places elsewhere (R10.4, R10.5)."""
    kept = [0] * len(totals)
    for ways, sums in ghost_rolls(dice):
        row = list(totals)
        for total in sums[:1] if is_last else sums:
            for slot, held in enumerate(row):
                if held < total:
                    row[slot] = UNTOUCHABLE
                    break
        for slot, held in enumerate(row):
            kept[slot] += ways * (held == totals[slot])
    return tuple(count / FACES**dice for count in kept)
