"""How effort is spent."""

from collections.abc import Callable, Mapping, Sequence
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
from royalcrypt.locales import say
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
        findings=tuple(
            finding(players, one, by_round[players], by_worth[players]) for players, one in found.items()
        ),
        sections=(
            Section(
                say("study.effort.round_by_round.heading"),
                (say("study.effort.round_by_round.words"),),
                (
                    picture(
                        "effort-rounds",
                        by_round,
                        rounds,
                        lambda one: one.risk,
                        say("study.effort.picture.rounds.caption"),
                        Look("round", "chance", is_share=True),
                    ),
                ),
                (table("rounds", "By round", "Round", rounds, by_round),),
            ),
            Section(
                say("study.effort.for_which_card.heading"),
                (say("study.effort.for_which_card.words"),),
                (
                    picture(
                        "effort-cards",
                        by_worth,
                        coins,
                        lambda one: one.total,
                        say("study.effort.picture.cards.caption"),
                        Look("coins on the card", "total effort"),
                    ),
                ),
                (table("cards", say("study.effort.answer"), "Coins", coins, by_worth),),
            ),
            Section(
                say("study.effort.on_which_turn.heading"),
                (say("study.effort.on_which_turn.words"),),
                (
                    picture(
                        "effort-turns",
                        by_turn,
                        turns,
                        lambda one: one.total,
                        say("study.effort.picture.turns.caption"),
                        Look("turn of the round", "total effort"),
                    ),
                ),
                (table("turns", "By turn of the round", "Turn", turns, by_turn),),
            ),
            Section(
                say("study.effort.who_is_pushed_out.heading"),
                (say("study.effort.who_is_pushed_out.words"),),
                (
                    picture(
                        "effort-pushes",
                        by_total,
                        TOTALS,
                        lambda one: one.lost,
                        say("study.effort.picture.pushes.caption"),
                        Look("total effort", "pushed out", is_share=True),
                    ),
                ),
                (table("totals", "By total effort", "Total effort", TOTALS, by_total),),
            ),
        ),
        method=(say("study.effort.method"),),
        limits=(say("study.effort.limits"),),
        games=sum(deals for players, deals in plan.deals.items() if players in found),
        player=strength_of(plan.bot),
    )


def turns_of(players: int) -> int:
    return max(3, players)


def total_of(found: Columns) -> Array:
    """As a place in ``TOTALS``."""
    total = found["dice"].astype(int) * found["effort"]
    return np.searchsorted(BORDERS, total, side="right") - 1


def finding(players: int, found: Columns, by_round: list[Spending], by_worth: list[Spending]) -> str:
    everywhere = spending(found, np.ones(len(found["deal"]), bool))
    return say(
        "study.effort.finding",
        players="Alone" if players == 1 else f"With {players} players",
        risk=told(everywhere.risk, ".1%"),
        risk_2=told(by_round[0].risk, ".1%"),
        risk_3=told(by_round[-1].risk, ".1%"),
        total=told(by_worth[3].total, ".1f"),
        total_2=told(by_worth[0].total, ".1f"),
        pushes=told(everywhere.pushes, ".1%"),
    )


def picture(
    name: str,
    by: Mapping[int, list[Spending]],
    labels: Sequence[str],
    field: Callable[[Spending], Estimate],
    caption: str,
    look: Look,
) -> Picture:
    nothing = Estimate(float("nan"), float("nan"), float("nan"), 0)

    def shown(several: list[Spending]) -> list[Estimate]:
        known = [field(one) if one.placements >= FEW else nothing for one in several]
        return known + [nothing] * (len(labels) - len(known))

    return lines(
        name,
        say("study.effort.picture.picture.alt", caption=caption),
        f"{caption} (bars: 95 %)",
        labels,
        [
            Series("alone" if players == 1 else f"{players} players", PLAYERS_ROLES[players], shown(several))
            for players, several in by.items()
        ],
        look,
    )


def table(
    name: str, caption: str, heading: str, labels: Sequence[str], by: Mapping[int, list[Spending]]
) -> Table:
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
    asked=say("study.effort.asked"),
    deals={2: 5000, 3: 2000, 4: 1000},
    ask=ask,
    answer=answer,
    company=(1, 4),
)
