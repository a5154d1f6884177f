"""The study of seats: the advantage of each position in turn order."""

from collections.abc import Iterator

from royalcrypt.lab.studies.estimates import Estimate, against_others, mean_of, share_of
from royalcrypt.lab.studies.figures import DotPlot
from royalcrypt.lab.studies.games import DealBatch, play_with
from royalcrypt.lab.studies.questions import Columns, Observations, Question, Rows, SectionSpec, TableSpec
from royalcrypt.lab.studies.results import ResultColumn
from royalcrypt.locales import say

ORDER = (say("study.seats.leader"), "second", "third", "fourth")


def observe(batch: DealBatch) -> Columns:
    scripts = batch.scripts()
    scores, wins = play_with(batch.bot, scripts, batch.seed)
    return {"deal": scripts["number"], "scores": scores, "wins": wins}


def seat_rows(found: Columns) -> Rows:
    """Table rows by seat. A shared win counts as an equal part, so Wilson's interval is slightly too wide."""
    games, players = found["scores"].shape
    leads = against_others(found["scores"])
    for seat in range(players):
        won = found["wins"][:, seat]
        share = share_of(float(won.sum()), games)
        scores = mean_of(found["scores"][:, seat]), mean_of(leads[:, seat])
        yield seat, share, 1 / players, *scores, games, ORDER[seat], mean_of(won - 1 / players)


def finding(found: Observations) -> Iterator[str]:
    rows, fair = found.rows["seats"], 1 / found.players
    best = max(rows, key=lambda row: row["win_share"].value)
    if any(row["win_share"].excludes(fair) for row in rows):
        seat = "the first Leader's" if best["seat"] == 0 else f"the {best['order']}"
        yield found.text("finding.2", seat=seat, best=best)
    else:
        widest = max(abs(row["win_share"].value - fair) for row in rows)
        yield found.text("finding.1", widest=Estimate(widest))


QUESTION = Question(
    name="seats",
    deals={2: 12000, 3: 5000, 4: 2500},
    observe=observe,
    sections=(
        SectionSpec(
            "by_turn_order",
            TableSpec(
                "seats",
                seat_rows,
                ResultColumn("seat", "Seat"),
                ResultColumn("win_share", "Share of wins", ".1%"),
                ResultColumn("fair", "Fair share", ".1%"),
                ResultColumn("score", "Mean score", ".2f"),
                ResultColumn("lead", "Lead over the others", "+.2f"),
                ResultColumn("games", "Games"),
                ResultColumn("order"),
                ResultColumn("beyond_fair"),
            ),
            DotPlot("wins", "order", "beyond_fair", xlabel="beyond the fair share", is_share=True, zero=0),
            DotPlot("leads", "order", "lead", xlabel="coins", zero=0),
        ),
    ),
    findings=(finding,),
    any_bot=True,
)
