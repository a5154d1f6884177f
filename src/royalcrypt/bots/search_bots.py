"""The bots that need compiled code: ``seer`` searches a tree, the others use the value network."""

from math import inf

from royalcrypt.bots.protocol import Budget, deciding_seat
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.search.candidates import list_candidates, play_and_cache
from royalcrypt.search.duel import RoundSearch, is_duel, search_round
from royalcrypt.search.endgame import is_in_last_round
from royalcrypt.search.rollouts import RolloutPlan, RolloutSearch, compare
from royalcrypt.search.tree import SearchLimits, best_action, run_search

REGENT_CANDIDATES, REGENT_TRIES = 10, 300
"""The number of candidates of ``regent``, and of rollouts for all of them together."""
LAST_CLAIMS = 5
"""The number of first claims of the last two-player round that ``regent`` searches to the end."""
REPLIES = (0, inf, inf, 24, 24)
"""The highest number of replies that one decision may add to the cache, by number of players."""

CANDIDATES, HALVINGS = 16, 3
CLAIMS_SEARCHED = 120
"""The number of first claims of a two-player round that ``sovereign`` searches to the end."""
LOOKAHEAD = 48
"""The rollouts of each candidate in the lookahead; fewer if the budget is small."""
LOOKAHEAD_DIVISOR = 20
CANDIDATES_ALONE, TRIES_ALONE = 24, 6
"""In solo games, where the Ghost's replies are cheap: candidates, and rollouts per simulation."""


class SeerBot:
    """Plays out many games with sampled hidden cards, and takes the most visited action."""

    name = "seer"
    needs_compiler = True
    entries = (run_search,)

    def choose(self, view: View, budget: Budget) -> Move:
        seat = deciding_seat(view)
        limits = SearchLimits(max(1, budget.simulations), budget.seconds, budget.seed)
        return Move.from_codes(best_action(view.known, seat, limits))


class HeirBot:
    """Takes the action after which the value network rates the position highest, without search."""

    name = "heir"
    needs_compiler = True
    entries = (list_candidates,)

    def choose(self, view: View, budget: Budget) -> Move:  # noqa: ARG002 (it is deterministic)
        deciding_seat(view)
        return Move.from_codes(RolloutSearch().candidates(view.known, 1)[0].codes)


class RegentBot:
    """Compares the best candidates of ``heir`` by rollouts; searches the last two-player round to its end."""

    name = "regent"
    needs_compiler = True
    entries = (list_candidates, compare, search_round)

    def choose(self, view: View, budget: Budget) -> Move:
        deciding_seat(view)
        if is_duel(view.known) and is_in_last_round(view.known):
            return Move.from_codes(
                RoundSearch().best(view.known, LAST_CLAIMS, budget.seconds, budget.seed)[1]
            )
        care = RolloutPlan(
            REGENT_CANDIDATES,
            min(REGENT_TRIES, budget.simulations),
            halvings=1,
            replies=REPLIES[view.players],
            seconds=budget.seconds,
            seed=budget.seed,
        )
        return Move.from_codes(RolloutSearch().compared(view.known, care)[0].codes)


class SovereignBot:
    """Compares many candidates by lookahead, halving their number thrice; searches two-player rounds."""

    name = "sovereign"
    needs_compiler = True
    entries = (list_candidates, compare, play_and_cache, search_round)

    def choose(self, view: View, budget: Budget) -> Move:
        deciding_seat(view)
        if is_duel(view.known):
            codes = RoundSearch().best(view.known, CLAIMS_SEARCHED, budget.seconds, budget.seed)[1]
            return Move.from_codes(codes)
        return Move.from_codes(RolloutSearch().compared(view.known, self._plan_for(view, budget))[0].codes)

    def _plan_for(self, view: View, budget: Budget) -> RolloutPlan:
        tries, seconds, seed = budget.simulations, budget.seconds, budget.seed
        if view.known.is_solo:
            return RolloutPlan(CANDIDATES_ALONE, TRIES_ALONE * tries, HALVINGS, seconds=seconds, seed=seed)
        lookahead = min(LOOKAHEAD, max(1, tries // LOOKAHEAD_DIVISOR))
        return RolloutPlan(CANDIDATES, tries, HALVINGS, lookahead, seconds=seconds, seed=seed)
