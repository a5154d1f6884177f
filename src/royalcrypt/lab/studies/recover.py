"""The study of recovery: when a turn to recover is worth more than a claim."""

from collections.abc import Iterator

import numpy as np

from royalcrypt.lab.studies.estimates import UNKNOWN, Array, Estimate, mean_by_deal, mean_of
from royalcrypt.lab.studies.figures import DotPlot, Heatmap
from royalcrypt.lab.studies.game_records import Intervention
from royalcrypt.lab.studies.games import DealBatch, PlayedGames, play
from royalcrypt.lab.studies.questions import Columns, Observations, Question, Rows, SectionSpec, TableSpec
from royalcrypt.lab.studies.results import ResultColumn
from royalcrypt.locales import say
from royalcrypt.rules.chance import game_key, keyed_choice
from royalcrypt.rules.layout import GHOST, NONE

CHOICE_ADDRESS = 1 << 27
"""The chance address for the selection of a turn."""
HANDS = ((0, 3), (0, 2), (0, 1), (1, 2), (1, 1), (2, 1))
"""Pairs of ready and exhausted dice at the start of a turn, with at least one exhausted."""
CHOICES = ((1, 2), (2, 1))
"""Pairs with which a claim is possible too, apart from a rare second turn of a Leader with unplaced dice."""
MIN_COUNT = 20
"""The number of observations that an estimate needs."""


def observe(batch: DealBatch) -> Columns:
    """Play each deal once, and once more with the other choice in one suitable turn."""
    scripts = batch.scripts()
    base = play(scripts, batch.seed, has_turns=True)
    other = scripts.copy()
    other["intervention"] = Intervention.OTHER_CHOICE
    other["occurrence"] = [
        keyed_choice(*game_key(batch.seed, number), CHOICE_ADDRESS, int(choices)) if choices else NONE
        for number, choices in zip(batch.deals, base.results["choices"], strict=True)
    ]
    return _turns(batch, base) | _choices(base, play(other, batch.seed))


def _turns(batch: DealBatch, base: PlayedGames) -> Columns:
    """One row for each turn with exhausted dice; a claim is represented by its first placement."""
    turns = base.turns
    if batch.players == 1:
        turns = turns[turns["seat"] != GHOST]
    is_first = np.ones(len(turns), bool)
    names = ("game", "round_number", "turn")
    is_first[1:] = np.any([turns[name][1:] != turns[name][:-1] for name in names], axis=0)
    turns = turns[is_first & (turns["exhausted"] > 0)]
    return {
        "turn_deal": batch.deals.start + turns["game"].astype(np.int64),
        "turn_round": turns["round_number"],
        "turn_ready": turns["ready"],
        "turn_exhausted": turns["exhausted"],
        "turn_recovers": (turns["effort"] == 0).astype(np.int16),
    }


def _choices(base: PlayedGames, other: PlayedGames) -> Columns:
    """The difference between recovering and claiming: one row for each deal with such a choice."""
    here = np.flatnonzero(other.results["is_changed"])
    results = other.results[here]
    coins, wins = base[here].losses(other[here], results["seat"])
    sign = np.where(results["would_recover"] == 1, 1, -1)
    return {
        "choice_ready": results["ready"],
        "choice_exhausted": results["exhausted"],
        "choice_recovers": results["would_recover"],
        "choice_coins": coins * sign,
        "choice_wins": wins * sign,
        "choice_value": (results["win_before"] - results["win_after"]).astype(np.float64),
    }


def hand_name(ready: int, exhausted: int) -> str:
    return say("study.recover.hand_name", ready=ready, exhausted=exhausted)


def share_of_turns(found: Columns, here: Array) -> Estimate:
    return mean_by_deal(found["turn_recovers"][here], found["turn_deal"][here])


def worth(found: Columns, here: Array) -> tuple[Estimate, Estimate, Estimate]:
    """Estimates in coins, in wins, and in wins predicted by the value network."""
    coins, wins, value = (mean_of(found[f"choice_{name}"][here]) for name in ("coins", "wins", "value"))
    return coins, wins, value


def often_rows(found: Columns) -> Rows:
    for hand in HANDS:
        is_hand = (found["turn_ready"] == hand[0]) & (found["turn_exhausted"] == hand[1])
        for number in range(2, int(found["turn_round"].max()) + 1):
            here = is_hand & (found["turn_round"] == number)
            turns = int(here.sum())
            share = share_of_turns(found, here) if turns >= MIN_COUNT else UNKNOWN
            label = hand_name(*hand) if hand in CHOICES else ""
            yield *hand, number, turns, share, label, 100 * share.value


def worth_rows(found: Columns) -> Rows:
    for recovers, does in ((1, "recovers"), (0, "claims")):
        for ready, exhausted in CHOICES:
            here = (
                (found["choice_recovers"] == recovers)
                & (found["choice_ready"] == ready)
                & (found["choice_exhausted"] == exhausted)
            )
            pairs = int(here.sum())
            estimates = worth(found, here) if pairs >= MIN_COUNT else (UNKNOWN,) * 3
            label = f"{does}: {hand_name(ready, exhausted)}"
            yield does, ready, exhausted, pairs, *estimates, label


def finding(found: Observations) -> Iterator[str]:
    columns = found.columns
    ready, exhausted = columns["turn_ready"], columns["turn_exhausted"]
    yield found.text(
        "findings.1",
        often=share_of_turns(columns, ready > 0),
        with_one=share_of_turns(columns, (ready == 2) & (exhausted == 1)),
        with_two=share_of_turns(columns, (ready == 1) & (exhausted == 2)),
    )
    does, does_not = (worth(columns, columns["choice_recovers"] == recovers) for recovers in (1, 0))
    yield found.text("findings.2", does=does, does_not=does_not)


QUESTION = Question(
    name="recover",
    deals={2: 6000, 3: 2500, 4: 1200},
    observe=observe,
    sections=(
        SectionSpec(
            "how_often_strong_players_recover",
            TableSpec(
                "often",
                often_rows,
                ResultColumn("ready", "Ready"),
                ResultColumn("exhausted", "Exhausted"),
                ResultColumn("round", "Round"),
                ResultColumn("turns", "Turns"),
                ResultColumn("recovers", "Recovers", ".1%"),
                ResultColumn("hand"),
                ResultColumn("percent"),
                is_long=True,
                drops_unknown=True,
            ),
            Heatmap("often", "hand", "percent", across="round", form=".0f", xlabel="round"),
        ),
        SectionSpec(
            "what_recovering_is_worth_against_claiming",
            TableSpec(
                "worth",
                worth_rows,
                ResultColumn("player_does", "Player"),
                ResultColumn("ready", "Ready"),
                ResultColumn("exhausted", "Exhausted"),
                ResultColumn("pairs", "Pairs"),
                ResultColumn("coins", "Coins", "+.2f"),
                ResultColumn("wins", "Of a win", "+.1%"),
                ResultColumn("valued", "Learned value: of a win", "+.1%"),
                ResultColumn("case"),
                drops_unknown=True,
            ),
            DotPlot("worth", "case", "coins", xlabel="coins", zero=0),
        ),
    ),
    findings=(finding,),
    games=lambda found: found.deals + len(found.columns["choice_coins"]),
    company=(1, 4),
)
