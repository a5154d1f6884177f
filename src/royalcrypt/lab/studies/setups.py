"""The study of all 64 set-ups: which lead to close games, and which reward skill."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from royalcrypt.lab.studies.estimates import Array, Estimate, mean_of, share_of
from royalcrypt.lab.studies.figures import DotPlot, ScatterPlot
from royalcrypt.lab.studies.games import TITLES, DealBatch, lead_of, play
from royalcrypt.lab.studies.questions import Columns, Observations, Question, Rows, SectionSpec, TableSpec
from royalcrypt.lab.studies.results import ResultColumn
from royalcrypt.locales import say
from royalcrypt.rules.cards import Side
from royalcrypt.rules.layout import TYPES

SETUPS = np.array(list(product(Side, repeat=TYPES)))
SETUP_NAMES = ["".join(sides) for sides in product("AB", repeat=TYPES)]
CLOSE_LEAD = 3
"""The largest lead of a close game, in coins."""


def crossed_with_setups(scripts: Array) -> Array:
    """Copies of each script for all set-ups."""
    crossed = np.repeat(scripts, len(SETUPS))
    crossed["sides"] = np.tile(SETUPS, (len(scripts), 1))
    return crossed


def observe(batch: DealBatch) -> Columns:
    """Play each deal with all set-ups: among equal players, and with one strong player in each seat."""
    players = batch.players
    scripts = crossed_with_setups(batch.scripts())
    scores = play(scripts, batch.seed).scores
    wins = np.zeros(len(scripts))
    for seat in range(players):
        scripts["lights"] = (1 << players) - 1 - (1 << seat)
        wins += play(scripts, batch.seed).wins[:, seat] / players
    columns = {"leads": lead_of(scores), "scores": scores.mean(axis=1), "wins": wins}
    return {name: values.reshape(-1, len(SETUPS)) for name, values in columns.items()}


def side_effect(values: Array, kind: int) -> Estimate:
    """The effect of side B instead of side A of a Collector, by deal, over all set-ups of the others."""
    is_b = SETUPS[:, kind] == Side.B
    return mean_of(values[:, is_b].mean(axis=1) - values[:, ~is_b].mean(axis=1))


def side_rows(found: Columns) -> Rows:
    for kind in range(TYPES):
        effects = (side_effect(found[name], kind) for name in ("leads", "wins", "scores"))
        yield TITLES[kind], *effects


def setup_rows(found: Columns) -> Rows:
    """Table rows by set-up, the closest first."""
    leads, wins = found["leads"], found["wins"]
    by_lead, by_wins = (
        sorted(range(len(SETUPS)), key=lambda index: (means[index], index))
        for means in (leads.mean(axis=0), -wins.mean(axis=0))
    )
    for rank, index in enumerate(by_lead, start=1):
        close = share_of(int((leads[:, index] <= CLOSE_LEAD).sum()), len(leads))
        lead, better, score = (mean_of(values[:, index]) for values in (leads, wins, found["scores"]))
        yield SETUP_NAMES[index], rank, lead, close, by_wins.index(index) + 1, better, score


def finding(found: Observations) -> Iterator[str]:
    rows = found.rows["setups"]
    lead, wins = (mean_of(found.columns[name].mean(axis=1)) for name in ("leads", "wins"))
    yield found.text("findings.1", closest=rows[0], widest=rows[-1], mean=lead)
    rows = sorted(rows, key=lambda row: row["skill_rank"])
    yield found.text("findings.2", most=rows[0], least=rows[-1], mean=wins)


QUESTION = Question(
    name="setups",
    deals={2: 100},
    observe=observe,
    sections=(
        SectionSpec(
            "close_and_skilful_set_ups",
            TableSpec(
                "setups",
                setup_rows,
                ResultColumn("setup", "Set-up"),
                ResultColumn("closeness_rank", "Rank by closeness"),
                ResultColumn("lead", "Winner’s lead", ".1f"),
                ResultColumn("close_games", f"Lead of {CLOSE_LEAD} or less", ".0%"),
                ResultColumn("skill_rank", "Rank by skill"),
                ResultColumn("better_wins", "Better player wins", ".0%"),
                ResultColumn("score", "Mean score", ".1f"),
                is_long=True,
                is_split=True,
            ),
            ScatterPlot(
                "cloud",
                "setup",
                "better_wins",
                against="lead",
                xlabel=say("study.setups.cloud.xlabel"),
                ylabel=say("study.setups.cloud.ylabel"),
            ),
        ),
        SectionSpec(
            "what_a_side_does",
            TableSpec(
                "sides",
                side_rows,
                ResultColumn("collector", "Collector"),
                ResultColumn("lead", "Winner’s lead", "+.2f"),
                ResultColumn("better_wins", "Better player wins", "+.1%"),
                ResultColumn("score", "Mean score", "+.2f"),
            ),
            DotPlot("leads", "collector", "lead", xlabel="coins", zero=0),
            DotPlot("skill", "collector", "better_wins", xlabel="of the wins", is_share=True, zero=0),
        ),
    ),
    findings=(finding,),
    games=lambda found: len(SETUPS) * (1 + found.players) * found.deals,
    details={"types": ", ".join(TITLES)},
    batch_size=1,
)
