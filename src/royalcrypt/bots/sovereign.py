"""Plays on with many candidates and gives up the worse; two players' rounds it goes through."""

from royalcrypt.bots.deciding import deciding_seat
from royalcrypt.bots.protocol import Budget
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.search.ahead import goes_on
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.choosing import Care, Chooser
from royalcrypt.search.duel import foresee
from royalcrypt.search.dueling import Duelist, is_duel
from royalcrypt.search.rollouts import compare

CANDIDATES = 16
CLAIMS_GONE_THROUGH = 120
"""First claims of a round of two."""
HALVINGS = 3
AHEAD = 48
"""Tries of each candidate for the claims that may follow; fewer if few are allowed in all."""
PART = 20
CANDIDATES_ALONE, TRIES_ALONE = 24, 6
"""Against the Ghost, whose answers need no thought; tries for each simulation that is allowed."""


class SovereignBot:
    name = "sovereign"
    needs_compiler = True
    entries = (list_candidates, compare, goes_on, foresee)

    def choose(self, view: View, budget: Budget) -> Move:
        deciding_seat(view)
        if is_duel(view.known):
            codes = Duelist().best(view.known, CLAIMS_GONE_THROUGH, budget.seconds, budget.seed)[1]
            return Move.from_codes(codes)
        return Move.from_codes(Chooser().compared(view.known, self._care(view, budget))[0].codes)

    def _care(self, view: View, budget: Budget) -> Care:
        tries, seconds, seed = budget.simulations, budget.seconds, budget.seed
        if view.known.is_solo:
            return Care(CANDIDATES_ALONE, TRIES_ALONE * tries, HALVINGS, seconds=seconds, seed=seed)
        ahead = min(AHEAD, max(1, tries // PART))
        return Care(CANDIDATES, tries, HALVINGS, ahead, seconds=seconds, seed=seed)
