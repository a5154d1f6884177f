"""Evaluation of a position for a seat, and its best moves with values and reasons.

>>> from royalcrypt import Game
>>> from royalcrypt.bots.advice import advise, evaluate
>>> view = Game.new(players=2, seed=7).view(seat=0)
>>> round(sum(evaluate(view).wins), 9)
1.0
>>> [advice.behind for advice in advise(view, count=1)]
[0.0]

The module needs NumPy and Numba. Equal views give equal results; hidden cards do not affect them.
"""

from collections import Counter
from dataclasses import dataclass, replace

from royalcrypt.bots.facts import Fact, facts_about
from royalcrypt.bots.protocol import deciding_seat
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.rules.actions import DONE, placed_slot
from royalcrypt.rules.layout import SPECTATOR
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.compilation import is_compiled
from royalcrypt.search.endgame import Prospect
from royalcrypt.search.forecasts import ActionCodes, Forecaster, is_last_turn_of_game
from royalcrypt.search.network import Evaluator, predict
from royalcrypt.search.rollouts import RolloutSearch
from royalcrypt.search.simulation import applied

MOST_CANDIDATES = 64
"""The number of candidates that the value network lists."""
FULLY_EVALUATED = 16
"""The number of best candidates that are evaluated in full."""
MOST_ON_SAME_CARDS = 2
"""The highest number of evaluated candidates that claim the same cards."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A move, the prospect after it, and facts for or against it."""

    move: Move
    prospect: Prospect
    behind: float
    """The loss compared with the best move: a share of the win, or solo in coins."""
    facts: tuple[Fact, ...]


def must_compile() -> bool:
    """Whether the first advice will wait for compilation."""
    return not all(is_compiled(entry) for entry in (predict, list_candidates))


def evaluate(view: View) -> Prospect:
    """The expected results in the position of a view, which may be a spectator's, at any turn."""
    if view.seat is not None and view.seat == view.actor:
        return evaluate_and_advise(view, 0)[0]
    return Forecaster(Evaluator(), SPECTATOR if view.seat is None else view.seat).of(view.known)


def advise(view: View, count: int = 3) -> list[Advice]:
    """The best moves of the deciding seat, best first; for each set of claimed cards only the best claim.

    Returns fewer than ``count`` moves only if no more were found.
    """
    return evaluate_and_advise(view, count)[1]


def evaluate_and_advise(view: View, count: int) -> tuple[Prospect, list[Advice]]:
    """Both ``evaluate`` and ``advise`` for the seat that decides, in one computation.

    The prospect is that of the best move. It is exact only if no other move can be better.
    """
    seat = deciding_seat(view)
    valued = _valued_actions(view, seat)
    apart = set(_first_of_each([action for action, _ in valued], 1))
    valued = [one for one in valued if one[0] in apart]
    best = valued[0][1]
    found: list[Advice] = []
    for action, prospect in valued[:count]:
        move = Move.from_codes(list(action))
        behind = best.value(seat) - prospect.value(seat)
        found.append(Advice(move, prospect, behind, facts_about(view, seat, move)))
    knows_all = view.phase != "claim" or is_last_turn_of_game(view.known)
    return replace(best, is_exact=best.is_exact and knows_all), found


def _valued_actions(view: View, seat: int) -> list[tuple[ActionCodes, Prospect]]:
    """All useful whole actions of a seat with their prospects, best first."""
    known, evaluator = view.known, Evaluator()
    forecaster = Forecaster(evaluator, seat)
    if is_last_turn_of_game(known):
        found = list(forecaster.last_actions(known))
    else:
        listed = [tuple(one.codes) for one in RolloutSearch().candidates(known, MOST_CANDIDATES)]
        promising = _first_of_each(listed, MOST_ON_SAME_CARDS)[:FULLY_EVALUATED]
        found = [(action, forecaster.of(applied(known, seat, *action))) for action in promising]
    return sorted(found, key=lambda one: one[1].rank(seat), reverse=True)


def _first_of_each(found: list[ActionCodes], most: int) -> list[ActionCodes]:
    """The actions, with at most ``most`` claims of the same cards and of each other kind of action."""
    seen: Counter[ActionCodes] = Counter()
    kept: list[ActionCodes] = []
    for action in found:
        what = tuple(placed_slot(code) if code < DONE else code for code in action if code != DONE)
        seen[what] += 1
        if seen[what] <= most:
            kept.append(action)
    return kept
