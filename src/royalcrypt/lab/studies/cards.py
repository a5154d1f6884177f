"""What each card is worth to whoever takes it."""

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
    difference,
    mean_by_deal,
    told,
)
from royalcrypt.lab.studies.fitting import against_others, least_squares
from royalcrypt.lab.studies.pictures import Grid, Look, Series, dots, grid
from royalcrypt.lab.studies.playing import cards_of, desk, scores_of, wins_of
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
from royalcrypt.lab.studies.rewards import COINS
from royalcrypt.lab.studies.scripts import Twist
from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.rules.cards import Side, Type, kind_of
from royalcrypt.rules.fast_chance import game_key, keyed_choice
from royalcrypt.rules.layout import KINDS, TYPES, VALUES

ROBBERIES = 3
"""Of each deal, each of another card."""
LOTS = 1 << 27
"""Addresses by which cards are chosen."""
MOST_HELD = 4
NTH = ("first", "second", "third", "fourth +")
FEW = 5
"""Deals; of fewer, nothing is said."""


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


def answer(found: Mapping[int, Columns], plan: Plan) -> Study:
    kinds = {players: by_kind(one) for players, one in found.items()}
    sided = {players: by_side(one) for players, one in found.items()}
    held = {players: by_held(one) for players, one in found.items()}
    return Study(
        name="cards",
        title=QUESTION.title,
        question=QUESTION.asked,
        findings=findings(kinds, sided),
        sections=(
            Section(
                say("study.cards.by_type_and_coins.heading"),
                (say("study.cards.by_type_and_coins.words"),),
                tuple(kind_picture(players, one) for players, one in kinds.items()),
                (kind_table(kinds),),
            ),
            Section(
                say("study.cards.by_the_collector_s_side.heading"),
                (say("study.cards.by_the_collector_s_side.words"),),
                (side_picture(sided),),
                (side_table(sided),),
            ),
            Section(
                say("study.cards.the_first_the_second_the_third.heading"),
                (say("study.cards.the_first_the_second_the_third.words"),),
                tuple(held_picture(players, one) for players, one in held.items()),
                (held_table(held),),
            ),
        ),
        method=(
            say("study.cards.method.1", robberies=ROBBERIES),
            say("study.cards.method.2"),
        ),
        limits=(
            say("study.cards.limits.1"),
            say("study.cards.limits.2"),
            say("study.cards.limits.3"),
        ),
        games=sum((1 + ROBBERIES) * len(one["deal"]) for one in found.values()),
        player=strength_of(plan.bot),
    )


def findings(kinds: Mapping[int, list[Worth]], sided: Mapping[int, list[Worth]]) -> tuple[str, ...]:
    told_of: list[str] = []
    for players, several in kinds.items():
        met = [kind for kind in range(KINDS) if several[kind].valued.count]
        order = sorted(met, key=lambda kind: -several[kind].valued.value)
        best, worst = order[0], order[-1]
        told_of.append(
            say(
                "study.cards.findings.1",
                players=players,
                best=_named(best),
                valued=told(several[best].valued),
                coins=told(several[best].coins),
                worst=_named(worst),
                valued_2=told(several[worst].valued),
            )
        )
    for players, several in sided.items():
        gaps = [difference(several[2 * kind + 1].valued, several[2 * kind].valued) for kind in range(TYPES)]
        widest = max(range(TYPES), key=lambda kind: abs(np.nan_to_num(gaps[kind].value)))
        told_of.append(
            say(
                "study.cards.findings.2",
                players=players,
                type=TYPE_NAMES[widest].title(),
                gap=told(gaps[widest], "+.2f"),
            )
        )
    return tuple(told_of)


def _named(kind: int) -> str:
    return f"{TYPE_NAMES[kind // VALUES].title()} {kind % VALUES + 1}"


def kind_picture(players: int, several: list[Worth]) -> Picture:
    cells = [
        [several[kind_of(card_type, value)].valued.value for value in range(1, VALUES + 1)]
        for card_type in Type
    ]
    return grid(
        f"cards-kinds-{players}",
        say("study.cards.picture.kind_picture.alt", players=players),
        say("study.cards.picture.kind_picture.caption", players=players),
        Grid(
            [name.title() for name in TYPE_NAMES], [*map(str, range(1, VALUES + 1))], cells, ".1f", TYPE_NAMES
        ),
        Look("coins on the card"),
    )


def side_picture(sided: Mapping[int, list[Worth]]) -> Picture:
    return dots(
        "cards-sides",
        say("study.cards.picture.sides.alt"),
        say("study.cards.picture.sides.caption"),
        SIDED,
        [
            Series(f"{players} players", PLAYERS_ROLES[players], [one.coins for one in several])
            for players, several in sided.items()
        ],
        Look("coins"),
    )


def held_picture(players: int, held: dict[tuple[int, int], tuple[Estimate, Estimate]]) -> Picture:
    cells = [
        [held[index, number][1].value for number in range(1, MOST_HELD + 1)] for index in range(2 * TYPES)
    ]
    return grid(
        f"cards-held-{players}",
        say("study.cards.picture.held_picture.alt", players=players),
        say("study.cards.picture.held_picture.caption", players=players),
        Grid(SIDED, NTH, cells, "+.1f", [name for name in TYPE_NAMES for _ in Side]),
        Look("card of its type"),
    )


WORTH_COLUMNS = (
    Column("coins", "Finished games", "+.2f"),
    Column("wins", "Of a win", "+.1%"),
    Column("valued", "Learned value", "+.2f"),
    Column("regression", "Regression", "+.2f"),
)


def kind_table(kinds: Mapping[int, list[Worth]]) -> Table:
    return Table(
        "kinds",
        say("study.cards.table.kinds"),
        (Column("players", "Players"), Column("card", "Card"), *WORTH_COLUMNS, Column("lots", "Cards")),
        tuple(
            (players, _named(kind), one.coins, one.wins, one.valued, one.fitted, one.coins.count)
            for players, several in kinds.items()
            for kind, one in enumerate(several)
        ),
        is_long=True,
    )


def side_table(sided: Mapping[int, list[Worth]]) -> Table:
    return Table(
        "sides",
        say("study.cards.table.sides"),
        (Column("players", "Players"), Column("collector", "Collector"), *WORTH_COLUMNS),
        tuple(
            (players, SIDED[index], one.coins, one.wins, one.valued, one.fitted)
            for players, several in sided.items()
            for index, one in enumerate(several)
        ),
    )


def held_table(held: Mapping[int, dict[tuple[int, int], tuple[Estimate, Estimate]]]) -> Table:
    return Table(
        "nth",
        say("study.cards.table.nth"),
        (
            Column("players", "Players"),
            Column("collector", "Collector"),
            Column("number", "Card number"),
            Column("coins", "Finished games", "+.2f"),
            Column("valued", "Learned value", "+.2f"),
        ),
        tuple(
            (players, SIDED[index], number, finished, valued)
            for players, several in held.items()
            for (index, number), (finished, valued) in several.items()
            if finished.count >= FEW
        ),
        is_long=True,
    )


QUESTION = Question(
    title="What is a card worth?",
    asked=say("study.cards.asked"),
    deals={2: 3000, 3: 1200, 4: 600},
    ask=ask,
    answer=answer,
)
