"""What each side of each Collector is worth."""

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
    told,
)
from royalcrypt.lab.studies.fitting import against_others
from royalcrypt.lab.studies.pictures import Look, Series, dots
from royalcrypt.lab.studies.playing import by_type, cards_of, desk, scores_of, wins_of
from royalcrypt.lab.studies.questions import (
    PLAYERS_ROLES,
    SIDED,
    Columns,
    Piece,
    Plan,
    Question,
    scripts_for,
    strength_of,
)
from royalcrypt.lab.studies.rewards import BARS, Switch, Worth, padded, switches, which_to_bar, worths
from royalcrypt.lab.studies.scripts import Twist
from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.rules.cards import Side
from royalcrypt.rules.layout import NONE, TYPES, VALUES


def ask(piece: Piece) -> Columns:
    """Each deal with one Collector on either side, and some seats once more without a reward used in play."""
    players, numbers = piece.players, np.array(piece.deals)
    switched = numbers % TYPES
    scripts = scripts_for(piece, repeats=2)
    rows = np.arange(len(numbers))
    for side in Side:
        scripts["sides"][2 * rows + side, switched] = side
    games = desk().play(scripts, piece.seed).tales
    origins, barred_types = which_to_bar(scripts["sides"].reshape(-1, 2, TYPES), numbers)
    barred = scripts[origins]
    barred["twist"] = Twist.BARRED
    barred["card_type"] = barred_types
    barred["seat"] = barred["number"] // TYPES % players
    without = desk().play(barred, piece.seed).tales
    return _together(scripts, games, players) | _bars(barred, origins, games, without, players, len(numbers))


def _together(scripts: Array, games: Array, players: int) -> Columns:
    """By deal and side."""
    return {
        "deal": scripts["number"][::2],
        "sides": scripts["sides"].reshape(-1, 2, TYPES),
        "scores": scores_of(games, players).reshape(-1, 2, players),
        "wins": wins_of(games, players).reshape(-1, 2, players),
        "bonuses": by_type(games, "bonuses", players).reshape(-1, 2, players, TYPES),
        "uses": by_type(games, "uses", players).reshape(-1, 2, players, TYPES),
        "cards": cards_of(games, players).reshape(-1, 2, players, TYPES * VALUES),
    }


def _bars(
    barred: Array, origins: list[int], games: Array, without: Array, players: int, deals: int
) -> Columns:
    """A row for each deal and bar; where there was nothing to bar, the type is none."""
    rows, seats = np.arange(len(barred)), barred["seat"]
    lost = against_others(scores_of(games[origins], players) - scores_of(without, players))[rows, seats]
    wins = (wins_of(games[origins], players) - wins_of(without, players))[rows, seats]
    used = by_type(games[origins], "uses", players)[rows, seats, barred["card_type"]] > 0
    return {
        "bar_deal": padded(barred["number"], BARS * deals),
        "bar_type": padded(barred["card_type"], BARS * deals),
        "bar_coins": padded(lost, BARS * deals),
        "bar_wins": padded(wins, BARS * deals),
        "bar_used": padded(used.astype(np.int64), BARS * deals),
    }


def answer(found: Mapping[int, Columns], plan: Plan) -> Study:
    worth = {players: worths(one) for players, one in found.items()}
    switched = {players: switches(one) for players, one in found.items()}
    games = sum(2 * len(one["deal"]) + int((one["bar_type"] != NONE).sum()) for one in found.values())
    return Study(
        name="collectors",
        title=QUESTION.title,
        question=QUESTION.asked,
        findings=findings(worth, switched),
        sections=(
            Section(
                say("study.collectors.if_the_reward_were_withheld.heading"),
                (
                    say("study.collectors.if_the_reward_were_withheld.words.1"),
                    say("study.collectors.if_the_reward_were_withheld.words.2"),
                ),
                pictures_of(worth),
                (worth_table(worth),),
            ),
            Section(
                say("study.collectors.side_a_or_side_b.heading"),
                (say("study.collectors.side_a_or_side_b.words"),),
                (switch_picture(switched),),
                (switch_table(switched),),
            ),
        ),
        method=(
            say("study.collectors.method.1"),
            say("study.collectors.method.2"),
        ),
        limits=(
            say("study.collectors.limits.1"),
            say("study.collectors.limits.2"),
        ),
        games=games,
        player=strength_of(plan.bot),
    )


def findings(worth: Mapping[int, list[Worth]], switched: Mapping[int, list[Switch]]) -> tuple[str, ...]:
    told_of: list[str] = []
    for players, several in worth.items():
        order = sorted(range(len(SIDED)), key=lambda index: -several[index].coins.value)
        best, worst = order[0], order[-1]
        told_of.append(
            say(
                "study.collectors.findings.1",
                players=players,
                sided=SIDED[best],
                coins=told(several[best].coins),
                sided_2=SIDED[worst],
                coins_2=told(several[worst].coins),
                wins_completed=told(several[best].wins_completed, ".1%"),
            )
        )
    for players, sides in switched.items():
        swing = max(range(TYPES), key=lambda index: abs(sides[index].score.value))
        more = "more" if sides[swing].score.value > 0 else "fewer"
        told_of.append(
            say(
                "study.collectors.findings.2",
                players=players,
                type_names=TYPE_NAMES[swing].title(),
                score=told(_absolute(sides[swing].score)),
                more=more,
            )
        )
    return tuple(told_of)


def _absolute(one: Estimate) -> Estimate:
    return one if one.value >= 0 else Estimate(-one.value, -one.high, -one.low, one.count)


def pictures_of(worth: Mapping[int, list[Worth]]) -> tuple[Picture, ...]:
    most = max(worth)
    order = sorted(range(len(SIDED)), key=lambda index: -worth[min(worth)][index].coins.value)
    labels = [SIDED[index] for index in order]

    def series(field: str) -> list[Series]:
        return [
            Series(
                f"{players} players",
                PLAYERS_ROLES[players],
                [getattr(several[index], field) for index in order],
            )
            for players, several in worth.items()
        ]

    return (
        dots(
            "collectors-coins",
            say("study.collectors.picture.coins.alt", most=most),
            say("study.collectors.picture.coins.caption"),
            labels,
            series("coins"),
            Look("coins a game", zero=0),
        ),
        dots(
            "collectors-wins",
            say("study.collectors.picture.wins.alt"),
            say("study.collectors.picture.wins.caption"),
            labels,
            series("wins_completed"),
            Look("of a win", is_share=True, zero=0),
        ),
    )


def switch_picture(switched: Mapping[int, list[Switch]]) -> Picture:
    return dots(
        "collectors-switch",
        say("study.collectors.picture.switch.alt"),
        say("study.collectors.picture.switch.caption"),
        [name.title() for name in TYPE_NAMES],
        [
            Series(f"{players} players", PLAYERS_ROLES[players], [one.score for one in several])
            for players, several in switched.items()
        ],
        Look("coins", zero=0),
    )


def worth_table(worth: Mapping[int, list[Worth]]) -> Table:
    return Table(
        "worth",
        say("study.collectors.table.worth"),
        (
            Column("players", "Players"),
            Column("collector", "Collector"),
            Column("completed", "Completed", ".0%"),
            Column("coins", "Coins a game", "+.2f"),
            Column("wins", "Of a win", "+.1%"),
            Column("coins_completed", "Coins, completed", "+.2f"),
            Column("wins_completed", "Of a win, completed", "+.1%"),
            Column("regression", "Regression: coins", "+.2f"),
        ),
        tuple(
            (
                players,
                SIDED[index],
                one.completed,
                one.coins,
                one.wins,
                one.coins_completed,
                one.wins_completed,
                one.fitted,
            )
            for players, several in worth.items()
            for index, one in enumerate(several)
        ),
    )


def switch_table(switched: Mapping[int, list[Switch]]) -> Table:
    return Table(
        "sides",
        say("study.collectors.table.sides"),
        (
            Column("players", "Players"),
            Column("collector", "Collector"),
            Column("score", "Mean score", "+.2f"),
            Column("lead", "Winner's lead", "+.2f"),
            Column("cards", "Cards of the type taken", "+.2f"),
        ),
        tuple(
            (players, TYPE_NAMES[index].title(), one.score, one.lead, one.cards)
            for players, several in switched.items()
            for index, one in enumerate(several)
        ),
    )


QUESTION = Question(
    title=say("study.collectors.title"),
    asked=say("study.collectors.asked"),
    deals={2: 3600, 3: 1500, 4: 750},
    ask=ask,
    answer=answer,
)
