"""What each card is worth to whoever takes it."""

from collections.abc import Mapping

import numpy as np

from royalcrypt.lab.studies.answers import (
    Column,
    Estimate,
    Picture,
    Section,
    Study,
    Table,
    difference,
    told,
)
from royalcrypt.lab.studies.losses import MOST_HELD, ROBBERIES, Worth, ask, by_held, by_kind, by_side
from royalcrypt.lab.studies.pictures import Grid, Look, Series, dots, grid
from royalcrypt.lab.studies.questions import (
    PLAYERS_ROLES,
    SIDED,
    Columns,
    Plan,
    Question,
    strength_of,
)
from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.rules.cards import Side, Type, kind_of
from royalcrypt.rules.layout import KINDS, TYPES, VALUES

NTH = ("first", "second", "third", "fourth +")
FEW = 5
"""Deals; of fewer, nothing is said."""


def answer(found: Mapping[int, Columns], plan: Plan) -> Study:
    kinds = {players: by_kind(one) for players, one in found.items()}
    sided = {players: by_side(one) for players, one in found.items()}
    held = {players: by_held(one) for players, one in found.items()}
    return Study(
        name="cards",
        title=QUESTION.title,
        question=QUESTION.asked,
        findings=findings(kinds, sided),
        sections=(
            Section(
                say("study.cards.by_type_and_coins.heading"),
                (say("study.cards.by_type_and_coins.words"),),
                tuple(kind_picture(players, one) for players, one in kinds.items()),
                (kind_table(kinds),),
            ),
            Section(
                say("study.cards.by_the_collector_s_side.heading"),
                (say("study.cards.by_the_collector_s_side.words"),),
                (side_picture(sided),),
                (side_table(sided),),
            ),
            Section(
                say("study.cards.the_first_the_second_the_third.heading"),
                (say("study.cards.the_first_the_second_the_third.words"),),
                tuple(held_picture(players, one) for players, one in held.items()),
                (held_table(held),),
            ),
        ),
        method=(
            say("study.cards.method.1", robberies=ROBBERIES),
            say("study.cards.method.2"),
        ),
        limits=(
            say("study.cards.limits.1"),
            say("study.cards.limits.2"),
            say("study.cards.limits.3"),
        ),
        games=sum((1 + ROBBERIES) * len(one["deal"]) for one in found.values()),
        player=strength_of(plan.bot),
    )


def findings(kinds: Mapping[int, list[Worth]], sided: Mapping[int, list[Worth]]) -> tuple[str, ...]:
    told_of: list[str] = []
    for players, several in kinds.items():
        met = [kind for kind in range(KINDS) if several[kind].valued.count]
        order = sorted(met, key=lambda kind: -several[kind].valued.value)
        best, worst = order[0], order[-1]
        told_of.append(
            say(
                "study.cards.findings.1",
                players=players,
                best=_named(best),
                valued=told(several[best].valued),
                coins=told(several[best].coins),
                worst=_named(worst),
                valued_2=told(several[worst].valued),
            )
        )
    for players, several in sided.items():
        gaps = [difference(several[2 * kind + 1].valued, several[2 * kind].valued) for kind in range(TYPES)]
        widest = max(range(TYPES), key=lambda kind: abs(np.nan_to_num(gaps[kind].value)))
        told_of.append(
            say(
                "study.cards.findings.2",
                players=players,
                type=TYPE_NAMES[widest].title(),
                gap=told(gaps[widest], "+.2f"),
            )
        )
    return tuple(told_of)


def _named(kind: int) -> str:
    return f"{TYPE_NAMES[kind // VALUES].title()} {kind % VALUES + 1}"


def kind_picture(players: int, several: list[Worth]) -> Picture:
    cells = [
        [several[kind_of(card_type, value)].valued.value for value in range(1, VALUES + 1)]
        for card_type in Type
    ]
    return grid(
        f"cards-kinds-{players}",
        say("study.cards.picture.kind_picture.alt", players=players),
        say("study.cards.picture.kind_picture.caption", players=players),
        Grid(
            [name.title() for name in TYPE_NAMES], [*map(str, range(1, VALUES + 1))], cells, ".1f", TYPE_NAMES
        ),
        Look("coins on the card"),
    )


def side_picture(sided: Mapping[int, list[Worth]]) -> Picture:
    return dots(
        "cards-sides",
        say("study.cards.picture.sides.alt"),
        say("study.cards.picture.sides.caption"),
        SIDED,
        [
            Series(f"{players} players", PLAYERS_ROLES[players], [one.coins for one in several])
            for players, several in sided.items()
        ],
        Look("coins"),
    )


def held_picture(players: int, held: dict[tuple[int, int], tuple[Estimate, Estimate]]) -> Picture:
    cells = [
        [held[index, number][1].value for number in range(1, MOST_HELD + 1)] for index in range(2 * TYPES)
    ]
    return grid(
        f"cards-held-{players}",
        say("study.cards.picture.held_picture.alt", players=players),
        say("study.cards.picture.held_picture.caption", players=players),
        Grid(SIDED, NTH, cells, "+.1f", [name for name in TYPE_NAMES for _ in Side]),
        Look("card of its type"),
    )


WORTH_COLUMNS = (
    Column("coins", "Finished games", "+.2f"),
    Column("wins", "Of a win", "+.1%"),
    Column("valued", "Learned value", "+.2f"),
    Column("regression", "Regression", "+.2f"),
)


def kind_table(kinds: Mapping[int, list[Worth]]) -> Table:
    return Table(
        "kinds",
        say("study.cards.table.kinds"),
        (Column("players", "Players"), Column("card", "Card"), *WORTH_COLUMNS, Column("lots", "Cards")),
        tuple(
            (players, _named(kind), one.coins, one.wins, one.valued, one.fitted, one.coins.count)
            for players, several in kinds.items()
            for kind, one in enumerate(several)
        ),
        is_long=True,
    )


def side_table(sided: Mapping[int, list[Worth]]) -> Table:
    return Table(
        "sides",
        say("study.cards.table.sides"),
        (Column("players", "Players"), Column("collector", "Collector"), *WORTH_COLUMNS),
        tuple(
            (players, SIDED[index], one.coins, one.wins, one.valued, one.fitted)
            for players, several in sided.items()
            for index, one in enumerate(several)
        ),
    )


def held_table(held: Mapping[int, dict[tuple[int, int], tuple[Estimate, Estimate]]]) -> Table:
    return Table(
        "nth",
        say("study.cards.table.nth"),
        (
            Column("players", "Players"),
            Column("collector", "Collector"),
            Column("number", "Card number"),
            Column("coins", "Finished games", "+.2f"),
            Column("valued", "Learned value", "+.2f"),
        ),
        tuple(
            (players, SIDED[index], number, finished, valued)
            for players, several in held.items()
            for (index, number), (finished, valued) in several.items()
            if finished.count >= FEW
        ),
        is_long=True,
    )


QUESTION = Question(
    title="What is a card worth?",
    asked=say("study.cards.asked"),
    deals={2: 3000, 3: 1200, 4: 600},
    ask=ask,
    answer=answer,
)
