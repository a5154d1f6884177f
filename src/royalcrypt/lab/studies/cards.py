"""The value of each card to its owner: by removing it in the same deal, and by regression."""

from collections.abc import Iterator

import numpy as np

from royalcrypt.lab.studies.estimates import (
    UNKNOWN,
    Array,
    Estimate,
    against_others,
    least_squares,
    mean_by_deal,
)
from royalcrypt.lab.studies.figures import DotPlot, Heatmap
from royalcrypt.lab.studies.game_records import Intervention
from royalcrypt.lab.studies.games import COINS, SIDE_NAMES, TITLES, DealBatch, play
from royalcrypt.lab.studies.questions import Columns, Observations, Question, Rows, SectionSpec, TableSpec
from royalcrypt.lab.studies.results import ResultColumn
from royalcrypt.rules.cards import Side
from royalcrypt.rules.chance import game_key, keyed_choice
from royalcrypt.rules.layout import TYPES, VALUES

REMOVALS = 3
"""The number of games per deal in which one card each is removed."""
REMOVAL_ADDRESS = 1 << 27
"""The chance address for the choice of the removed cards."""
NTH = ("first", "second", "third", "fourth +")
MIN_COUNT = 5
"""The number of deals that an estimate needs to be shown."""


def observe(batch: DealBatch) -> Columns:
    """Play each deal once, and again without one of the taken cards (columns ``removed_…``)."""
    scripts = batch.scripts()
    games = play(scripts, batch.seed)
    removed = np.repeat(scripts, REMOVALS)
    removed["intervention"] = Intervention.CARD_REMOVED
    removed["occurrence"] = [
        index
        for number, takings in zip(batch.deals, games.results["takings"], strict=True)
        for index in cards_to_remove(batch.seed, number, int(takings))
    ]
    changed = play(removed, batch.seed)
    without = changed.results
    coins, wins = games[np.repeat(np.arange(len(scripts)), REMOVALS)].losses(changed, without["seat"])
    kinds = without["card_kind"].astype(np.int64)
    return {
        "deal": scripts["number"],
        "sides": scripts["sides"],
        "scores": games.scores,
        "cards": games.by_seat("cards"),
        "removed_deal": removed["number"],
        "removed_kind": kinds,
        "removed_sided": kinds // VALUES * 2 + removed["sides"][np.arange(len(removed)), kinds // VALUES],
        "removed_held": without["held"].astype(np.int64),
        "removed_coins": coins,
        "removed_wins": wins,
        "removed_value": (without["score_before"] - without["score_after"]).astype(np.float64),
    }


def cards_to_remove(seed: int, number: int, takings: int) -> list[int]:
    """The indices of randomly chosen cards of a game, all different."""
    left = list(range(takings))
    key = game_key(seed, number)
    return [
        left.pop(keyed_choice(*key, REMOVAL_ADDRESS + (removal << 8), len(left))) if left else 0
        for removal in range(REMOVALS)
    ]


def _worth(found: Columns, here: Array, fitted: Estimate) -> tuple[Estimate, ...]:
    """Three estimates: the win by finished games, the win by the value network, and the regression."""
    deals = found["removed_deal"][here]
    measured = [mean_by_deal(found[f"removed_{name}"][here], deals) for name in ("coins", "wins", "value")]
    return (*measured, fitted)


def _fitted(found: Columns, counts: Array) -> list[Estimate]:
    """Regression coefficients of the lead over the others on counts, by deal, seat and column."""
    deals, players, width = counts.shape
    leads = against_others(found["scores"]).ravel()
    return least_squares(
        against_others(counts).reshape(deals * players, width), leads, np.repeat(found["deal"], players)
    )


def kind_rows(found: Columns) -> Rows:
    """Table rows for each kind of card, I1 … T4."""
    for kind, fitted in enumerate(_fitted(found, found["cards"])):
        here = found["removed_kind"] == kind
        name, coins = TITLES[kind // VALUES], str(kind % VALUES + 1)
        worth = _worth(found, here, fitted)
        yield f"{name} {coins}", *worth, worth[0].count, name, coins, worth[2].value


def side_rows(found: Columns) -> Rows:
    """Table rows by Collector side of the card's type; printed coins are separate in the regression."""
    counts = found["cards"].reshape(*found["scores"].shape, TYPES, VALUES).sum(axis=3)
    columns = [counts * (found["sides"][:, None, :] == side) for side in Side]
    by_side = np.stack(columns, axis=-1).reshape(*found["scores"].shape, 2 * TYPES)
    coins = (found["cards"] @ COINS)[:, :, None]
    fitted = _fitted(found, np.concatenate([by_side, coins], axis=2))
    for index, sided in enumerate(SIDE_NAMES):
        yield sided, *_worth(found, found["removed_sided"] == index, fitted[index])


def nth_rows(found: Columns) -> Rows:
    """Table rows by side and by number of cards of the type, beyond the printed coins."""
    nth = np.minimum(found["removed_held"] + 1, len(NTH))
    printed = COINS[found["removed_kind"]]
    for index, sided in enumerate(SIDE_NAMES):
        for number, name in enumerate(NTH, start=1):
            here = (found["removed_sided"] == index) & (nth == number)
            coins, value = (
                mean_by_deal((found[column] - printed)[here], found["removed_deal"][here])
                for column in ("removed_coins", "removed_value")
            )
            shown = (coins, value) if coins.count >= MIN_COUNT else (UNKNOWN, UNKNOWN)
            yield sided, number, *shown, name, value.value


def kind_finding(found: Observations) -> Iterator[str]:
    met = [row for row in found.rows["kinds"] if row["valued"].count]
    order = sorted(met, key=lambda row: -row["valued"].value)
    yield found.text("findings.1", best=order[0], worst=order[-1])


def side_finding(found: Observations) -> Iterator[str]:
    rows = found.rows["sides"]
    gaps = [b["valued"] - a["valued"] for a, b in zip(rows[::2], rows[1::2], strict=True)]
    widest = max(range(TYPES), key=lambda index: abs(np.nan_to_num(gaps[index].value)))
    yield found.text("findings.2", type=TITLES[widest], gap=gaps[widest])


WORTH_COLUMNS = (
    ResultColumn("coins", "Finished games", "+.2f"),
    ResultColumn("wins", "Of a win", "+.1%"),
    ResultColumn("valued", "Learned value", "+.2f"),
    ResultColumn("regression", "Regression", "+.2f"),
)
QUESTION = Question(
    name="cards",
    deals={2: 3000, 3: 1200, 4: 600},
    observe=observe,
    sections=(
        SectionSpec(
            "by_type_and_coins",
            TableSpec(
                "kinds",
                kind_rows,
                ResultColumn("card", "Card"),
                *WORTH_COLUMNS,
                ResultColumn("lots", "Cards"),
                ResultColumn("type"),
                ResultColumn("printed"),
                ResultColumn("value"),
                is_long=True,
            ),
            Heatmap("kinds", "type", "value", across="printed", form=".1f", xlabel="coins on the card"),
        ),
        SectionSpec(
            "by_the_collector_s_side",
            TableSpec("sides", side_rows, ResultColumn("collector", "Collector"), *WORTH_COLUMNS),
            DotPlot("sides", "collector", "coins", xlabel="coins"),
        ),
        SectionSpec(
            "the_first_the_second_the_third",
            TableSpec(
                "nth",
                nth_rows,
                ResultColumn("collector", "Collector"),
                ResultColumn("number", "Card number"),
                ResultColumn("coins", "Finished games", "+.2f"),
                ResultColumn("valued", "Learned value", "+.2f"),
                ResultColumn("nth"),
                ResultColumn("value"),
                is_long=True,
                drops_unknown=True,
            ),
            Heatmap("held", "collector", "value", across="nth", form="+.1f", xlabel="card of its type"),
        ),
    ),
    findings=(kind_finding, side_finding),
    games=lambda found: (1 + REMOVALS) * found.deals,
    details={"removals": REMOVALS},
)
