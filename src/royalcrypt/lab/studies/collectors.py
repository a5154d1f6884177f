"""What each side of each Collector is worth."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from royalcrypt.lab.studies.answers import (
    Array,
    Column,
    Estimate,
    Picture,
    Section,
    Study,
    Table,
    mean_by_deal,
    mean_of,
    told,
)
from royalcrypt.lab.studies.fitting import against_others, least_squares
from royalcrypt.lab.studies.pictures import Look, Series, dots
from royalcrypt.lab.studies.playing import by_type, cards_of, desk, lead_of, scores_of, wins_of
from royalcrypt.lab.studies.questions import (
    PLAYERS_ROLES,
    SIDED,
    Columns,
    Piece,
    Plan,
    Question,
    scripts_for,
    strength_of,
)
from royalcrypt.lab.studies.scripts import Twist
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.rules.cards import Side, Type
from royalcrypt.rules.layout import NONE, TYPES, VALUES

USED_IN_PLAY = {Type.IDOL: Side.A, Type.MANUSCRIPT: Side.B, Type.POTTERY: Side.B, Type.REMAINS: Side.A}
"""Rewards that pay no coins at the end."""
IN_PLAY = np.array([USED_IN_PLAY.get(card_type, -1) for card_type in Type])
BARS = 2
"""Games of a deal in which somebody cannot use a reward."""
COINS = np.tile(np.arange(1, VALUES + 1), TYPES)
"""By kind."""


def ask(piece: Piece) -> Columns:
    """Each deal with one Collector on either side, and some seats once more without a reward used in play."""
    players, numbers = piece.players, np.array(piece.deals)
    switched = numbers % TYPES
    scripts = scripts_for(piece, repeats=2)
    rows = np.arange(len(numbers))
    for side in Side:
        scripts["sides"][2 * rows + side, switched] = side
    games = desk().play(scripts, piece.seed).tales
    origins, barred_types = which_to_bar(scripts["sides"].reshape(-1, 2, TYPES), numbers)
    barred = scripts[origins]
    barred["twist"] = Twist.BARRED
    barred["card_type"] = barred_types
    barred["seat"] = barred["number"] // TYPES % players
    without = desk().play(barred, piece.seed).tales
    return _together(scripts, games, players) | _bars(barred, origins, games, without, players, len(numbers))


def which_to_bar(sides: Array, numbers: Array) -> tuple[list[int], list[int]]:
    """Games (two a deal) and types: of the rewards used in play, ``BARS`` of each deal, each in its turn."""
    origins: list[int] = []
    types: list[int] = []
    for row, number in enumerate(numbers):
        there = [
            (2 * row + int(np.argmax(sides[row, :, card_type] == side)), card_type)
            for card_type, side in USED_IN_PLAY.items()
            if (sides[row, :, card_type] == side).any()
        ]
        for turn in range(min(BARS, len(there))):
            origin, card_type = there[(number // TYPES + turn) % len(there)]
            origins.append(origin)
            types.append(card_type)
    return origins, types


def _together(scripts: Array, games: Array, players: int) -> Columns:
    """By deal and side."""
    return {
        "deal": scripts["number"][::2],
        "sides": scripts["sides"].reshape(-1, 2, TYPES),
        "scores": scores_of(games, players).reshape(-1, 2, players),
        "wins": wins_of(games, players).reshape(-1, 2, players),
        "bonuses": by_type(games, "bonuses", players).reshape(-1, 2, players, TYPES),
        "uses": by_type(games, "uses", players).reshape(-1, 2, players, TYPES),
        "cards": cards_of(games, players).reshape(-1, 2, players, TYPES * VALUES),
    }


def _bars(
    barred: Array, origins: list[int], games: Array, without: Array, players: int, deals: int
) -> Columns:
    """A row for each deal and bar; where there was nothing to bar, the type is none."""
    rows, seats = np.arange(len(barred)), barred["seat"]
    lost = against_others(scores_of(games[origins], players) - scores_of(without, players))[rows, seats]
    wins = (wins_of(games[origins], players) - wins_of(without, players))[rows, seats]
    used = by_type(games[origins], "uses", players)[rows, seats, barred["card_type"]] > 0
    return {
        "bar_deal": padded(barred["number"], BARS * deals),
        "bar_type": padded(barred["card_type"], BARS * deals),
        "bar_coins": padded(lost, BARS * deals),
        "bar_wins": padded(wins, BARS * deals),
        "bar_used": padded(used.astype(np.int64), BARS * deals),
    }


def padded(values: Array, length: int) -> Array:
    return np.concatenate([values, np.full(length - len(values), NONE, values.dtype)])


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


def _paid(found: Columns, card_type: int, side: int) -> tuple[Estimate, ...]:
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


def _used(found: Columns, card_type: int) -> tuple[Estimate, ...]:
    """The deal played with it, less the deal played again by somebody who cannot use it."""
    here = found["bar_type"] == card_type
    return _worth_of(
        found["bar_coins"][here],
        found["bar_wins"][here],
        found["bar_deal"][here],
        found["bar_used"][here] > 0,
    )


def _worth_of(coins: Array, wins: Array, deals: Array, done: Array) -> tuple[Estimate, ...]:
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


def answer(found: Mapping[int, Columns], plan: Plan) -> Study:
    worth = {players: worths(one) for players, one in found.items()}
    switched = {players: switches(one) for players, one in found.items()}
    games = sum(2 * len(one["deal"]) + int((one["bar_type"] != NONE).sum()) for one in found.values())
    return Study(
        name="collectors",
        title=QUESTION.title,
        question=QUESTION.asked,
        findings=findings(worth, switched),
        sections=(
            Section(
                "If the reward were withheld",
                (
                    "One seat is denied one Collector's reward and plays as ever, in the same deal. For rewards "
                    "that pay coins at the end this is exact: the coins are taken off, and the winner is found "
                    "anew. For the four that are used in play (Idol A, Manuscript B, Pottery B, Remains A) the "
                    "whole deal is played again by somebody who can never pay for it.",
                    "The first picture is the average over all seats, whether they complete the Collector or not: "
                    "what its being on the table is worth to a seat. The second counts only those who did.",
                ),
                pictures_of(worth),
                (worth_table(worth),),
            ),
            Section(
                "Side A or side B",
                (
                    "The same deals, played once with the Collector on side A and once on side B, the other five "
                    "as they were. Positive numbers mean more with side B.",
                ),
                (switch_picture(switched),),
                (switch_table(switched),),
            ),
        ),
        method=(
            "Deals have random sides for the five other Collectors. Cards and dice are fixed by addresses "
            "(purpose, round, seat, number), so the compared games meet the same cards and the same rolls; what "
            "differs is what the players make of them. Intervals count deals, not games or seats.",
            "Completed means: paid at least one coin at the end, or was used at least once. The regression "
            "explains each seat's lead over the mean of the others by the Collectors completed and the coins on "
            "cards (all as differences from the others), with intervals that allow for seats of one deal hanging "
            "together.",
        ),
        limits=(
            "A withheld reward takes away what was gained by it, not what was spent on collecting for it: who knew "
            "that it would not pay would have taken other cards. So figures are what a reward pays to those who "
            "pursue it, not what a player loses who ignores it from the start.",
            "A regression tells what goes together, not what causes it: who completes Remains B has mostly had a "
            "good game before. Where regression and counterfactual differ, trust the counterfactual.",
        ),
        games=games,
        player=strength_of(plan.bot),
    )


def findings(worth: Mapping[int, list[Worth]], switched: Mapping[int, list[Switch]]) -> tuple[str, ...]:
    told_of: list[str] = []
    for players, several in worth.items():
        order = sorted(range(len(SIDED)), key=lambda index: -several[index].coins.value)
        best, worst = order[0], order[-1]
        told_of.append(
            f"With {players} players, {SIDED[best]} gives a seat most, {told(several[best].coins)} coins a game, and "
            f"{SIDED[worst]} least, {told(several[worst].coins)}. Completed, {SIDED[best]} decides "
            f"{told(several[best].wins_completed, '.1%')} of a win."
        )
    for players, several in switched.items():
        swing = max(range(TYPES), key=lambda index: abs(several[index].score.value))
        more = "more" if several[swing].score.value > 0 else "fewer"
        told_of.append(
            f"With {players} players, no Collector changes scores more by its side than {TYPE_NAMES[swing].title()}: "
            f"side B brings everybody {told(_absolute(several[swing].score))} coins {more} than side A."
        )
    return tuple(told_of)


def _absolute(one: Estimate) -> Estimate:
    return one if one.value >= 0 else Estimate(-one.value, -one.high, -one.low, one.count)


def pictures_of(worth: Mapping[int, list[Worth]]) -> tuple[Picture, ...]:
    most = max(worth)
    order = sorted(range(len(SIDED)), key=lambda index: -worth[min(worth)][index].coins.value)
    labels = [SIDED[index] for index in order]

    def series(field: str) -> list[Series]:
        return [
            Series(
                f"{players} players",
                PLAYERS_ROLES[players],
                [getattr(several[index], field) for index in order],
            )
            for players, several in worth.items()
        ]

    return (
        dots(
            "collectors-coins",
            f"Coins a game that each of the twelve Collector sides is worth to a seat, with up to {most} players; "
            "the table below has the figures.",
            "Coins a seat would have less, over its rivals, without the reward (bars: 95 %)",
            labels,
            series("coins"),
            Look("coins a game", zero=0),
        ),
        dots(
            "collectors-wins",
            "Share of a win that each Collector side is worth to a seat that completed it; the table below has the "
            "figures.",
            "Share of a win lost without the reward, by those who completed it (bars: 95 %)",
            labels,
            series("wins_completed"),
            Look("of a win", is_share=True, zero=0),
        ),
    )


def switch_picture(switched: Mapping[int, list[Switch]]) -> Picture:
    return dots(
        "collectors-switch",
        "Change of the mean score when one Collector is on side B instead of side A; the table below has the figures.",
        "Coins that everybody scores more (or fewer) with side B than with side A",
        [name.title() for name in TYPE_NAMES],
        [
            Series(f"{players} players", PLAYERS_ROLES[players], [one.score for one in several])
            for players, several in switched.items()
        ],
        Look("coins", zero=0),
    )


def worth_table(worth: Mapping[int, list[Worth]]) -> Table:
    return Table(
        "worth",
        "What each Collector side is worth to a seat",
        (
            Column("players", "Players"),
            Column("collector", "Collector"),
            Column("completed", "Completed", ".0%"),
            Column("coins", "Coins a game", "+.2f"),
            Column("wins", "Of a win", "+.1%"),
            Column("coins_completed", "Coins, completed", "+.2f"),
            Column("wins_completed", "Of a win, completed", "+.1%"),
            Column("regression", "Regression: coins", "+.2f"),
        ),
        tuple(
            (
                players,
                SIDED[index],
                one.completed,
                one.coins,
                one.wins,
                one.coins_completed,
                one.wins_completed,
                one.fitted,
            )
            for players, several in worth.items()
            for index, one in enumerate(several)
        ),
    )


def switch_table(switched: Mapping[int, list[Switch]]) -> Table:
    return Table(
        "sides",
        "Side B instead of side A, in the same deals",
        (
            Column("players", "Players"),
            Column("collector", "Collector"),
            Column("score", "Mean score", "+.2f"),
            Column("lead", "Winner's lead", "+.2f"),
            Column("cards", "Cards of the type taken", "+.2f"),
        ),
        tuple(
            (players, TYPE_NAMES[index].title(), one.score, one.lead, one.cards)
            for players, several in switched.items()
            for index, one in enumerate(several)
        ),
    )


QUESTION = Question(
    title="What is a Collector worth?",
    asked="How many coins, and how much of a win, does each side of each of the six Collectors bring, and what "
    "changes when one of them is turned over?",
    deals={2: 3600, 3: 1500, 4: 750},
    ask=ask,
    answer=answer,
)
