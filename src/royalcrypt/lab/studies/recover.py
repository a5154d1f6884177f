"""When to recover."""

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
    mean_by_deal,
    mean_of,
    told,
)
from royalcrypt.lab.studies.fitting import against_others
from royalcrypt.lab.studies.pictures import Grid, Look, Series, dots, grid
from royalcrypt.lab.studies.playing import Told, desk, scores_of, wins_of
from royalcrypt.lab.studies.questions import (
    PLAYERS_ROLES,
    Columns,
    Piece,
    Plan,
    Question,
    scripts_for,
    strength_of,
)
from royalcrypt.lab.studies.scripts import Twist
from royalcrypt.locales import say
from royalcrypt.rules.chance import game_key, keyed_choice
from royalcrypt.rules.layout import GHOST, NONE
from royalcrypt.rules.reveal import ROUNDS

LOTS = 1 << 27
"""Addresses by which a turn is chosen."""
HANDS = ((0, 3), (0, 2), (0, 1), (1, 2), (1, 1), (2, 1))
"""Ready and exhausted dice when a turn begins, as far as something is exhausted."""
CHOICES = ((1, 2), (2, 1))
"""Those with which one may claim as well, but for the rare turn of a Leader who kept a die back."""
FEW = 20


def ask(piece: Piece) -> Columns:
    """Each deal once, and once more with the other choice at one turn at which there is one."""
    scripts = scripts_for(piece)
    base = desk().play(scripts, piece.seed, has_turns=True)
    other = scripts.copy()
    other["twist"] = Twist.OTHERWISE
    other["moment"] = [
        keyed_choice(*game_key(piece.seed, int(number)), LOTS, int(choices)) if choices else NONE
        for number, choices in zip(other["number"], base.tales["choices"], strict=True)
    ]
    return _turns(piece, base) | _choices(piece, base, desk().play(other, piece.seed))


def _turns(piece: Piece, base: Told) -> Columns:
    """A row for each turn with something exhausted; of a claim, its first placement."""
    turns = base.turns
    if piece.players == 1:
        turns = turns[turns["seat"] != GHOST]
    names = ("game", "round_number", "turn")
    is_first = np.ones(len(turns), bool)
    is_first[1:] = np.any([turns[name][1:] != turns[name][:-1] for name in names], axis=0)
    turns = turns[is_first & (turns["exhausted"] > 0)]
    return {
        "turn_deal": piece.deals.start + turns["game"].astype(np.int64),
        "turn_round": turns["round_number"],
        "turn_ready": turns["ready"],
        "turn_exhausted": turns["exhausted"],
        "turn_recovers": (turns["effort"] == 0).astype(np.int16),
    }


def _choices(piece: Piece, base: Told, other: Told) -> Columns:
    """Recovering less claiming, a row for each deal that had such a choice; the others' rows are left out."""
    here = np.flatnonzero(other.tales["is_twisted"])
    tales, players = other.tales[here], piece.players
    rows, seats = np.arange(len(here)), tales["seat"]
    coins = scores_of(base.tales[here], players) - scores_of(tales, players)
    lead = (coins if players == 1 else against_others(coins))[rows, seats]
    wins = (wins_of(base.tales[here], players) - wins_of(tales, players))[rows, seats]
    sign = np.where(tales["would_recover"] == 1, 1, -1)
    return {
        "choice_deal": other.scripts["number"][here],
        "choice_round": tales["round_number"],
        "choice_ready": tales["ready"],
        "choice_exhausted": tales["exhausted"],
        "choice_recovers": tales["would_recover"],
        "choice_coins": lead * sign,
        "choice_wins": wins * sign,
        "valued_wins": (tales["win_before"] - tales["win_after"]).astype(np.float64),
    }


def answer(found: Mapping[int, Columns], plan: Plan) -> Study:
    return Study(
        name="recover",
        title=QUESTION.title,
        question=QUESTION.asked,
        findings=tuple(sentence for players, one in found.items() for sentence in findings(players, one)),
        sections=(
            Section(
                say("study.recover.how_often_strong_players_recover.heading"),
                (say("study.recover.how_often_strong_players_recover.words"),),
                tuple(often_picture(players, one) for players, one in found.items()),
                (often_table(found),),
            ),
            Section(
                say("study.recover.what_recovering_is_worth_against_claiming.heading"),
                (say("study.recover.what_recovering_is_worth_against_claiming.words"),),
                (worth_picture(found),),
                (worth_table(found),),
            ),
        ),
        method=(
            say("study.recover.method.1"),
            say("study.recover.method.2"),
        ),
        limits=(
            say("study.recover.limits.1"),
            say("study.recover.limits.2"),
        ),
        games=sum(deals + len(found[players]["choice_deal"]) for players, deals in plan.deals.items()),
        player=strength_of(plan.bot),
    )


def findings(players: int, one: Columns) -> list[str]:
    here = one["turn_ready"] > 0
    often = mean_by_deal(one["turn_recovers"][here].astype(float), one["turn_deal"][here])
    with_one, with_two = (
        mean_by_deal(one["turn_recovers"][hand].astype(float), one["turn_deal"][hand])
        for hand in (
            (one["turn_ready"] == 2) & (one["turn_exhausted"] == 1),
            (one["turn_ready"] == 1) & (one["turn_exhausted"] == 2),
        )
    )
    told_of = [
        say(
            "study.recover.findings.1",
            players=company(players),
            often=told(often, ".1%"),
            with_one=told(with_one, ".1%"),
            with_two=told(with_two, ".1%"),
        )
    ]
    does, does_not = worth_of(one, one["choice_recovers"] == 1), worth_of(one, one["choice_recovers"] == 0)
    told_of.append(
        say(
            "study.recover.findings.2",
            players=company(players),
            does=told(does[0], "+.2f"),
            does_2=told(does[1], "+.1%"),
            does_not=told(does_not[0], "+.2f"),
            does_not_2=told(does_not[1], "+.1%"),
        )
    )
    return told_of


def company(players: int) -> str:
    return "Alone" if players == 1 else f"With {players} players"


def hand_name(ready: int, exhausted: int) -> str:
    return say("study.recover.hand_name", ready=ready, exhausted=exhausted)


def worth_of(one: Columns, here: Array) -> tuple[Estimate, Estimate, Estimate]:
    return (
        mean_of(one["choice_coins"][here]),
        mean_of(one["choice_wins"][here]),
        mean_of(one["valued_wins"][here]),
    )


def often_cells(one: Columns, hand: tuple[int, int], number: int) -> Array:
    return (one["turn_ready"] == hand[0]) & (one["turn_exhausted"] == hand[1]) & (one["turn_round"] == number)


def often_picture(players: int, one: Columns) -> Picture:
    rounds = range(2, ROUNDS[players] + 1)
    cells = [
        [
            float(one["turn_recovers"][here].mean())
            if (here := often_cells(one, hand, number)).sum() >= FEW
            else float("nan")
            for number in rounds
        ]
        for hand in CHOICES
    ]
    return grid(
        f"recover-often-{players}",
        say("study.recover.picture.often_picture.alt", players=company(players)),
        say("study.recover.picture.often_picture.caption", players=company(players)),
        Grid([hand_name(*hand) for hand in CHOICES], [*map(str, rounds)], np.array(cells) * 100, ".0f"),
        Look("round"),
    )


def often_table(found: Mapping[int, Columns]) -> Table:
    rows: list[tuple[int, int, int, int, int, Estimate]] = []
    for players, one in found.items():
        for hand in HANDS:
            for number in range(1, ROUNDS[players] + 1):
                here = often_cells(one, hand, number)
                if here.sum() >= FEW:
                    share = mean_by_deal(one["turn_recovers"][here].astype(float), one["turn_deal"][here])
                    rows.append((players, *hand, number, int(here.sum()), share))
    return Table(
        "often",
        say("study.recover.table.often"),
        (
            Column("players", "Players"),
            Column("ready", "Ready"),
            Column("exhausted", "Exhausted"),
            Column("round", "Round"),
            Column("turns", "Turns"),
            Column("recovers", "Recovers", ".1%"),
        ),
        tuple(rows),
        is_long=True,
    )


CASES = tuple((does, hand) for does in (1, 0) for hand in CHOICES)
"""Whether the player recovers, and with which dice."""


def case_worth(
    one: Columns, does: int, hand: tuple[int, int]
) -> tuple[int, tuple[Estimate, Estimate, Estimate]]:
    here = (
        (one["choice_recovers"] == does)
        & (one["choice_ready"] == hand[0])
        & (one["choice_exhausted"] == hand[1])
    )
    return int(here.sum()), worth_of(one, here)


def case_name(does: int, hand: tuple[int, int]) -> str:
    return f"{'recovers' if does else 'claims'}: {hand_name(*hand)}"


def worth_picture(found: Mapping[int, Columns]) -> Picture:
    nothing = Estimate(float("nan"), float("nan"), float("nan"), 0)

    def shown(one: Columns) -> list[Estimate]:
        several = [case_worth(one, does, hand) for does, hand in CASES]
        return [worth[0] if count >= FEW else nothing for count, worth in several]

    return dots(
        "recover-worth",
        say("study.recover.picture.worth.alt"),
        say("study.recover.picture.worth.caption"),
        [case_name(does, hand) for does, hand in CASES],
        [
            Series("alone" if players == 1 else f"{players} players", PLAYERS_ROLES[players], shown(one))
            for players, one in found.items()
        ],
        Look("coins", zero=0),
    )


def worth_table(found: Mapping[int, Columns]) -> Table:
    rows: list[tuple[int, str, int, int, int, Estimate, Estimate, Estimate]] = []
    for players, one in found.items():
        for does, hand in CASES:
            count, worth = case_worth(one, does, hand)
            if count >= FEW:
                rows.append((players, "recovers" if does else "claims", *hand, count, *worth))
    return Table(
        "worth",
        say("study.recover.table.worth"),
        (
            Column("players", "Players"),
            Column("player_does", "Player"),
            Column("ready", "Ready"),
            Column("exhausted", "Exhausted"),
            Column("pairs", "Pairs"),
            Column("coins", "Coins", "+.2f"),
            Column("wins", "Of a win", "+.1%"),
            Column("valued", "Learned value: of a win", "+.1%"),
        ),
        tuple(rows),
    )


QUESTION = Question(
    title="When to recover?",
    asked=say("study.recover.asked"),
    deals={2: 6000, 3: 2500, 4: 1200},
    ask=ask,
    answer=answer,
    company=(1, 4),
)
