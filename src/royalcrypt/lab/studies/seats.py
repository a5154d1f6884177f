"""Whether it matters where one sits."""

from collections.abc import Mapping

import numpy as np

from royalcrypt.lab.studies.answers import (
    Column,
    Estimate,
    Section,
    Study,
    Table,
    mean_of,
    percent,
    share_of,
    told,
)
from royalcrypt.lab.studies.fitting import against_others
from royalcrypt.lab.studies.pictures import Look, Series, dots
from royalcrypt.lab.studies.questions import (
    PLAYERS_ROLES,
    Columns,
    Piece,
    Plan,
    Question,
    scripts_for,
    strength_of,
)
from royalcrypt.lab.studies.tables import ended
from royalcrypt.locales import say

ORDER = (say("study.seats.leader"), "second", "third", "fourth")


def ask(piece: Piece) -> Columns:
    scripts = scripts_for(piece)
    scores, wins = ended(piece.bot, scripts, piece.seed)
    return {"deal": scripts["number"], "scores": scores, "wins": wins}


def shares(found: Columns) -> list[Estimate]:
    """A shared win counts as an equal part, for which Wilson's interval is a little too wide."""
    return [share_of(float(won.sum()), len(won)) for won in found["wins"].T]


def answer(found: Mapping[int, Columns], plan: Plan) -> Study:
    won = {players: shares(one) for players, one in found.items()}
    beyond = {
        players: [mean_of(one["wins"][:, seat] - 1 / players) for seat in range(players)]
        for players, one in found.items()
    }
    scores = {
        players: [mean_of(seat) for seat in one["scores"].T.astype(float)] for players, one in found.items()
    }
    leads = {
        players: [mean_of(seat) for seat in against_others(one["scores"]).T] for players, one in found.items()
    }
    most = max(found)

    def series(by: Mapping[int, list[Estimate]]) -> list[Series]:
        nothing = Estimate(float("nan"), float("nan"), float("nan"), 0)
        return [
            Series(f"{players} players", PLAYERS_ROLES[players], several + [nothing] * (most - players))
            for players, several in by.items()
        ]

    table = Table(
        "seats",
        say("study.seats.table.seats"),
        (
            Column("players", "Players"),
            Column("seat", "Seat"),
            Column("win_share", "Share of wins", ".1%"),
            Column("fair", "Fair share", ".1%"),
            Column("score", "Mean score", ".2f"),
            Column("lead", "Lead over the others", "+.2f"),
            Column("games", "Games"),
        ),
        tuple(
            (
                players,
                seat,
                won[players][seat],
                1 / players,
                scores[players][seat],
                leads[players][seat],
                len(found[players]["deal"]),
            )
            for players in found
            for seat in range(players)
        ),
    )
    return Study(
        name="seats",
        title=QUESTION.title,
        question=QUESTION.asked,
        findings=tuple(finding(players, won[players], leads[players]) for players in found),
        sections=(
            Section(
                say("study.seats.by_turn_order.heading"),
                (say("study.seats.by_turn_order.words"),),
                (
                    dots(
                        "seats-wins",
                        say("study.seats.picture.wins.alt"),
                        say("study.seats.picture.wins.caption"),
                        ORDER[:most],
                        series(beyond),
                        Look("beyond the fair share", is_share=True, zero=0),
                    ),
                    dots(
                        "seats-leads",
                        say("study.seats.picture.leads.alt"),
                        say("study.seats.picture.leads.caption"),
                        ORDER[:most],
                        series(leads),
                        Look("coins", zero=0),
                    ),
                ),
                (table,),
            ),
        ),
        method=(say("study.seats.method"),),
        limits=(say("study.seats.limits"),),
        games=sum(len(one["deal"]) for one in found.values()),
        player=strength_of(plan.bot),
    )


def finding(players: int, won: list[Estimate], leads: list[Estimate]) -> str:
    fair = 1 / players
    sure = [seat for seat in range(players) if won[seat].excludes(fair)]
    if not sure:
        widest = max(abs(one.value - fair) for one in won)
        return say("study.seats.finding.1", players=players, fair=percent(fair), widest=percent(widest))
    best = int(np.argmax([one.value for one in won]))
    return say(
        "study.seats.finding.2",
        players=players,
        best=seat_name(best),
        won=told(won[best], ".1%"),
        fair=percent(fair),
        leads=told(leads[best], "+.2f"),
    )


def seat_name(seat: int) -> str:
    return "the first Leader's" if seat == 0 else f"the {ORDER[seat]}"


QUESTION = Question(
    title=say("study.seats.title"),
    asked=say("study.seats.asked"),
    deals={2: 12000, 3: 5000, 4: 2500},
    ask=ask,
    answer=answer,
    any_bot=True,
)
