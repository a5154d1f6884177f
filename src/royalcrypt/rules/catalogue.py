"""The Collector catalogue: what each side requires, pays and costs, and when it is used (section 8).

``COLLECTORS`` is the only place that states these facts. Scoring, the appraisals in ``search`` and ``bots``,
the numbers in every language, the terminal and the page's pictograms are derived from it. The tables below
it hold the same numbers in flat tuples of small ints, which Numba compiles.
"""

from typing import NamedTuple

from royalcrypt.rules.layout import CARDS, TYPES, State
from royalcrypt.rules.phases import MENDING, NO_ERRAND, PEEKING, REROLLING, TAKING

Steps = tuple[tuple[int, int], ...]
"""Pairs of a number of cards and an amount, ascending. The last pair whose number is reached applies."""
Unit = tuple[int, int, int, int]
"""Factors for 1, the card count and the finest card: their sum is multiplied by the amount. The fourth is
a factor for the coins on the cards, which are added."""

A_SET: Unit = (1, 0, 0, 0)
EACH_CARD: Unit = (0, 1, 0, 0)
FINEST_CARD: Unit = (0, 0, 1, 0)
EACH_CARD_INSTEAD: Unit = (0, 1, 0, -1)
"""One per card, replacing the printed value of each."""

ALWAYS, FIRST, MOST_COINS, ALONE = range(4)
"""Conditions for full payment: none; first to own the cards; most coins; no other owner of enough cards."""

AT_THE_END, AFTER_ROLLS, BEFORE_CLAIMS, ANY_TIME = range(4)
"""Times of use: in scoring (R7.2), after the player's rolls (R6.5), before the first claim (R5.1), or
between the actions of a round and once more before scoring (R9)."""


class CollectorSide(NamedTuple):
    """One side of a Collector card. It pays coins at the end, or it gives a reward for flipped cards."""

    pays: Steps = ()
    unit: Unit = A_SET
    condition: int = ALWAYS
    otherwise: Steps = ()
    """The amounts for players who do not meet the condition."""
    flips: int = 0
    """The number of cards to flip, for a reward or for being the first to own the cards."""
    reward: int = NO_ERRAND
    when: int = AT_THE_END


COLLECTORS: tuple[tuple[CollectorSide, CollectorSide], ...] = (
    (  # Idol (R8.1)
        CollectorSide(flips=1, reward=REROLLING, when=AFTER_ROLLS),
        CollectorSide(pays=((2, 5),), condition=FIRST, otherwise=((2, 2),), flips=2),
    ),
    (  # Jewelry (R8.2)
        CollectorSide(pays=((2, 1),), unit=FINEST_CARD),
        CollectorSide(pays=((1, 1),), unit=EACH_CARD),
    ),
    (  # Manuscript (R8.3)
        CollectorSide(pays=((2, 4),), unit=EACH_CARD_INSTEAD),
        CollectorSide(flips=1, reward=PEEKING, when=ANY_TIME),
    ),
    (  # Pottery (R8.4)
        CollectorSide(pays=((2, 2), (3, 4), (4, 8))),
        CollectorSide(flips=2, reward=TAKING, when=BEFORE_CLAIMS),
    ),
    (  # Remains (R8.5)
        CollectorSide(flips=2, reward=MENDING, when=ANY_TIME),
        CollectorSide(pays=((4, 10),)),
    ),
    (  # Tapestry (R8.6)
        CollectorSide(pays=((1, 5),), condition=MOST_COINS),
        CollectorSide(pays=((3, 7),), condition=ALONE, otherwise=((3, 4),)),
    ),
)
"""Both sides (A, B) of the Collector of each card type."""

HELD = CARDS // TYPES + 1
"""The number of different card counts that a player may have of one type: 0 to 8 cards (R1.1)."""
ENTRIES = tuple(side for sides in COLLECTORS for side in sides)
"""All sides in one tuple, at index ``2 * type + side``; the tables below use the same index."""


def _by_count(steps: Steps) -> tuple[int, ...]:
    reached = [[amount for cards, amount in steps if cards <= count] for count in range(HELD)]
    return tuple(amounts[-1] if amounts else 0 for amounts in reached)


PAYS = tuple(amount for side in ENTRIES for amount in _by_count(side.pays))
OTHERWISE = tuple(amount for side in ENTRIES for amount in _by_count(side.otherwise))
"""Amounts for players who miss the condition, at index ``entry * HELD + count``."""
REQUIRED = tuple(side.pays[0][0] if side.pays else HELD for side in ENTRIES)
"""The fewest cards for which each side pays; ``HELD``, an unreachable count, for sides that pay nothing."""
CONDITION = tuple(side.condition for side in ENTRIES)
PER_SET, PER_CARD, PER_FINEST, PER_COIN = zip(*[side.unit for side in ENTRIES], strict=True)
FLIPS = tuple(side.flips for side in ENTRIES)

_REWARDS = {side.reward: entry for entry, side in enumerate(ENTRIES) if side.reward != NO_ERRAND}
_BY_ERRAND = tuple(_REWARDS[errand] for errand in sorted(_REWARDS))
PAID_IN = (-1, *(entry // 2 for entry in _BY_ERRAND))
OFFERED_ON = (-1, *(entry % 2 for entry in _BY_ERRAND))
PRICE = (0, *(FLIPS[entry] for entry in _BY_ERRAND))
WHEN = (-1, *(ENTRIES[entry].when for entry in _BY_ERRAND))
"""For each errand: the card type, side, number of flips and time of use of its reward."""


def entry_of(state: State, card_type: int) -> int:
    """The table index of the Collector side that this game uses for a card type."""
    return 2 * card_type + state.sides[card_type]


def amount_paid(entry: int, count: int, is_met: bool) -> int:
    """The amount that a side pays for a number of cards, in the side's own unit."""
    at = entry * HELD + count
    return PAYS[at] if is_met else OTHERWISE[at]
