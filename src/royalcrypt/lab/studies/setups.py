"""All 64 set-ups: which are close, and which reward skill."""

from collections.abc import Mapping

import numpy as np

from royalcrypt.lab.studies.answers import (
    Array,
    Column,
    Estimate,
    Picture,
    Section,
    Study,
    Table,
    mean_of,
    percent,
    share_of,
    told,
)
from royalcrypt.lab.studies.pictures import Look, Series, cloud, dots
from royalcrypt.lab.studies.playing import desk, lead_of, scores_of, wins_of
from royalcrypt.lab.studies.questions import (
    PLAYERS_ROLES,
    Columns,
    Piece,
    Plan,
    Question,
    scripts_for,
    strength_of,
)
from royalcrypt.lab.studies.solo import SETUPS, setup_name
from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.rules.cards import Side
from royalcrypt.rules.layout import TYPES

CLOSE = 3
"""Coins: a lead of no more is a close game."""
TYPES_NAMED = ", ".join(name.title() for name in TYPE_NAMES)
NAMED = 1
"""At either end of either list."""


def ask(piece: Piece) -> Columns:
    """Each deal with every set-up: among equals, and with one strong player in each seat in turn."""
    players = piece.players
    crossed = np.repeat(scripts_for(piece), len(SETUPS))
    crossed["sides"] = np.tile(SETUPS, (len(piece.deals), 1))
    among_equals = desk().play(crossed, piece.seed).tales
    wins = np.zeros(len(crossed))
    for seat in range(players):
        crossed["lights"] = (1 << players) - 1 - (1 << seat)
        wins += wins_of(desk().play(crossed, piece.seed).tales, players)[:, seat] / players
    return {
        "deal": np.array(piece.deals),
        "leads": lead_of(scores_of(among_equals, players)).reshape(-1, len(SETUPS)),
        "scores": scores_of(among_equals, players).mean(axis=1).reshape(-1, len(SETUPS)),
        "wins": wins.reshape(-1, len(SETUPS)),
    }


def side_effects(values: Array) -> list[Estimate]:
    """Side B instead of A of each Collector, deal by deal, over all set-ups of the other five."""
    return [
        mean_of(
            values[:, SETUPS[:, kind] == Side.B].mean(axis=1)
            - values[:, SETUPS[:, kind] == Side.A].mean(axis=1)
        )
        for kind in range(TYPES)
    ]


def answer(found: Mapping[int, Columns], plan: Plan) -> Study:
    return Study(
        name="setups",
        title=QUESTION.title,
        question=QUESTION.asked,
        findings=tuple(sentence for players, one in found.items() for sentence in findings(players, one)),
        sections=(
            Section(
                say("study.setups.close_and_skilful_set_ups.heading"),
                (say("study.setups.close_and_skilful_set_ups.words", types=TYPES_NAMED),),
                tuple(cloud_picture(players, one) for players, one in found.items()),
                tuple(setup_table(players, one) for players, one in found.items()),
            ),
            Section(
                say("study.setups.what_a_side_does.heading"),
                (say("study.setups.what_a_side_does.words"),),
                (
                    side_picture(
                        found,
                        "leads",
                        "setups-leads",
                        say("study.setups.picture.answer.caption.1"),
                        Look("coins", zero=0),
                    ),
                    side_picture(
                        found,
                        "wins",
                        "setups-skill",
                        say("study.setups.picture.answer.caption.2"),
                        Look("of the wins", is_share=True, zero=0),
                    ),
                ),
                (side_table(found),),
            ),
        ),
        method=(say("study.setups.method"),),
        limits=(
            say("study.setups.limits.1"),
            say("study.setups.limits.2"),
        ),
        games=sum(len(SETUPS) * (1 + players) * len(one["deal"]) for players, one in found.items()),
        player=say("study.setups.answer", bot=strength_of(plan.bot)),
    )


def ordered(values: Array) -> list[int]:
    return sorted(range(len(SETUPS)), key=lambda index: (values[:, index].mean(), index))


def findings(players: int, one: Columns) -> list[str]:
    leads, wins = one["leads"].astype(float), one["wins"]
    close, skilful = ordered(leads), ordered(-wins)
    return [
        say(
            "study.setups.findings.1",
            players=players,
            close=setup_name(close[0]),
            leads=told(mean_of(leads[:, close[0]]), ".1f"),
            close_2=setup_name(close[-1]),
            leads_2=told(mean_of(leads[:, close[-1]]), ".1f"),
            leads_3=told(mean_of(leads.mean(axis=1)), ".1f"),
        ),
        say(
            "study.setups.findings.2",
            players=players,
            wins=told(mean_of(wins.mean(axis=1)), ".1%"),
            players_2=percent(1 / players),
            wins_2=told(mean_of(wins[:, skilful[-1]]), ".0%"),
            skilful=setup_name(skilful[-1]),
            wins_3=told(mean_of(wins[:, skilful[0]]), ".0%"),
            skilful_2=setup_name(skilful[0]),
        ),
    ]


def cloud_picture(players: int, one: Columns) -> Picture:
    leads, wins = one["leads"].astype(float), one["wins"]
    by_lead, by_wins = ordered(leads), ordered(wins)
    ends = {index for order in (by_lead, by_wins) for index in (*order[:NAMED], *order[-NAMED:])}
    return cloud(
        f"setups-{players}",
        say("study.setups.picture.cloud_picture.alt", players=players),
        say("study.setups.picture.cloud_picture.caption", players=players),
        [
            (setup_name(index), mean_of(leads[:, index]), mean_of(wins[:, index]))
            for index in range(len(SETUPS))
        ],
        Look(say("study.setups.cloud_picture.1"), say("study.setups.cloud_picture.2"), is_share=True),
        {setup_name(index) for index in ends},
    )


def setup_table(players: int, one: Columns) -> Table:
    leads, wins = one["leads"].astype(float), one["wins"]
    by_lead, by_wins = ordered(leads), ordered(-wins)
    return Table(
        f"setups_{players}",
        say("study.setups.table.setups", players=players),
        (
            Column("setup", "Set-up"),
            Column("closeness_rank", "Rank by closeness"),
            Column("lead", "Winner’s lead", ".1f"),
            Column("close_games", f"Lead of {CLOSE} or less", ".0%"),
            Column("skill_rank", "Rank by skill"),
            Column("better_wins", "Better player wins", ".0%"),
            Column("score", "Mean score", ".1f"),
        ),
        tuple(
            (
                setup_name(index),
                rank,
                mean_of(leads[:, index]),
                share_of(int((leads[:, index] <= CLOSE).sum()), len(leads)),
                by_wins.index(index) + 1,
                mean_of(wins[:, index]),
                mean_of(one["scores"][:, index]),
            )
            for rank, index in enumerate(by_lead, start=1)
        ),
        is_long=True,
    )


def side_picture(found: Mapping[int, Columns], field: str, name: str, caption: str, look: Look) -> Picture:
    return dots(
        name,
        say("study.setups.picture.side_picture.alt", caption=caption),
        f"{caption} (bars: 95 %)",
        [kind.title() for kind in TYPE_NAMES],
        [
            Series(f"{players} players", PLAYERS_ROLES[players], side_effects(one[field].astype(float)))
            for players, one in found.items()
        ],
        look,
    )


def side_table(found: Mapping[int, Columns]) -> Table:
    return Table(
        "sides",
        say("study.setups.table.sides"),
        (
            Column("players", "Players"),
            Column("collector", "Collector"),
            Column("lead", "Winner’s lead", "+.2f"),
            Column("better_wins", "Better player wins", "+.1%"),
            Column("score", "Mean score", "+.2f"),
        ),
        tuple(
            (players, TYPE_NAMES[kind].title(), *effects)
            for players, one in found.items()
            for kind, effects in enumerate(
                zip(
                    *(side_effects(one[field].astype(float)) for field in ("leads", "wins", "scores")),
                    strict=True,
                )
            )
        ),
    )


QUESTION = Question(
    title=say("study.setups.title"),
    asked=say("study.setups.asked"),
    deals={2: 100},
    ask=ask,
    answer=answer,
    at_once=1,
)
