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

ORDER = ("Leader of the first round", "second", "third", "fourth")


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
        "Wins and scores by turn order in the first round",
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
                "By turn order",
                (
                    "Seat 0 leads the first round; the others follow in turn, and the torches pass on every round.",
                ),
                (
                    dots(
                        "seats-wins",
                        "Share of wins beyond the fair share by turn order; the table below has the figures.",
                        "Share of wins beyond a fair one (bars: 95 %)",
                        ORDER[:most],
                        series(beyond),
                        Look("beyond the fair share", is_share=True, zero=0),
                    ),
                    dots(
                        "seats-leads",
                        "Mean lead in coins over the others by turn order; the table below has the figures.",
                        "Coins more than the others have on average (bars: 95 %)",
                        ORDER[:most],
                        series(leads),
                        Look("coins", zero=0),
                    ),
                ),
                (table,),
            ),
        ),
        method=(
            "The same strong player sits in every seat; each game has its own cards, dice and random Collector sides. "
            "Win shares have Wilson's interval, a shared win counting as equal parts; scores have the interval of a "
            "mean over games.",
        ),
        limits=(
            "Seats differ for players who play like this one. Others may make more, or less, of having the last turn.",
        ),
        games=sum(len(one["deal"]) for one in found.values()),
        player=strength_of(plan.bot),
    )


def finding(players: int, won: list[Estimate], leads: list[Estimate]) -> str:
    fair = 1 / players
    sure = [seat for seat in range(players) if won[seat].excludes(fair)]
    if not sure:
        widest = max(abs(one.value - fair) for one in won)
        return (
            f"With {players} players no seat wins surely more or less than its share of {percent(fair)}: the widest gap, "
            f"{percent(widest)}, is within what chance alone would bring."
        )
    best = int(np.argmax([one.value for one in won]))
    return (
        f"With {players} players the best seat is {seat_name(best)}: {told(won[best], '.1%')} of the wins instead of "
        f"{percent(fair)}, and {told(leads[best], '+.2f')} coins against the others."
    )


def seat_name(seat: int) -> str:
    return "the first Leader's" if seat == 0 else f"the {ORDER[seat]}"


QUESTION = Question(
    title="Does it matter where one sits?",
    asked="Do the Leader of the first round and those after it win as often as each other?",
    deals={2: 12000, 3: 5000, 4: 2500},
    ask=ask,
    answer=answer,
    any_bot=True,
)
