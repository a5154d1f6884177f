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


class SovereignBot:
    name = "sovereign"
    needs_compiler = True
    entries = (list_candidates, compare, goes_on, foresee)

    def choose(self, view: View, budget: Budget) -> Move:
        deciding_seat(view)
        if is_duel(view.known):
            codes = Duelist().best(view.known, CLAIMS_GONE_THROUGH, budget.seconds, budget.seed)[1]
            return Move.from_codes(codes)
        tries, ahead = budget.simulations, min(AHEAD, max(1, budget.simulations // PART))
        care = Care(CANDIDATES, tries, HALVINGS, ahead, seconds=budget.seconds, seed=budget.seed)
        return Move.from_codes(Chooser().compared(view.known, care)[0].codes)
