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
    mean_by_deal,
    told,
)
from royalcrypt.lab.studies.collectors import COINS
from royalcrypt.lab.studies.fitting import against_others, least_squares
from royalcrypt.lab.studies.pictures import Look, Series, dots, grid
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
from royalcrypt.lab.studies.scripts import Twist
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.rules.cards import Side, Type, kind_of
from royalcrypt.rules.fast_chance import game_key, keyed_choice
from royalcrypt.rules.layout import KINDS, TYPES, VALUES

ROBBERIES = 3
"""Of each deal, each of another card."""
LOTS = 1 << 27
"""Addresses by which cards are chosen."""
MOST_HELD = 4
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
                "By type and coins",
                (
                    "A card is taken away from whoever has just taken it, before the next round; the deal is then "
                    "played on as before. What the owner's lead over the others shrinks by is what the card was "
                    "worth. Cards are drawn by lot from all that were taken.",
                ),
                tuple(kind_picture(players, one) for players, one in kinds.items()),
                (kind_table(kinds),),
            ),
            Section(
                "By the Collector's side",
                (
                    "All cards of a type together, with their Collector on side A or on side B. A card brings more "
                    "than its coins: what its Collector pays, dice saved, rivals kept from it.",
                ),
                (side_picture(sided),),
                (side_table(sided),),
            ),
            Section(
                "The first, the second, the third",
                (
                    "What the card that was the owner's first, second, third, fourth or later of its type was worth "
                    "beyond the coins on it, as the learned value judges directly after it was taken.",
                ),
                tuple(held_picture(players, one) for players, one in held.items()),
                (held_table(held),),
            ),
        ),
        method=(
            f"Each deal is played once as it is and {ROBBERIES} times without one card (drawn by lot from those that "
            "were taken), with the same addresses of chance, so that cards and rolls are the same until decisions "
            "differ. Finished games: the change of the owner's score less the mean of the others'. Learned value: the "
            "change of the score that the player's own value network expects, at the moment of the loss. A card "
            "of the last round is taken off the final score, and a tie then counts as shared.",
            "Regression: each seat's lead over the others explained by the cards it holds more of than they do "
            "(without a constant; intervals allow for seats of one deal hanging together). By type and coins there are "
            "24 coefficients; by side there are 12, beside one for the coins on all cards.",
        ),
        limits=(
            "These are cards that somebody chose to take, so they suited their owner: a card at random would be worth "
            "less. What was paid for a card, dice and turns, is not counted.",
            "A regression tells what goes together. Who holds more cards of a cheap kind has often had fewer of the "
            "good ones, or more dice; that is in the coefficients too. It also cannot tell the first card of a type "
            "from the third.",
            "An Idol that was flipped for a re-roll in the very round in which it was taken has already done its work.",
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
            f"With {players} players the best card is the {_named(best)}: {told(several[best].valued)} coins by the "
            f"learned value ({told(several[best].coins)} in finished games). The {_named(worst)} brings "
            f"{told(several[worst].valued)}."
        )
    for players, several in sided.items():
        gaps = np.nan_to_num(
            [several[2 * kind].valued.value - several[2 * kind + 1].valued.value for kind in range(TYPES)]
        )
        widest = max(range(TYPES), key=lambda kind: abs(gaps[kind]))
        better = "A" if gaps[widest] > 0 else "B"
        told_of.append(
            f"With {players} players a side matters most for {TYPE_NAMES[widest].title()}: on side {better} a card is "
            f"worth {abs(gaps[widest]):.2f} coins more than on the other."
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
        f"Coins that each of the 24 kinds of card is worth with {players} players; the table below has the figures.",
        f"{players} players: coins that a card is worth, by type and printed coins (learned value)",
        [name.title() for name in TYPE_NAMES],
        [f"{value}" for value in range(1, VALUES + 1)],
        cells,
        ".1f",
        Look("coins on the card"),
        TYPE_NAMES,
    )


def side_picture(sided: Mapping[int, list[Worth]]) -> Picture:
    return dots(
        "cards-sides",
        "Coins that a card is worth in finished games, by type and side of its Collector; the table below has the "
        "figures.",
        "Coins that a card is worth in finished games, by its Collector's side (bars: 95 %)",
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
        f"Coins beyond the printed ones that the next card of a type is worth with {players} players, by Collector "
        "side and by how many one already has; the table below has the figures.",
        f"{players} players: coins beyond the printed ones (learned value)",
        SIDED,
        ["first", "second", "third", "fourth +"],
        cells,
        "+.1f",
        roles=[name for name in TYPE_NAMES for _ in Side],
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
        "What a card is worth, by type and coins",
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
        "What a card is worth, by the side of its Collector (regression: beyond its coins)",
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
        "Coins beyond the printed ones, by how many of the type one has with it",
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
    asked="How many coins does a card bring to whoever takes it, by its type, its coins and the side of its Collector?",
    deals={2: 3000, 3: 1200, 4: 600},
    ask=ask,
    answer=answer,
)
