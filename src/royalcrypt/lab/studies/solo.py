"""The study of solo games: the expected scores and ranks against the Ghost."""

from collections.abc import Iterator

import numpy as np

from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.studies.estimates import Array, Estimate, mean_of, share_of
from royalcrypt.lab.studies.figures import DotPlot, Histogram, StackedBars
from royalcrypt.lab.studies.games import TITLES, DealBatch, play_with
from royalcrypt.lab.studies.questions import Columns, Observations, Question, Rows, SectionSpec, TableSpec
from royalcrypt.lab.studies.results import ResultColumn
from royalcrypt.lab.studies.setups import SETUP_NAMES, SETUPS, crossed_with_setups, side_effect
from royalcrypt.play.results import RANKS
from royalcrypt.rules.layout import TYPES

BOTS = ("novice", "greedy", "heir", "regent")
RANK_TITLES = tuple((name, f"The {name.title()}") for _, name in reversed(RANKS))
BORDERS = tuple(least for least, _ in reversed(RANKS))
RANK_COLUMNS = tuple(ResultColumn(name, title, ".1%") for name, title in RANK_TITLES)
RANK_ROLES = ("manuscript", "remains", "jewelry", "ember")


def observe(batch: DealBatch) -> Columns:
    """Play each deal with every bot, and with all 64 set-ups with the quick one."""
    scripts = batch.scripts()
    by_setup, _ = play_with(BOT, crossed_with_setups(scripts), batch.seed)
    bots = dict.fromkeys((*BOTS, batch.bot))
    return {"setups": by_setup.reshape(-1, len(SETUPS))} | {
        bot: play_with(bot, scripts, batch.seed)[0][:, 0] for bot in bots
    }


def ranks(scores: Array) -> list[Estimate]:
    """The share of each rank, from The Fool upwards."""
    place = np.searchsorted(BORDERS, scores, side="right") - 1
    return [share_of(int((place == rank).sum()), len(scores)) for rank in range(len(BORDERS))]


def bot_rows(found: Columns) -> Rows:
    for bot, scores in found.items():
        if bot != "setups":
            yield bot, mean_of(scores), *ranks(scores), len(scores), scores


def side_rows(found: Columns) -> Rows:
    """Table rows with the effect of side B instead of A, in coins and in the chance of the highest rank."""
    for kind in range(TYPES):
        effects = (side_effect(values, kind) for values in (found["setups"], found["setups"] >= BORDERS[-1]))
        yield TITLES[kind], *effects


def setup_rows(found: Columns) -> Rows:
    setups = found["setups"]
    for index in sorted(range(len(SETUPS)), key=lambda index: -setups[:, index].mean()):
        scores = setups[:, index]
        yield SETUP_NAMES[index], mean_of(scores), mean_of(scores - setups.mean(axis=1)), *ranks(scores)


def finding(found: Observations) -> Iterator[str]:
    for row in found.rows["bots"]:
        yield found.text("findings.1", name=row["bot"].title(), row=row)
    best, worst = found.rows["setups"][0], found.rows["setups"][-1]
    setups = found.columns["setups"]
    apart = setups[:, SETUP_NAMES.index(best["setup"])] - setups[:, SETUP_NAMES.index(worst["setup"])]
    yield found.text("findings.2", best=best, worst=worst, apart=mean_of(apart))


QUESTION = Question(
    name="solo",
    deals={1: 200},
    observe=observe,
    sections=(
        SectionSpec(
            "scores_and_ranks_by_bot",
            TableSpec(
                "bots",
                bot_rows,
                ResultColumn("bot", "Bot"),
                ResultColumn("score", "Mean score", ".1f"),
                *RANK_COLUMNS,
                ResultColumn("games", "Games"),
                ResultColumn("scores"),
            ),
            Histogram(
                "scores",
                "bot",
                "scores",
                roles=("heir-3", "pottery", "heir-1", "heir-2", "heir-0"),
                marks=BORDERS[1:],
                xlabel="score",
                ylabel="chance",
            ),
            StackedBars(
                "ranks",
                "bot",
                parts=[(*title, role) for title, role in zip(RANK_TITLES, RANK_ROLES, strict=True)],
            ),
        ),
        SectionSpec(
            "by_collector_sides",
            TableSpec(
                "sides",
                side_rows,
                ResultColumn("collector", "Collector"),
                ResultColumn("coins", "Coins", "+.2f"),
                ResultColumn("magnificent", "Chance to be The Magnificent", "+.1%"),
            ),
            TableSpec(
                "setups",
                setup_rows,
                ResultColumn("setup", "Set-up"),
                ResultColumn("score", "Mean score", ".1f"),
                ResultColumn("against_mean", "Against the mean of all", "+.2f"),
                *RANK_COLUMNS,
                is_long=True,
            ),
            DotPlot("sides", "collector", "coins", role="ember", xlabel="coins", zero=0),
        ),
    ),
    findings=(finding,),
    games=lambda found: found.deals * (len(found.rows["bots"]) + len(SETUPS)),
    details={"bot": BOT, "types": ", ".join(TITLES)},
    company=(1, 1),
    batch_size=5,
    any_bot=True,
)
