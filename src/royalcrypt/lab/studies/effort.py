"""How effort is spent."""

from collections.abc import Callable, Mapping
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
from royalcrypt.lab.studies.pictures import Look, Series, lines
from royalcrypt.lab.studies.playing import desk
from royalcrypt.lab.studies.questions import (
    PLAYERS_ROLES,
    Columns,
    Piece,
    Plan,
    Question,
    scripts_for,
    strength_of,
)
from royalcrypt.lab.studies.scripts import PUSHED_OUT
from royalcrypt.rules.layout import FACES, GHOST, VALUES
from royalcrypt.rules.reveal import ROUNDS

FACE_DOWN = VALUES + 1
"""Stands for the coins of a face-down card."""
TOTALS = ("1", "2", "3", "4", "5", "6", "7 to 9", "10 to 12", "13 to 18")
BORDERS = (1, 2, 3, 4, 5, 6, 7, 10, 13)
FEW = 20
"""Placements; of fewer, nothing is said."""


def ask(piece: Piece) -> Columns:
    """A row for each placement by a player."""
    told_of = desk().play(scripts_for(piece), piece.seed, has_turns=True)
    turns = told_of.turns[told_of.turns["effort"] > 0]
    if piece.players == 1:
        turns = turns[turns["seat"] != GHOST]
    return {
        "deal": piece.deals.start + turns["game"].astype(np.int64),
        "round": turns["round_number"],
        "turn": turns["turn"],
        "worth": np.where(turns["is_down"] == 1, FACE_DOWN, turns["value"]),
        "effort": turns["effort"],
        "dice": turns["dice"],
        "pushes": turns["pushes"],
        "is_lost": (turns["fate"] == PUSHED_OUT).astype(np.int16),
        "failed": turns["failed"],
    }


@dataclass(frozen=True)
class Spending:
    """Of placements that have something in common."""

    placements: int
    dice: Estimate
    effort: Estimate
    """Of a die."""
    total: Estimate
    risk: Estimate
    """A die's chance to be exhausted, if it is not pushed out."""
    pushes: Estimate
    """Share of the placements that push somebody out."""
    lost: Estimate
    """Share of the placements that are pushed out."""


def spending(found: Columns, here: Array) -> Spending:
    deals, dice = found["deal"][here], found["dice"][here].astype(float)
    effort = found["effort"][here].astype(float)

    def mean(values: Array) -> Estimate:
        return mean_by_deal(values.astype(float), deals)

    by_die = np.repeat(effort, dice.astype(int))
    deal_by_die = np.repeat(deals, dice.astype(int))
    return Spending(
        int(here.sum()),
        mean(dice),
        mean_by_deal(by_die, deal_by_die),
        mean(dice * effort),
        mean_by_deal((by_die - 1) / FACES, deal_by_die),
        mean(found["pushes"][here]),
        mean(found["is_lost"][here]),
    )


def grouped(found: Columns, key: Array, values: range) -> list[Spending]:
    return [spending(found, key == value) for value in values]


def answer(found: Mapping[int, Columns], plan: Plan) -> Study:
    by_round = {
        players: grouped(one, one["round"], range(1, ROUNDS[players] + 1)) for players, one in found.items()
    }
    by_worth = {
        players: grouped(one, one["worth"], range(1, FACE_DOWN + 1)) for players, one in found.items()
    }
    by_turn = {players: grouped(one, one["turn"], range(turns_of(players))) for players, one in found.items()}
    by_total = {players: grouped(one, total_of(one), range(len(TOTALS))) for players, one in found.items()}
    rounds = [str(number) for number in range(1, max(ROUNDS[players] for players in found) + 1)]
    coins = [*map(str, range(1, VALUES + 1)), "face-down"]
    turns = [str(turn + 1) for turn in range(max(turns_of(players) for players in found))]
    return Study(
        name="effort",
        title=QUESTION.title,
        question=QUESTION.asked,
        findings=tuple(finding(players, found[players], by_round[players], by_worth[players]) for players in found),
        sections=(
            Section(
                "Round by round",
                (
                    "The effort of a die is its chance to be exhausted: effort 1 is safe, effort 4 fails in three of six "
                    "rolls.",
                ),
                (
                    picture(
                        "effort-rounds", by_round, rounds, lambda one: one.risk,
                        "A die's chance to be exhausted, by round", Look("round", "chance", is_share=True),
                    ),
                ),
                (table("rounds", "By round", "Round", rounds, by_round),),
            ),
            Section(
                "For which card",
                ("Total effort is dice times effort: what somebody else would have to beat.",),
                (
                    picture(
                        "effort-cards", by_worth, coins, lambda one: one.total,
                        "Total effort on a card, by the coins on it", Look("coins on the card", "total effort"),
                    ),
                ),
                (table("cards", "By the coins on the card", "Coins", coins, by_worth),),
            ),
            Section(
                "On which turn",
                (
                    "Later turns see more and have fewer rivals to fear. With two players the Leader has the first turn "
                    "and the last (R5.6).",
                ),
                (
                    picture(
                        "effort-turns", by_turn, turns, lambda one: one.total,
                        "Total effort on a card, by turn of the round", Look("turn of the round", "total effort"),
                    ),
                ),
                (table("turns", "By turn of the round", "Turn", turns, by_turn),),
            ),
            Section(
                "Who is pushed out",
                ("How many placements of a total effort are pushed out before the round ends.",),
                (
                    picture(
                        "effort-pushes", by_total, TOTALS, lambda one: one.lost,
                        "Share of placements that are pushed out, by their total effort",
                        Look("total effort", "pushed out", is_share=True),
                    ),
                ),
                (table("totals", "By total effort", "Total effort", TOTALS, by_total),),
            ),
        ),
        method=(
            "Every placement of every seat in games of the same strong player, with random Collector sides. Chance to be "
            "exhausted: a die that is rolled fails with effort less one, in sixths; re-rolls with Idol A come on top. "
            "Intervals count deals, because placements of a game hang together.",
        ),
        limits=(
            "This is how one strong player spends effort, not proof that it is best. A high effort goes with a card that "
            "is worth a fight, so that a total that is often pushed out need not be a mistake, nor one that never is, "
            "wise.",
        ),
        games=sum(deals for players, deals in plan.deals.items() if players in found),
        player=strength_of(plan.bot),
    )  # fmt: skip


def turns_of(players: int) -> int:
    return max(3, players)


def total_of(found: Columns) -> Array:
    """As a place in ``TOTALS``."""
    total = found["dice"].astype(int) * found["effort"]
    return np.searchsorted(BORDERS, total, side="right") - 1


def finding(players: int, found: Columns, by_round: list[Spending], by_worth: list[Spending]) -> str:
    everywhere = spending(found, np.ones(len(found["deal"]), bool))
    return (
        f"{'Alone' if players == 1 else f'With {players} players'}, a die is risked with a chance of "
        f"{told(everywhere.risk, '.1%')} to be exhausted, {told(by_round[0].risk, '.1%')} in the first round and "
        f"{told(by_round[-1].risk, '.1%')} in the last. A card of 4 coins gets a total of "
        f"{told(by_worth[3].total, '.1f')}, one of 1 coin {told(by_worth[0].total, '.1f')}. "
        f"{told(everywhere.pushes, '.1%')} of the placements push somebody out."
    )


def picture(
    name: str, by: Mapping[int, list[Spending]], labels: list[str] | tuple[str, ...],
    field: Callable[[Spending], Estimate], caption: str, look: Look,
) -> Picture:  # fmt: skip
    nothing = Estimate(float("nan"), float("nan"), float("nan"), 0)

    def shown(several: list[Spending]) -> list[Estimate]:
        known = [field(one) if one.placements >= FEW else nothing for one in several]
        return known + [nothing] * (len(labels) - len(known))

    return lines(
        name,
        f"{caption}, a line for each number of players; the table below has the figures.",
        f"{caption} (bars: 95 %)",
        labels,
        [
            Series("alone" if players == 1 else f"{players} players", PLAYERS_ROLES[players], shown(several))
            for players, several in by.items()
        ],
        look,
    )


def table(
    name: str, caption: str, heading: str, labels: list[str] | tuple[str, ...], by: Mapping[int, list[Spending]]
) -> Table:  # fmt: skip
    return Table(
        name,
        caption,
        (
            Column("players", "Players"),
            Column(heading.lower().replace(" ", "_"), heading),
            Column("placements", "Placements"),
            Column("dice", "Dice", ".2f"),
            Column("effort", "Effort of a die", ".2f"),
            Column("total", "Total effort", ".2f"),
            Column("risk", "Chance of exhaustion", ".1%"),
            Column("pushes", "Pushes out", ".1%"),
            Column("lost", "Is pushed out", ".1%"),
        ),
        tuple(
            (
                players,
                labels[index],
                one.placements,
                one.dice,
                one.effort,
                one.total,
                one.risk,
                one.pushes,
                one.lost,
            )
            for players, several in by.items()
            for index, one in enumerate(several)
            if one.placements >= FEW
        ),
        is_long=len(labels) > 5,
    )


QUESTION = Question(
    title="How is effort spent?",
    asked="How much effort do strong players put on which card, in which round and on which turn, and how often is "
    "somebody pushed out?",
    deals={2: 5000, 3: 2000, 4: 1000},
    ask=ask,
    answer=answer,
)
