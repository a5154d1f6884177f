"""What Collectors bring: by what would be missing without them, by regression, and side against side."""

from dataclasses import dataclass

import numpy as np

from royalcrypt.lab.studies.answers import Array, Estimate, mean_by_deal, mean_of
from royalcrypt.lab.studies.fitting import against_others, least_squares
from royalcrypt.lab.studies.playing import lead_of
from royalcrypt.lab.studies.questions import Columns
from royalcrypt.rules.cards import Side, Type
from royalcrypt.rules.catalogue import COLLECTORS
from royalcrypt.rules.layout import NONE, TYPES, VALUES
from royalcrypt.rules.phases import NO_ERRAND

USED_IN_PLAY = {
    card_type: side for card_type in Type for side in Side if COLLECTORS[card_type][side].reward != NO_ERRAND
}
"""Rewards that pay no coins at the end."""
IN_PLAY = np.array([USED_IN_PLAY.get(card_type, -1) for card_type in Type])
BARS = 2
"""Games of a deal in which somebody cannot use a reward."""
COINS = np.tile(np.arange(1, VALUES + 1), TYPES)
"""By kind."""


def which_to_bar(sides: Array, numbers: Array) -> tuple[list[int], list[int]]:
    """Games (two a deal) and types: of the rewards used in play, ``BARS`` of each deal, each in its turn."""
    origins: list[int] = []
    types: list[int] = []
    deals: list[int] = numbers.tolist()
    for row, number in enumerate(deals):
        there: list[tuple[int, int]] = [
            (2 * row + int(np.argmax(sides[row, :, card_type] == side)), int(card_type))
            for card_type, side in USED_IN_PLAY.items()
            if (sides[row, :, card_type] == side).any()
        ]
        for turn in range(min(BARS, len(there))):
            origin, card_type = there[(number // TYPES + turn) % len(there)]
            origins.append(origin)
            types.append(card_type)
    return origins, types


def padded(values: Array, length: int) -> Array:
    return np.concatenate([values, np.full(length - len(values), NONE, values.dtype)])


Parts = tuple[Estimate, Estimate, Estimate, Estimate]


@dataclass(frozen=True)
class Worth:
    """Of one side, for somebody at the table."""

    completed: Estimate
    """Share of the seats that get something out of it."""
    coins: Estimate
    wins: Estimate
    """What one would have less without the reward, on average."""
    coins_completed: Estimate
    wins_completed: Estimate
    """The same where it was completed."""
    fitted: Estimate
    """By regression: coins that go with having completed it."""


def completed(found: Columns) -> Array:
    """By deal, side, seat and type: whether the Collector gave anything."""
    return (found["bonuses"] > 0) | (found["uses"] > 0)


def worths(found: Columns) -> list[Worth]:
    """In the order of ``SIDED``."""
    fitted = regression(found)
    done = completed(found)
    worth: list[Worth] = []
    for card_type in Type:
        for side in Side:
            is_in_play = IN_PLAY[card_type] == side
            part = _used(found, card_type) if is_in_play else _paid(found, card_type, side)
            here = found["sides"][:, :, card_type] == side
            deals = np.broadcast_to(found["deal"][:, None, None], done.shape[:3])[here]
            worth.append(
                Worth(
                    mean_by_deal(done[here][:, :, card_type].ravel().astype(float), deals.ravel()),
                    *part,
                    fitted[2 * card_type + side],
                )
            )
    return worth


def _paid(found: Columns, card_type: int, side: int) -> Parts:
    """Without the coins that it paid to one seat; nobody would have played otherwise."""
    here = found["sides"][:, :, card_type] == side
    scores, wins = found["scores"][here], found["wins"][here]
    coins = found["bonuses"][here][:, :, card_type]
    deals = np.broadcast_to(found["deal"][:, None], here.shape)[here]
    seats = scores.shape[1]
    lost = np.zeros(scores.shape)
    for seat in range(seats):
        rivals = np.delete(scores, seat, axis=1).max(axis=1)
        left = scores[:, seat] - coins[:, seat]
        keeps = np.where(left > rivals, 1.0, np.where(left == rivals, 0.5, 0.0))
        lost[:, seat] = wins[:, seat] * (1 - np.where(coins[:, seat] > 0, keeps, 1.0))
    return _worth_of(coins.astype(float), lost, np.repeat(deals, seats).reshape(coins.shape), coins > 0)


def _used(found: Columns, card_type: int) -> Parts:
    """The deal played with it, less the deal played again by somebody who cannot use it."""
    here = found["bar_type"] == card_type
    return _worth_of(
        found["bar_coins"][here],
        found["bar_wins"][here],
        found["bar_deal"][here],
        found["bar_used"][here] > 0,
    )


def _worth_of(coins: Array, wins: Array, deals: Array, done: Array) -> Parts:
    return (
        mean_by_deal(coins.ravel(), deals.ravel()),
        mean_by_deal(wins.ravel(), deals.ravel()),
        mean_by_deal(coins[done], deals[done]),
        mean_by_deal(wins[done], deals[done]),
    )


def regression(found: Columns) -> tuple[Estimate, ...]:
    """Of the lead over the others on Collectors completed, among those with as many coins on cards."""
    done, players = completed(found), found["scores"].shape[2]
    sides = found["sides"][:, :, None, :]
    columns = np.stack([done & (sides == side) for side in Side], axis=-1).reshape(-1, players, 2 * TYPES)
    coins = (found["cards"] @ COINS).reshape(-1, players)
    deals = np.repeat(found["deal"], 2 * players)
    table = np.concatenate([columns, coins[:, :, None]], axis=2).astype(float)
    table = against_others(table).reshape(-1, 2 * TYPES + 1)
    margins = against_others(found["scores"].reshape(-1, players)).ravel()
    return least_squares(table, margins, deals).coefficients[: 2 * TYPES]


@dataclass(frozen=True)
class Switch:
    """From side A to side B of one Collector, in the same deals."""

    score: Estimate
    lead: Estimate
    cards: Estimate


def switches(found: Columns) -> list[Switch]:
    by: list[Switch] = []
    kinds = found["cards"].sum(axis=2).reshape(-1, 2, TYPES, VALUES).sum(axis=3)
    scores, players = found["scores"], found["scores"].shape[2]
    for card_type in Type:
        here = found["deal"] % TYPES == card_type
        means = scores[here].mean(axis=2)
        leads = lead_of(scores[here].reshape(-1, players)).reshape(-1, 2)
        taken = kinds[here][:, :, card_type]
        by.append(
            Switch(
                mean_of(means[:, Side.B] - means[:, Side.A]),
                mean_of((leads[:, Side.B] - leads[:, Side.A]).astype(float)),
                mean_of((taken[:, Side.B] - taken[:, Side.A]).astype(float)),
            )
        )
    return by
