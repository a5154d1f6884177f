"""The study of effort: how players use their dice."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from royalcrypt.lab.studies.estimates import UNKNOWN, Array, mean_by_deal
from royalcrypt.lab.studies.figures import LinePlot
from royalcrypt.lab.studies.game_records import PUSHED_OUT
from royalcrypt.lab.studies.games import DealBatch, play
from royalcrypt.lab.studies.questions import Columns, Observations, Question, Rows, SectionSpec, TableSpec
from royalcrypt.lab.studies.results import ResultColumn
from royalcrypt.rules.layout import FACES, GHOST, VALUES

COINS = (*map(str, range(1, VALUES + 1)), "face-down")
TOTALS = ("1", "2", "3", "4", "5", "6", "7 to 9", "10 to 12", "13 to 18")
LEAST_OF_TOTALS = (1, 2, 3, 4, 5, 6, 7, 10, 13)
MIN_COUNT = 20
"""The number of placements that a row needs to be shown."""


def observe(batch: DealBatch) -> Columns:
    """One row per placement by a player. Rounds, turns, coins and totals are numbered from 0."""
    turns = play(batch.scripts(), batch.seed, has_turns=True).turns
    turns = turns[turns["effort"] > 0]
    if batch.players == 1:
        turns = turns[turns["seat"] != GHOST]
    dice, effort = turns["dice"].astype(np.int64), turns["effort"].astype(np.int64)
    return {
        "deal": batch.deals.start + turns["game"].astype(np.int64),
        "round": turns["round_number"] - 1,
        "turn": turns["turn"],
        "coins": np.where(turns["is_down"] == 1, VALUES, turns["value"] - 1),
        "total_effort": np.searchsorted(LEAST_OF_TOTALS, dice * effort, side="right") - 1,
        "dice": dice,
        "effort": effort,
        "pushes": turns["pushes"],
        "is_lost": turns["fate"] == PUSHED_OUT,
    }


def spending(found: Columns, here: Array) -> dict[str, Any]:
    """The number of placements, and estimates by column name."""
    deals, dice, effort = found["deal"][here], found["dice"][here], found["effort"][here]
    effort_of_die, deal_of_die = np.repeat(effort, dice), np.repeat(deals, dice)
    return {
        "placements": len(deals),
        "dice": mean_by_deal(dice, deals),
        "effort": mean_by_deal(effort_of_die, deal_of_die),
        "total": mean_by_deal(dice * effort, deals),
        "risk": mean_by_deal((effort_of_die - 1) / FACES, deal_of_die),
        "pushes": mean_by_deal(found["pushes"][here], deals),
        "lost": mean_by_deal(found["is_lost"][here], deals),
    }


def rows_by(group: str, labels: tuple[str, ...], found: Columns) -> Rows:
    """Table rows by the values of a column; without labels, values are numbered from 1."""
    for index in range(len(labels) or int(found[group].max()) + 1):
        placements, *estimates = spending(found, found[group] == index).values()
        label = labels[index] if labels else str(index + 1)
        yield label, placements, *(estimates if placements >= MIN_COUNT else [UNKNOWN] * len(estimates))


def finding(found: Observations) -> Iterator[str]:
    columns = found.columns
    rounds, coins = columns["round"], columns["coins"]
    everywhere, first, last, four_coins, one_coin = (
        spending(columns, here)
        for here in (rounds >= 0, rounds == 0, rounds == rounds.max(), coins == 3, coins == 0)
    )
    yield found.text(
        "finding", everywhere=everywhere, first=first, last=last, four_coins=four_coins, one_coin=one_coin
    )


def section(
    name: str, table: str, heading: str, labels: tuple[str, ...], value: str, xlabel: str, ylabel: str
) -> SectionSpec:
    """A table of placements grouped by one property, and a chart of one of its columns."""
    group = heading.lower().replace(" ", "_")
    return SectionSpec(
        name,
        TableSpec(
            table,
            partial(rows_by, group, labels),
            ResultColumn(group, heading),
            ResultColumn("placements", "Placements"),
            ResultColumn("dice", "Dice", ".2f"),
            ResultColumn("effort", "Effort of a die", ".2f"),
            ResultColumn("total", "Total effort", ".2f"),
            ResultColumn("risk", "Chance of exhaustion", ".1%"),
            ResultColumn("pushes", "Pushes out", ".1%"),
            ResultColumn("lost", "Is pushed out", ".1%"),
            is_long=table in ("rounds", "totals"),
            drops_unknown=True,
        ),
        LinePlot(table, group, value, xlabel=xlabel, ylabel=ylabel, is_share=value != "total"),
    )


QUESTION = Question(
    name="effort",
    deals={2: 5000, 3: 2000, 4: 1000},
    observe=observe,
    sections=(
        section("round_by_round", "rounds", "Round", (), "risk", "round", "chance"),
        section("for_which_card", "cards", "Coins", COINS, "total", "coins on the card", "total effort"),
        section("on_which_turn", "turns", "Turn", (), "total", "turn of the round", "total effort"),
        section("who_is_pushed_out", "totals", "Total effort", TOTALS, "lost", "total effort", "pushed out"),
    ),
    findings=(finding,),
    company=(1, 4),
)
