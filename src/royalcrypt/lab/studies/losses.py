"""What is missed when a card is taken away, and what cards go with by regression."""

from dataclasses import dataclass

import numpy as np

from royalcrypt.lab.studies.answers import Array, Estimate, mean_by_deal
from royalcrypt.lab.studies.fitting import against_others, least_squares
from royalcrypt.lab.studies.playing import cards_of, desk, scores_of, wins_of
from royalcrypt.lab.studies.questions import Columns, Piece, scripts_for
from royalcrypt.lab.studies.rewards import COINS
from royalcrypt.lab.studies.scripts import Twist
from royalcrypt.rules.cards import Side, Type
from royalcrypt.rules.chance import game_key, keyed_choice
from royalcrypt.rules.layout import KINDS, TYPES, VALUES

ROBBERIES = 3
"""Of each deal, each of another card."""
LOTS = 1 << 27
"""Addresses by which cards are chosen."""
MOST_HELD = 4


def ask(piece: Piece) -> Columns:
    """Each deal once, and then again, each time without a card that somebody took."""
    players = piece.players
    scripts = scripts_for(piece)
    games = desk().play(scripts, piece.seed).tales
    robbed = np.repeat(scripts, ROBBERIES)
    robbed["twist"] = Twist.ROBBED
    robbed["moment"] = [
        lot
        for script, takings in zip(scripts, games["takings"], strict=True)
        for lot in lots(piece.seed, int(script["number"]), int(takings))
    ]
    without = desk().play(robbed, piece.seed).tales
    origins, rows, seats = (
        np.repeat(np.arange(len(games)), ROBBERIES),
        np.arange(len(robbed)),
        without["seat"],
    )
    lost = against_others(scores_of(games[origins], players) - scores_of(without, players))[rows, seats]
    wins = (wins_of(games[origins], players) - wins_of(without, players))[rows, seats]
    kinds = without["card_kind"].astype(np.int64)
    return {
        "deal": scripts["number"],
        "sides": scripts["sides"],
        "scores": scores_of(games, players),
        "cards": cards_of(games, players),
        "robbed_deal": robbed["number"],
        "robbed_kind": kinds,
        "robbed_side": robbed["sides"][rows, kinds // VALUES],
        "robbed_held": without["held"].astype(np.int64),
        "robbed_round": without["round_number"].astype(np.int64),
        "robbed_coins": lost,
        "robbed_wins": wins,
        "valued_coins": (without["score_before"] - without["score_after"]).astype(np.float64),
        "valued_wins": (without["win_before"] - without["win_after"]).astype(np.float64),
    }


def lots(seed: int, number: int, takings: int) -> list[int]:
    """Different cards of a game, each as likely as the others."""
    left = list(range(takings))
    key = game_key(seed, number)
    return [
        left.pop(keyed_choice(*key, LOTS + (lot << 8), len(left))) if left else 0 for lot in range(ROBBERIES)
    ]


@dataclass(frozen=True)
class Worth:
    coins: Estimate
    """By finished games: how much less the lead over the others is without it."""
    wins: Estimate
    valued: Estimate
    """By the learned value: coins that are expected less."""
    fitted: Estimate
    """By regression."""


def worth_of(found: Columns, here: Array, fitted: Estimate) -> Worth:
    deals = found["robbed_deal"][here]
    return Worth(
        mean_by_deal(found["robbed_coins"][here], deals),
        mean_by_deal(found["robbed_wins"][here], deals),
        mean_by_deal(found["valued_coins"][here], deals),
        fitted,
    )


def by_kind(found: Columns) -> list[Worth]:
    """I1 … T4."""
    players = found["scores"].shape[1]
    table = against_others(found["cards"].astype(float)).reshape(-1, KINDS)
    fit = least_squares(table, against_others(found["scores"]).ravel(), np.repeat(found["deal"], players))
    return [worth_of(found, found["robbed_kind"] == kind, fit.coefficients[kind]) for kind in range(KINDS)]


def by_side(found: Columns) -> list[Worth]:
    """In the order of ``SIDED``; by regression beyond the coins printed on the cards."""
    players = found["scores"].shape[1]
    counts = found["cards"].reshape(-1, players, TYPES, VALUES).sum(axis=3)
    sides = found["sides"][:, None, :]
    columns = np.stack([counts * (sides == side) for side in Side], axis=-1).reshape(-1, players, 2 * TYPES)
    coins = (found["cards"] @ COINS)[:, :, None]
    table = against_others(np.concatenate([columns, coins], axis=2).astype(float)).reshape(-1, 2 * TYPES + 1)
    fit = least_squares(table, against_others(found["scores"]).ravel(), np.repeat(found["deal"], players))
    types, side_of = found["robbed_kind"] // VALUES, found["robbed_side"]
    return [
        worth_of(found, (types == card_type) & (side_of == side), fit.coefficients[2 * card_type + side])
        for card_type in Type
        for side in Side
    ]


def by_held(found: Columns) -> dict[tuple[int, int], tuple[Estimate, Estimate]]:
    """By side (as in ``SIDED``) and number of the card of its type: beyond its coins, finished and valued."""
    worth: dict[tuple[int, int], tuple[Estimate, Estimate]] = {}
    sided = found["robbed_kind"] // VALUES * 2 + found["robbed_side"]
    nth = np.minimum(found["robbed_held"] + 1, MOST_HELD)
    beyond = found["robbed_coins"] - COINS[found["robbed_kind"]]
    valued = found["valued_coins"] - COINS[found["robbed_kind"]]
    for index in range(2 * TYPES):
        for number in range(1, MOST_HELD + 1):
            here = (sided == index) & (nth == number)
            deals = found["robbed_deal"][here]
            worth[index, number] = (mean_by_deal(beyond[here], deals), mean_by_deal(valued[here], deals))
    return worth
