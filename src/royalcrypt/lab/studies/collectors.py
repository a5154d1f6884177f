"""The value of each side of each Collector.

Three methods are used: the same deal without the reward, side B and side A in the same deal, and regression.
"""

from collections.abc import Iterator

import numpy as np

from royalcrypt.lab.studies.estimates import (
    Array,
    Estimate,
    against_others,
    least_squares,
    mean_by_deal,
    mean_of,
)
from royalcrypt.lab.studies.figures import DotPlot
from royalcrypt.lab.studies.game_records import Intervention
from royalcrypt.lab.studies.games import COINS, SIDE_NAMES, TITLES, DealBatch, lead_of, play
from royalcrypt.lab.studies.questions import Columns, Observations, Question, Rows, SectionSpec, TableSpec
from royalcrypt.lab.studies.results import ResultColumn
from royalcrypt.rules.cards import Side, Type
from royalcrypt.rules.catalogue import COLLECTORS
from royalcrypt.rules.layout import NONE, TYPES, VALUES
from royalcrypt.rules.phases import NO_ERRAND

USED_IN_PLAY = {
    card_type: side for card_type in Type for side in Side if COLLECTORS[card_type][side].reward != NO_ERRAND
}
"""Collector sides with rewards that pay no coins at the end."""
IN_PLAY = np.array([USED_IN_PLAY.get(card_type, -1) for card_type in Type])
DENIALS = 2
"""The number of games per deal in which a seat is denied a reward."""
Parts = tuple[Estimate, Estimate, Estimate, Estimate]


def observe(batch: DealBatch) -> Columns:
    """Play each deal with one Collector on either side, and again with a reward denied to some seats.

    Columns ``denied_…`` have a row for each deal and denial; the type is NONE if no reward can be denied.
    """
    players, numbers = batch.players, np.array(batch.deals)
    scripts = batch.scripts(repeats=2)
    for side in Side:
        scripts["sides"][2 * np.arange(len(numbers)) + side, numbers % TYPES] = side
    sides = scripts["sides"].reshape(-1, 2, TYPES)
    games = play(scripts, batch.seed)
    origins, denied_types = rewards_to_deny(sides, numbers)
    denied = scripts[origins]
    denied["intervention"] = Intervention.REWARD_DENIED
    denied["card_type"] = denied_types
    seats = denied["seat"] = denied["number"] // TYPES % players
    coins, wins = games[origins].losses(play(denied, batch.seed), seats)
    uses = games.by_seat("uses")
    used = uses[origins, seats, denied_types] > 0

    def padded(values: Array) -> Array:
        return np.concatenate([values, np.full(DENIALS * len(numbers) - len(values), NONE, values.dtype)])

    return {
        "deal": scripts["number"][::2],
        "sides": sides,
        "scores": games.scores.reshape(-1, 2, players),
        "wins": games.wins.reshape(-1, 2, players),
        "bonuses": games.by_seat("bonuses").reshape(-1, 2, players, TYPES),
        "uses": uses.reshape(-1, 2, players, TYPES),
        "cards": games.by_seat("cards").reshape(-1, 2, players, TYPES * VALUES),
        "denied_deal": padded(denied["number"]),
        "denied_type": padded(denied["card_type"]),
        "denied_coins": padded(coins),
        "denied_wins": padded(wins),
        "denied_used": padded(used.astype(np.int64)),
    }


def rewards_to_deny(sides: Array, numbers: Array) -> tuple[list[int], list[int]]:
    """The game (of two per deal) and type of each denial, cycling through the rewards used in play."""
    origins: list[int] = []
    types: list[int] = []
    deals: list[int] = numbers.tolist()
    for row, number in enumerate(deals):
        available: list[tuple[int, int]] = [
            (2 * row + int(np.argmax(sides[row, :, card_type] == side)), int(card_type))
            for card_type, side in USED_IN_PLAY.items()
            if (sides[row, :, card_type] == side).any()
        ]
        for turn in range(min(DENIALS, len(available))):
            origin, card_type = available[(number // TYPES + turn) % len(available)]
            origins.append(origin)
            types.append(card_type)
    return origins, types


def is_completed(found: Columns) -> Array:
    """Whether the Collector gave a seat any coins or rewards, by deal, side, seat and type."""
    return (found["bonuses"] > 0) | (found["uses"] > 0)


def worth_rows(found: Columns) -> Rows:
    """Table rows by side: the share of seats that complete it, the losses without it, and the regression."""
    fitted = regression(found)
    completed = is_completed(found)
    for card_type in Type:
        for side in Side:
            here = found["sides"][:, :, card_type] == side
            deals = np.broadcast_to(found["deal"][:, None, None], completed.shape[:3])[here]
            is_in_play = IN_PLAY[card_type] == side
            parts = _used_in_play(found, card_type) if is_in_play else _paid_at_end(found, card_type, here)
            index = 2 * card_type + side
            share = mean_by_deal(completed[here][:, :, card_type].ravel(), deals.ravel())
            yield SIDE_NAMES[index], share, *parts, fitted[index]


def _paid_at_end(found: Columns, card_type: int, here: Array) -> Parts:
    """The loss without coins paid at the end, which did not affect any decision."""
    scores, wins = found["scores"][here], found["wins"][here]
    coins = found["bonuses"][here][:, :, card_type]
    deals = np.broadcast_to(found["deal"][:, None], here.shape)[here]
    seats = scores.shape[1]
    lost = np.zeros(scores.shape)
    for seat in range(seats):
        rivals = np.delete(scores, seat, axis=1).max(axis=1)
        left = scores[:, seat] - coins[:, seat]
        keeps = np.where(left > rivals, 1.0, np.where(left == rivals, 0.5, 0.0))
        lost[:, seat] = wins[:, seat] * (1 - np.where(coins[:, seat] > 0, keeps, 1.0))
    return _parts(coins, lost, np.repeat(deals, seats).reshape(coins.shape), coins > 0)


def _used_in_play(found: Columns, card_type: int) -> Parts:
    """The loss of a seat in a replayed deal in which it is denied the reward."""
    here = found["denied_type"] == card_type
    coins, wins, deals, used = (found[f"denied_{name}"][here] for name in ("coins", "wins", "deal", "used"))
    return _parts(coins, wins, deals, used > 0)


def _parts(coins: Array, wins: Array, deals: Array, completed: Array) -> Parts:
    """Mean coins and wins of all seats, and of those that completed the Collector."""
    return (
        mean_by_deal(coins.ravel(), deals.ravel()),
        mean_by_deal(wins.ravel(), deals.ravel()),
        mean_by_deal(coins[completed], deals[completed]),
        mean_by_deal(wins[completed], deals[completed]),
    )


def regression(found: Columns) -> list[Estimate]:
    """Regression of the lead on completed Collectors, among seats with equal coins on cards."""
    completed, players = is_completed(found), found["scores"].shape[2]
    sides = found["sides"][:, :, None, :]
    columns = np.stack([completed & (sides == side) for side in Side], axis=-1)
    coins = (found["cards"] @ COINS).reshape(-1, players, 1)
    table = np.concatenate([columns.reshape(-1, players, 2 * TYPES), coins], axis=2)
    leads = against_others(found["scores"].reshape(-1, players))
    deals = np.repeat(found["deal"], 2 * players)
    return least_squares(against_others(table).reshape(-1, 2 * TYPES + 1), leads.ravel(), deals)


def side_rows(found: Columns) -> Rows:
    """Table rows with side B minus side A of a Collector in the same deals: scores, leads and cards."""
    taken = found["cards"].sum(axis=2).reshape(-1, 2, TYPES, VALUES).sum(axis=3)
    scores, players = found["scores"], found["scores"].shape[2]
    leads = lead_of(scores.reshape(-1, players)).reshape(-1, 2)
    for card_type in Type:
        here = found["deal"] % TYPES == card_type
        several = scores[here].mean(axis=2), leads[here], taken[here][:, :, card_type]
        effects = [mean_of(values[:, Side.B] - values[:, Side.A]) for values in several]
        yield TITLES[card_type], *effects


def worth_finding(found: Observations) -> Iterator[str]:
    rows = sorted(found.rows["worth"], key=lambda row: -row["coins"].value)
    yield found.text("findings.1", best=rows[0], worst=rows[-1])


def side_finding(found: Observations) -> Iterator[str]:
    row = max(found.rows["sides"], key=lambda row: abs(row["score"].value))
    more = "more" if row["score"].value > 0 else "fewer"
    yield found.text("findings.2", collector=row["collector"], score=abs(row["score"]), more=more)


QUESTION = Question(
    name="collectors",
    deals={2: 3600, 3: 1500, 4: 750},
    observe=observe,
    sections=(
        SectionSpec(
            "if_the_reward_were_withheld",
            TableSpec(
                "worth",
                worth_rows,
                ResultColumn("collector", "Collector"),
                ResultColumn("completed", "Completed", ".0%"),
                ResultColumn("coins", "Coins a game", "+.2f"),
                ResultColumn("wins", "Of a win", "+.1%"),
                ResultColumn("coins_completed", "Coins, completed", "+.2f"),
                ResultColumn("wins_completed", "Of a win, completed", "+.1%"),
                ResultColumn("regression", "Regression: coins", "+.2f"),
            ),
            DotPlot("coins", "collector", "coins", order="coins", xlabel="coins a game", zero=0),
            DotPlot(
                "wins", "collector", "wins_completed", order="coins", xlabel="of a win", is_share=True, zero=0
            ),
        ),
        SectionSpec(
            "side_a_or_side_b",
            TableSpec(
                "sides",
                side_rows,
                ResultColumn("collector", "Collector"),
                ResultColumn("score", "Mean score", "+.2f"),
                ResultColumn("lead", "Winner's lead", "+.2f"),
                ResultColumn("cards", "Cards of the type taken", "+.2f"),
            ),
            DotPlot("switch", "collector", "score", xlabel="coins", zero=0),
        ),
    ),
    findings=(worth_finding, side_finding),
    games=lambda found: 2 * found.deals + int((found.columns["denied_type"] != NONE).sum()),
)
