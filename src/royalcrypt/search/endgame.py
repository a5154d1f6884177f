"""Forecasts of results, exact at the end of a game by enumerating all dice and hidden cards.

In the last round more ready dice are always better, for the score and for the tie-break. So all players flip
Idols for failed dice and Remains for exhausted dice while that is possible, and after the last claim only
chance decides. Dice are independent between seats, card values between types (R11.5): their distributions
are computed separately and then combined.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from typing import Any

import numpy as np

from royalcrypt.play.results import RANKS
from royalcrypt.rules.cards import REMAINS, kind_value, unseen_of_type
from royalcrypt.rules.catalogue import PRICE
from royalcrypt.rules.chance import RANGE, keyed_word, seed_key
from royalcrypt.rules.collectors import is_offered
from royalcrypt.rules.layout import FACES, SERVANTS, TYPES, VALUES, Player, State, copy_of
from royalcrypt.rules.phases import COLLECT, MENDING, OVER
from royalcrypt.rules.phases import REMAINS as LAST_CHANCE
from royalcrypt.rules.reveal import seat_at
from royalcrypt.rules.scoring import bonus, scoring_seats, tally
from royalcrypt.search.dice_outcomes import (
    any_deal,
    hidden_cards,
    is_collecting,
    reroll_the_easiest,
    roll_outcomes,
)

Distribution = dict[int, float]
"""The chance of each integer."""
PLACES = 9
"""The number of decimal places in comparisons, so that rounding errors do not matter."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """The expected results of all seats."""

    wins: tuple[float, ...]
    """The expected share of the win for each seat, with a sum of 1; empty in solo games."""
    scores: tuple[float, ...]
    titles: tuple[float, ...]
    """In solo games, the chance of each title, the highest first; may contain only the first."""
    is_exact: bool

    def value(self, seat: int) -> float:
        """The quantity that the seat maximises: its share of the win, or in solo games its score."""
        return self.wins[seat] if self.wins else self.scores[seat]

    def rank(self, seat: int) -> tuple[float, float]:
        """A sort key for the seat's preferences: the value, then the score."""
        return round(self.value(seat), PLACES), round(self.scores[seat], PLACES)


def normalised(wins: Sequence[float]) -> tuple[float, ...]:
    """The shares scaled to a sum of 1, which removes rounding errors."""
    whole = sum(wins)
    return tuple(win / whole for win in wins)


def blend(prospects: Iterable[tuple[float, Prospect]]) -> Prospect:
    """The mean of prospects, weighted with their chances."""
    chances, found = zip(*prospects, strict=True)

    def mean(rows: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
        return tuple(sum(map(float.__mul__, chances, column)) for column in zip(*rows, strict=True))

    wins = mean(prospect.wins for prospect in found)
    scores = mean(prospect.scores for prospect in found)
    titles = mean(prospect.titles for prospect in found)
    if len(titles) == len(RANKS):
        titles = normalised(titles)
    is_exact = all(prospect.is_exact for prospect in found)
    return Prospect(normalised(wins) if wins else (), scores, titles, is_exact)


def title_chances(scores: Distribution) -> tuple[float, ...]:
    """The chance of each title, the highest first (R10.7)."""
    bounds = [least for least, _ in RANKS]
    above = [max(scores) + 1, *bounds[:-1]]
    ranges = zip(bounds, above, strict=True)
    return normalised([sum(scores[score] for score in scores if low <= score < high) for low, high in ranges])


@cache
def roll_totals(dice: int) -> Distribution:
    """The chance of each sum of this many dice."""
    totals: Distribution = {0: 1.0}
    for _ in range(dice):
        further = defaultdict[int, float](float)
        for total, face in product(totals, range(1, FACES + 1)):
            further[total + face] += totals[total] / FACES
        totals = further
    return totals


@cache
def tie_shares(dice: tuple[int, ...]) -> tuple[float, ...]:
    """The shares of the win of players who tie for first place, given their dice (R7.3)."""
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


MOST_SCORES = 1 << 14
"""The limit of score combinations from hidden cards; above it, scores are sampled."""
DRAWS = 1 << 10
MOST_ENDS = 1 << 21
"""The limit of combinations of scores and dice; above it, scores are sampled."""
Values = tuple[int, ...]
Scores = dict[Values, float]
"""The chance of each tuple of scores, which has one entry per seat."""
NOT_TIED = 0
CODES = SERVANTS + 2
"""The number of codes of a seat in a tie: not involved, or involved with 0 to 3 dice."""


def is_in_last_round(state: State) -> bool:
    return state.deck == 0 and state.drawn > 0


def only_chance_is_left(state: State) -> bool:
    """Whether the result depends only on dice, hidden cards and rewards that all players will use."""
    return is_in_last_round(state) and COLLECT <= state.phase <= OVER


def final_prospect(known: State) -> Prospect:
    """The prospect of a concealed state in which no real decisions remain."""
    servants, final = servants_left(any_deal(known))
    scores, is_exact = card_scores(known, final)
    if known.is_solo:
        return _alone(scores, servants[0], is_exact=is_exact)
    return _together(scores, servants, is_exact=is_exact)


def servants_left(whole: State) -> tuple[list[Distribution], State]:
    """The distribution of final ready dice by seat, and a state with all cards collected."""
    # The first position in turn order with a last chance for Remains A still to come (R9.2).
    first = whole.order if whole.phase == LAST_CHANCE else 0 if whole.phase < LAST_CHANCE else whole.seats
    rolled: dict[int, list[tuple[float, Player]]] = {}
    state = whole
    while is_collecting(state):
        seat = seat_at(state, state.order)
        outcomes = roll_outcomes(state, reroll_the_easiest)
        rolled[seat] = [(chance, after.players[seat]) for chance, after in outcomes]
        state = outcomes[0][1]
    distributions: list[Distribution] = []
    for seat in range(scoring_seats(state)):
        distribution = defaultdict[int, float](float)
        may_mend = (seat - state.leader) % state.seats >= first
        for chance, player in rolled.get(seat, [(1.0, state.players[seat])]):
            distribution[dice_after_mending(state, player) if may_mend else player.ready] += chance
        distributions.append(distribution)
    return distributions, state


def dice_after_mending(state: State, player: Player) -> int:
    """The number of ready dice after the last chance for Remains A (R9.2)."""
    if not is_offered(state, MENDING):
        return player.ready
    return player.ready + min(player.exhausted, player.unflipped[REMAINS] // PRICE[MENDING])


def card_scores(known: State, final: State) -> tuple[Scores, bool]:
    """The distribution of the players' scores from cards and Collectors, and whether it is exact."""
    tables = [_scores_of_type(known, final, card_type) for card_type in range(TYPES)]
    scores: Scores = {(0,) * scoring_seats(known): 1.0}
    for table in tables:
        if len(scores) * len(table) > MOST_SCORES:
            return _some_scores(tables, DRAWS), False
        sums = defaultdict[Values, float](float)
        for (before, chance), (more, part) in product(scores.items(), table.items()):
            sums[tuple(map(int.__add__, before, more))] += chance * part
        scores = sums
    return scores, True


def _scores_of_type(known: State, final: State, card_type: int) -> Scores:
    """The distribution of coins and bonus from the cards of one type, by seat."""
    seats = scoring_seats(known)
    hidden = [card for card in hidden_cards(known) if known.card_type[card] == card_type]
    cards = [card for card in hidden if final.card_place[card] < seats]
    cards.sort(key=lambda card: final.card_place[card])
    trial, found = copy_of(final), defaultdict[Values, float](float)
    for chance, values in _values_of(known, card_type, [final.card_place[card] for card in cards]):
        for card, value in zip(cards, values, strict=True):
            trial.card_value[card] = value
        tally(trial)
        coins = [trial.players[seat].coins[card_type] for seat in range(seats)]
        found[tuple(coins[seat] + bonus(trial, seat, card_type) for seat in range(seats))] += chance
    return found


def _values_of(known: State, card_type: int, owners: list[int]) -> Iterator[tuple[float, Values]]:
    """All values of a type's hidden cards, with their chances: each unseen card is equally likely (R11.5).

    The values of one owner's cards are in ascending order, because their order does not matter.
    """
    unseen = tuple(known.unseen[card_type * VALUES + value] for value in range(VALUES))
    outcomes: dict[tuple[Values, Values], float] = {((), unseen): 1.0}
    for index in range(len(owners)):
        own = next(first for first, owner in enumerate(owners) if owner == owners[index])
        further = defaultdict[tuple[Values, Values], float](float)
        for (values, left), chance in outcomes.items():
            for value, copies in enumerate(left, 1):
                if copies:
                    drawn = (*values[:own], *sorted((*values[own:], value)))
                    rest = (*left[: value - 1], copies - 1, *left[value:])
                    further[drawn, rest] += chance * copies / sum(left)
        outcomes = further
    for (values, _), chance in outcomes.items():
        yield chance, values


def peeked_states(known: State, cards: list[int]) -> Iterator[tuple[float, State]]:
    """The states that the viewer may have after seeing these hidden cards, with their chances."""
    if not cards:
        yield 1.0, known
        return
    card_type = known.card_type[cards[0]]
    for kind in range(card_type * VALUES, (card_type + 1) * VALUES):
        if known.unseen[kind]:
            seen = copy_of(known)
            seen.unseen[kind] -= 1
            seen.card_value[cards[0]] = kind_value(kind)
            part = known.unseen[kind] / unseen_of_type(known, card_type)
            for chance, state in peeked_states(seen, cards[1:]):
                yield part * chance, state


def _some_scores(tables: list[Scores], count: int) -> Scores:
    """A deterministic sample of ``count`` draws from the tables of scores."""
    found = defaultdict[Values, float](float)
    for number in range(count):
        drawn = [_drawn(table, number * TYPES + place) for place, table in enumerate(tables)]
        found[tuple(map(sum, zip(*drawn, strict=True)))] += 1 / count
    return found


def _drawn(table: Scores, address: int) -> tuple[int, ...]:
    left = keyed_word(*seed_key(0), address << 8) / RANGE
    for scores, chance in table.items():
        left -= chance
        if left < 0:
            return scores
    return next(reversed(table))


def _alone(scores: Scores, servants: Distribution, *, is_exact: bool) -> Prospect:
    totals = defaultdict[int, float](float)
    for ((score,), chance), (ready, part) in product(scores.items(), servants.items()):
        totals[score + ready] += chance * part
    mean = sum(score * chance for score, chance in totals.items())
    return Prospect((), (mean,), title_chances(totals), is_exact)


def _together(scores: Scores, servants: list[Distribution], *, is_exact: bool) -> Prospect:
    seats = len(servants)
    ends = prod(map(len, servants))
    if len(scores) * ends > MOST_ENDS:
        scores, is_exact = _some_scores([scores], MOST_ENDS // ends), False
    cards: Any = np.array(list(scores), np.int16)
    chances: Any = np.array(list(scores.values()))
    dice: Any = np.array(list(product(*servants)), np.int16)
    parts: Any = np.array(
        [prod(row) for row in product(*(distribution.values() for distribution in servants))]
    )
    totals = cards[:, None, :] + dice[None, :, :]
    is_tied = totals == totals.max(axis=2, keepdims=True)
    codes = np.zeros(totals.shape[:2], np.int64)
    for seat in range(seats):
        codes = codes * CODES + np.where(is_tied[:, :, seat], dice[None, :, seat] + 1, NOT_TIED)
    weights: Any = np.bincount(
        codes.ravel(), (chances[:, None] * parts[None, :]).ravel(), minlength=CODES**seats
    )
    wins = [0.0] * seats
    for code in np.flatnonzero(weights):
        for seat, share in _shares(int(code), seats):
            wins[seat] += float(weights[code]) * share
    means = chances @ cards + parts @ dice
    return Prospect(normalised(wins), tuple(map(float, means)), (), is_exact)


def _shares(code: int, seats: int) -> list[tuple[int, float]]:
    """The shares of the win of the seats in a tie, or of a single winner."""
    found = [code // CODES ** (seats - 1 - seat) % CODES for seat in range(seats)]
    tied = [seat for seat in range(seats) if found[seat] != NOT_TIED]
    return list(zip(tied, tie_shares(tuple(found[seat] - 1 for seat in tied)), strict=True))
