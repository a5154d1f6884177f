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
                "Scores and ranks by bot",
                ("All bots meet the same deals, with random Collector sides.",),
                pictures_of(one, bots),
                (bot_table(one, bots),),
            ),
            Section(
                "By Collector sides",
                (
                    f"The bot {BOT} plays each deal with all 64 set-ups, so that every side meets the same cards and "
                    "the same rolls, its own and the Ghost's.",
                ),
                (side_picture(effects),),
                (side_table(effects), setup_table(setups, order)),
            ),
        ),
        method=(
            "Only Child, R10. Intervals of shares are Wilson's; those of means count deals. A set-up's score is "
            "compared within deals, so that a lucky deal lifts all set-ups alike.",
        ),
        limits=(
            "Bots play for the expected worth of their learned value, in which The Magnificent counts as a win: one who "
            "only wants to avoid The Fool would play more safely.",
            "Regent and other slow bots have played as many deals as the rest, yet far fewer games than the "
            "set-ups had: their intervals are wide.",
        ),
        games=len(one["deal"]) * (len(bots) + len(SETUPS)),
        player=f"for the set-ups {strength_of(BOT)}",
    )


def findings(one: Columns, bots: tuple[str, ...], setups: Array, order: list[int]) -> tuple[str, ...]:
    best, worst = order[0], order[-1]
    return (
        *(
            f"{bot.title()} scores {told(mean_of(one[bot].astype(float)), '.1f')} and is The Magnificent in "
            f"{told(ranks(one[bot])[-1], '.0%')} of the games, The Fool in {told(ranks(one[bot])[0], '.1%')}."
            for bot in bots
        ),
        f"The richest set-up for {BOT} is {setup_name(best)} with {told(mean_of(setups[:, best]), '.1f')} coins, the "
        f"poorest {setup_name(worst)} with {told(mean_of(setups[:, worst]), '.1f')}; on the same deals they are "
        f"{told(mean_of(setups[:, best] - setups[:, worst]), '.1f')} apart.",
    )


def setup_name(index: int) -> str:
    return "".join("AB"[side] for side in SETUPS[index])


def pictures_of(one: Columns, bots: tuple[str, ...]) -> tuple[Picture, ...]:
    by_bot = {bot: [share.value for share in ranks(one[bot])] for bot in bots}
    return (
        steps(
            "solo-scores",
            "How often each score came, a curve for each bot; the dotted lines are where the ranks begin.",
            "Chance of a score, by bot; dotted: 30, 40 and 50 coins",
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
            "Chance of each rank, by bot",
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
        "Scores and ranks by bot",
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
        "Coins more with side B than with side A of each Collector; the table below has the figures.",
        "Coins more (or fewer) with side B than with side A, alone (bars: 95 %)",
        [name.title() for name in TYPE_NAMES],
        [Series(BOT, "ember", [coins for coins, _ in effects])],
        Look("coins", zero=0),
    )


def side_table(effects: list[tuple[Estimate, Estimate]]) -> Table:
    return Table(
        "sides",
        "Side B instead of side A, alone",
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
        f"All 64 set-ups (sides of {', '.join(name.title() for name in TYPE_NAMES)}), richest first",
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
    title="Alone with the Ghost: which rank?",
    asked="Which scores come in Only Child, how likely is each rank, and how do the Collectors' sides change that?",
    deals={1: 400},
    ask=ask,
    answer=answer,
    at_once=5,
    any_bot=True,
)
