"""The Collector catalogue: what each side requires, pays and costs, and when it is used (section 8).

``COLLECTORS`` is the only place that states these facts. Scoring, the appraisals in ``search`` and ``bots``,
the numbers in every language, the terminal and the page's pictograms are derived from it. The tables below
it hold the same numbers in flat tuples of small ints, which Numba compiles.
"""

from typing import NamedTuple

from royalcrypt.rules.layout import CARDS, TYPES, State
from royalcrypt.rules.phases import MENDING, NO_ERRAND, PEEKING, REROLLING, TAKING

Steps = tuple[tuple[int, int], ...]
"""Pairs of cards and amount, ascending. The last pair whose cards a player owns counts."""
Unit = tuple[int, int, int, int]
"""Factors for 1, the number of cards and the finest card: an amount is multiplied by their sum. The fourth is
a factor for the coins on the cards, which are added."""

A_SET: Unit = (1, 0, 0, 0)
EACH_CARD: Unit = (0, 1, 0, 0)
FINEST_CARD: Unit = (0, 0, 1, 0)
EACH_CARD_INSTEAD: Unit = (0, 1, 0, -1)
"""In place of the printed value."""

ALWAYS, FIRST, MOST_COINS, ALONE = range(4)
"""Conditions: none; first to own the cards; nobody's cards are worth more; nobody else owns enough cards."""

AT_THE_END, AFTER_ROLLS, BEFORE_CLAIMS, ANY_TIME = range(4)
"""When a side is used: in scoring (R7.2), after one's own rolls (R6.5), before the first claim (R5.1), or
between the actions of a round and once more before scoring (R9)."""


class CollectorSide(NamedTuple):
    """One side of a Collector card. It pays coins at the end, or it gives a reward for flipped cards."""

    pays: Steps = ()
    unit: Unit = A_SET
    condition: int = ALWAYS
    otherwise: Steps = ()
    """What it pays to those who do not meet the condition."""
    flips: int = 0
    """Cards to flip for the reward, or for being first."""
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
"""By type, side A and side B."""

HELD = CARDS // TYPES + 1
"""How many different numbers of cards of a type a player may own: 0 to 8 (R1.1)."""
ENTRIES = tuple(side for sides in COLLECTORS for side in sides)
"""By ``2 * type + side``, as all tables below."""


def _by_count(steps: Steps) -> tuple[int, ...]:
    reached = [[amount for cards, amount in steps if cards <= count] for count in range(HELD)]
    return tuple(amounts[-1] if amounts else 0 for amounts in reached)


PAYS = tuple(amount for side in ENTRIES for amount in _by_count(side.pays))
OTHERWISE = tuple(amount for side in ENTRIES for amount in _by_count(side.otherwise))
"""Amounts by entry and number of cards: ``entry * HELD + count``."""
REQUIRED = tuple(side.pays[0][0] if side.pays else HELD for side in ENTRIES)
"""The fewest cards for which a side pays; out of reach for those that pay nothing."""
CONDITION = tuple(side.condition for side in ENTRIES)
PER_SET, PER_CARD, PER_FINEST, PER_COIN = zip(*[side.unit for side in ENTRIES], strict=True)
FLIPS = tuple(side.flips for side in ENTRIES)

_REWARDS = {side.reward: entry for entry, side in enumerate(ENTRIES) if side.reward != NO_ERRAND}
_BY_ERRAND = tuple(_REWARDS[errand] for errand in sorted(_REWARDS))
PAID_IN = (-1, *(entry // 2 for entry in _BY_ERRAND))
OFFERED_ON = (-1, *(entry % 2 for entry in _BY_ERRAND))
PRICE = (0, *(FLIPS[entry] for entry in _BY_ERRAND))
WHEN = (-1, *(ENTRIES[entry].when for entry in _BY_ERRAND))
"""Type, side, number of flips and time of a reward, by errand."""


def entry_of(state: State, card_type: int) -> int:
    """The side of this type's Collector that counts in this game."""
    return 2 * card_type + state.sides[card_type]


def amount_paid(entry: int, count: int, is_met: bool) -> int:
    """What a side pays for this many cards, in its own unit; ``is_met``: whether its condition is met."""
    at = entry * HELD + count
    return PAYS[at] if is_met else OTHERWISE[at]
