"""Exact evaluation of the end of a game: all dice, and all values that hidden cards may have for a viewer.

In the last round more ready dice are always better, for the score and for the tie-break. So all players flip
Idols for failed dice and Remains for exhausted dice while that is possible, and after the last claim only
chance decides. Dice are independent between seats, card values between types (R11.5): their distributions
are computed separately and then combined.
"""

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

import numpy as np

from royalcrypt.rules.cards import REMAINS, kind_value, unseen_of_type
from royalcrypt.rules.catalogue import PRICE
from royalcrypt.rules.collectors import can_mend, mend
from royalcrypt.rules.fast_chance import RANGE, keyed_word, seed_key
from royalcrypt.rules.layout import SERVANTS, TYPES, VALUES, State, copy_of
from royalcrypt.rules.phases import COLLECT, MENDING, OVER
from royalcrypt.rules.phases import REMAINS as LAST_CHANCE
from royalcrypt.rules.reveal import seat_at
from royalcrypt.rules.scoring import bonus, scoring_seats, tally
from royalcrypt.search.collecting import (
    hidden_cards,
    is_collecting,
    reroll_the_easiest,
    some_deal,
    ways_home,
)
from royalcrypt.search.prospects import Prospect, Spread, shared_out, tie_shares, title_chances

MOST_SCORES = 1 << 14
"""Most combinations of scores from hidden cards; beyond that, scores are sampled."""
DRAWS = 1 << 10
MOST_ENDS = 1 << 21
"""Most combinations of scores and dice; beyond that, scores are sampled."""
Scores = dict[tuple[int, ...], float]
"""The chance of each tuple of scores, by seat."""
NOT_TIED = 0
CODES = SERVANTS + 2
"""Codes of a seat in a tie: not in it, or in it with 0 to 3 dice."""


def is_in_last_round(state: State) -> bool:
    return state.deck == 0 and state.drawn > 0


def only_chance_is_left(state: State) -> bool:
    """Whether only dice, hidden cards and rewards that every player takes can change the result."""
    return is_in_last_round(state) and COLLECT <= state.phase <= OVER


def final_prospect(known: State) -> Prospect:
    """The prospect of a concealed state in which only chance is left."""
    servants, final = servants_left(some_deal(known))
    scores, is_exact = card_scores(known, final)
    if known.is_solo:
        return _alone(scores, servants[0], is_exact=is_exact)
    return _together(scores, servants, is_exact=is_exact)


def servants_left(whole: State) -> tuple[list[Spread], State]:
    """By seat, the distribution of ready dice at the end; and a state with all cards in place."""
    first = _first_to_mend(whole)
    homes: dict[int, list[tuple[float, int, int]]] = {}
    state = whole
    while is_collecting(state):
        seat = seat_at(state, state.order)
        ways = ways_home(state, reroll_the_easiest)
        homes[seat] = [(chance, way.players[seat].ready, way.players[seat].exhausted) for chance, way in ways]
        state = ways[0][1]
    spreads: list[Spread] = []
    for seat in range(scoring_seats(state)):
        player = state.players[seat]
        spread: Spread = {}
        may_mend = (seat - state.leader) % state.seats >= first
        for chance, ready, exhausted in homes.get(seat, [(1.0, player.ready, player.exhausted)]):
            left = _mended(state, seat, ready, exhausted) if may_mend else ready
            spread[left] = spread.get(left, 0.0) + chance
        spreads.append(spread)
    return spreads, state


def _first_to_mend(state: State) -> int:
    """The first place in turn order that still has its last chance for Remains A (R9.2)."""
    if state.phase == LAST_CHANCE:
        return state.order
    return 0 if state.phase < LAST_CHANCE else state.seats


def _mended(state: State, seat: int, ready: int, exhausted: int) -> int:
    """Ready dice after all uses of Remains A that can be paid for (R9.2)."""
    after = copy_of(state)
    player = after.players[seat]
    player.ready, player.exhausted = ready, exhausted
    while can_mend(after, seat):
        player.unflipped[REMAINS] -= PRICE[MENDING]
        mend(after, seat)
    return player.ready


def card_scores(known: State, final: State) -> tuple[Scores, bool]:
    """Distribution of the players' scores from cards and Collectors, and whether it is exact."""
    tables = [_scores_of_type(known, final, card_type) for card_type in range(TYPES)]
    scores: Scores = {(0,) * scoring_seats(known): 1.0}
    for table in tables:
        if len(scores) * len(table) > MOST_SCORES:
            return _some_scores(tables, DRAWS), False
        added: Scores = {}
        for (before, chance), (more, part) in product(scores.items(), table.items()):
            both = tuple(map(int.__add__, before, more))
            added[both] = added.get(both, 0.0) + chance * part
        scores = added
    return scores, True


def _scores_of_type(known: State, final: State, card_type: int) -> Scores:
    """Distribution of coins and bonus from the cards of one type, by seat."""
    seats = scoring_seats(known)
    cards = [
        card
        for card in hidden_cards(known)
        if known.card_type[card] == card_type and final.card_place[card] < seats
    ]
    cards.sort(key=lambda card: final.card_place[card])
    trial, found = copy_of(final), Scores()
    for chance, values in _values_of(known, card_type, [final.card_place[card] for card in cards]):
        for card, value in zip(cards, values, strict=True):
            trial.card_value[card] = value
        tally(trial)
        scores = tuple(
            trial.players[seat].coins[card_type] + bonus(trial, seat, card_type) for seat in range(seats)
        )
        found[scores] = found.get(scores, 0.0) + chance
    return found


def _values_of(known: State, card_type: int, owners: list[int]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Values of hidden cards of a type, each unseen card as likely as the others (R11.5).

    Of one owner's cards the order does not matter: they come in ascending order.
    """
    unseen = tuple(known.unseen[card_type * VALUES + value] for value in range(VALUES))
    ways: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {((), unseen): 1.0}
    for index in range(len(owners)):
        own = next(first for first, owner in enumerate(owners) if owner == owners[index])
        further: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
        for (values, left), chance in ways.items():
            for value, copies in enumerate(left, 1):
                if copies:
                    drawn = (*values[:own], *sorted((*values[own:], value)))
                    rest = (*left[: value - 1], copies - 1, *left[value:])
                    part = chance * copies / sum(left)
                    further[drawn, rest] = further.get((drawn, rest), 0.0) + part
        ways = further
    for (values, _), chance in ways.items():
        yield chance, values


def peeked_states(known: State, cards: list[int]) -> Iterator[tuple[float, State]]:
    """The states that the viewer may know after seeing these hidden cards, with their chances."""
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
    """A sample of ``count`` draws from the tables, always the same for equal tables."""
    found: Scores = {}
    for number in range(count):
        drawn = [_drawn(table, number * TYPES + place) for place, table in enumerate(tables)]
        scores = tuple(map(sum, zip(*drawn, strict=True)))
        found[scores] = found.get(scores, 0.0) + 1 / count
    return found


def _drawn(table: Scores, address: int) -> tuple[int, ...]:
    left = keyed_word(*seed_key(0), address << 8) / RANGE
    for scores, chance in table.items():
        left -= chance
        if left < 0:
            return scores
    return next(reversed(table))


def _alone(scores: Scores, servants: Spread, *, is_exact: bool) -> Prospect:
    totals: Spread = {}
    for ((score,), chance), (ready, part) in product(scores.items(), servants.items()):
        totals[score + ready] = totals.get(score + ready, 0.0) + chance * part
    mean = sum(score * chance for score, chance in totals.items())
    return Prospect((), (mean,), title_chances(totals), is_exact)


def _together(scores: Scores, servants: list[Spread], *, is_exact: bool) -> Prospect:
    seats = len(servants)
    ends = prod(map(len, servants))
    if len(scores) * ends > MOST_ENDS:
        scores, is_exact = _some_scores([scores], MOST_ENDS // ends), False
    cards: Any = np.array(list(scores), np.int16)
    chances: Any = np.array(list(scores.values()))
    dice: Any = np.array(list(product(*servants)), np.int16)
    parts: Any = np.array([prod(row) for row in product(*(spread.values() for spread in servants))])
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
    return Prospect(shared_out(wins), tuple(map(float, means)), (), is_exact)


def _shares(code: int, seats: int) -> list[tuple[int, float]]:
    """Shares of the win of the seats in a tie (or of a sole winner)."""
    found = [code // CODES ** (seats - 1 - seat) % CODES for seat in range(seats)]
    tied = [seat for seat in range(seats) if found[seat] != NOT_TIED]
    return list(zip(tied, tie_shares(tuple(found[seat] - 1 for seat in tied)), strict=True))
