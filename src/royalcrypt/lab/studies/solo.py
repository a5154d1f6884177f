"""Alone against the Ghost: which score, and which rank, may one expect."""

from collections.abc import Mapping
from itertools import product

import numpy as np

from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.studies.answers import (
    Array,
    Column,
    Estimate,
    Picture,
    Section,
    Study,
    Table,
    mean_of,
    share_of,
    told,
)
from royalcrypt.lab.studies.pictures import Look, Series, dots, stacks, steps
from royalcrypt.lab.studies.questions import Columns, Piece, Plan, Question, scripts_for, strength_of
from royalcrypt.lab.studies.tables import ended
from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.play.results import RANKS
from royalcrypt.rules.cards import Side
from royalcrypt.rules.layout import TYPES

BOTS = ("novice", "greedy", "heir", "regent")
ROLES = ("heir-3", "pottery", "heir-1", "heir-2", "heir-0")
SETUPS = np.array(list(product(Side, repeat=TYPES)))
"""All 64."""
TITLES = tuple(f"The {name.title()}" for _, name in reversed(RANKS))
RANK_ROLES = ("manuscript", "remains", "jewelry", "ember")
BORDERS = tuple(least for least, _ in reversed(RANKS))


def bots_of(bot: str) -> tuple[str, ...]:
    return BOTS if bot in BOTS else (*BOTS, bot)


def ask(piece: Piece) -> Columns:
    """Every bot in each deal, and the quick one with all 64 set-ups besides."""
    scripts = scripts_for(piece)
    crossed = np.repeat(scripts, len(SETUPS))
    crossed["sides"] = np.tile(SETUPS, (len(scripts), 1))
    by_setup, _ = ended(BOT, crossed, piece.seed)
    return {"deal": scripts["number"], "setups": by_setup.reshape(-1, len(SETUPS))} | {
        bot: ended(bot, scripts, piece.seed)[0][:, 0] for bot in bots_of(piece.bot)
    }


def ranks(scores: Array) -> list[Estimate]:
    """From The Fool up."""
    place = np.searchsorted(BORDERS, scores, side="right") - 1
    return [share_of(int((place == rank).sum()), len(scores)) for rank in range(len(BORDERS))]


def side_effects(setups: Array) -> list[tuple[Estimate, Estimate]]:
    """Side B instead of A of each Collector: coins, and the chance of 50 and more, deal by deal."""
    effects: list[tuple[Estimate, Estimate]] = []
    magnificent = setups >= BORDERS[-1]
    for card_type in range(TYPES):
        is_b = SETUPS[:, card_type] == Side.B
        coins = setups[:, is_b].mean(axis=1) - setups[:, ~is_b].mean(axis=1)
        chance = magnificent[:, is_b].mean(axis=1) - magnificent[:, ~is_b].mean(axis=1)
        effects.append((mean_of(coins), mean_of(chance)))
    return effects


def answer(found: Mapping[int, Columns], plan: Plan) -> Study:
    one = found[1]
    bots = bots_of(plan.bot)
    setups = one["setups"].astype(float)
    order = sorted(range(len(SETUPS)), key=lambda index: -setups[:, index].mean())
    effects = side_effects(setups)
    return Study(
        name="solo",
        title=QUESTION.title,
        question=QUESTION.asked,
        findings=findings(one, bots, setups, order),
        sections=(
            Section(
                say("study.solo.scores_and_ranks_by_bot.heading"),
                (say("study.solo.scores_and_ranks_by_bot.words"),),
                pictures_of(one, bots),
                (bot_table(one, bots),),
            ),
            Section(
                say("study.solo.by_collector_sides.heading"),
                (say("study.solo.by_collector_sides.words", bot=BOT),),
                (side_picture(effects),),
                (side_table(effects), setup_table(setups, order)),
            ),
        ),
        method=(say("study.solo.method"),),
        limits=(
            say("study.solo.limits.1"),
            say("study.solo.limits.2"),
        ),
        games=len(one["deal"]) * (len(bots) + len(SETUPS)),
        player=f"for the set-ups {strength_of(BOT)}",
    )


def findings(one: Columns, bots: tuple[str, ...], setups: Array, order: list[int]) -> tuple[str, ...]:
    best, worst = order[0], order[-1]
    return (
        *(
            say(
                "study.solo.findings.1",
                bot=bot.title(),
                float=told(mean_of(one[bot].astype(float)), ".1f"),
                ranks=told(ranks(one[bot])[-1], ".0%"),
                ranks_2=told(ranks(one[bot])[0], ".1%"),
            )
            for bot in bots
        ),
        say(
            "study.solo.findings.2",
            bot=BOT,
            best=setup_name(best),
            setups=told(mean_of(setups[:, best]), ".1f"),
            worst=setup_name(worst),
            setups_2=told(mean_of(setups[:, worst]), ".1f"),
            setups_3=told(mean_of(setups[:, best] - setups[:, worst]), ".1f"),
        ),
    )


def setup_name(index: int) -> str:
    return "".join("AB"[side] for side in SETUPS[index])


def pictures_of(one: Columns, bots: tuple[str, ...]) -> tuple[Picture, ...]:
    by_bot = {bot: [share.value for share in ranks(one[bot])] for bot in bots}
    return (
        steps(
            "solo-scores",
            say("study.solo.picture.scores.alt"),
            say("study.solo.picture.scores.caption"),
            [(bot, ROLES[index % len(ROLES)], one[bot]) for index, bot in enumerate(bots)],
            Look("score", "chance"),
            BORDERS[1:],
        ),
        stacks(
            "solo-ranks",
            "; ".join(
                f"{bot}: "
                + ", ".join(f"{title} {share:.0%}" for title, share in zip(TITLES, shares, strict=True))
                for bot, shares in by_bot.items()
            ),
            say("study.solo.picture.ranks.caption"),
            bots,
            [
                (title, RANK_ROLES[rank], [by_bot[bot][rank] for bot in bots])
                for rank, title in enumerate(TITLES)
            ],
        ),
    )


def bot_table(one: Columns, bots: tuple[str, ...]) -> Table:
    return Table(
        "bots",
        say("study.solo.table.bots"),
        (
            Column("bot", "Bot"),
            Column("score", "Mean score", ".1f"),
            *(Column(name, title, ".1%") for title, (_, name) in zip(TITLES, reversed(RANKS), strict=True)),
            Column("games", "Games"),
        ),
        tuple((bot, mean_of(one[bot].astype(float)), *ranks(one[bot]), len(one[bot])) for bot in bots),
    )


def side_picture(effects: list[tuple[Estimate, Estimate]]) -> Picture:
    return dots(
        "solo-sides",
        say("study.solo.picture.sides.alt"),
        say("study.solo.picture.sides.caption"),
        [name.title() for name in TYPE_NAMES],
        [Series(BOT, "ember", [coins for coins, _ in effects])],
        Look("coins", zero=0),
    )


def side_table(effects: list[tuple[Estimate, Estimate]]) -> Table:
    return Table(
        "sides",
        say("study.solo.table.sides"),
        (
            Column("collector", "Collector"),
            Column("coins", "Coins", "+.2f"),
            Column("magnificent", "Chance to be The Magnificent", "+.1%"),
        ),
        tuple((TYPE_NAMES[index].title(), *effect) for index, effect in enumerate(effects)),
    )


def setup_table(setups: Array, order: list[int]) -> Table:
    return Table(
        "setups",
        say("study.solo.table.setups", types=", ".join(name.title() for name in TYPE_NAMES)),
        (
            Column("setup", "Set-up"),
            Column("score", "Mean score", ".1f"),
            Column("against_mean", "Against the mean of all", "+.2f"),
            *(Column(name, title, ".1%") for title, (_, name) in zip(TITLES, reversed(RANKS), strict=True)),
        ),
        tuple(
            (
                setup_name(index),
                mean_of(setups[:, index]),
                mean_of(setups[:, index] - setups.mean(axis=1)),
                *ranks(setups[:, index]),
            )
            for index in order
        ),
        is_long=True,
    )


QUESTION = Question(
    title=say("study.solo.title"),
    asked=say("study.solo.asked"),
    deals={1: 200},
    ask=ask,
    answer=answer,
    company=(1, 1),
    at_once=5,
    any_bot=True,
)
