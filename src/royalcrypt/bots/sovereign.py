"""Plays on with many candidates, gives up the worse half of them time after time, and takes the last."""

from royalcrypt.bots.deciding import deciding_seat
from royalcrypt.bots.protocol import Budget
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.search.ahead import goes_on
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.choosing import Care, Chooser
from royalcrypt.search.rollouts import compare

CANDIDATES = 16
HALVINGS = 3
AHEAD = 48
"""Tries of each candidate for the claims that may follow; fewer if few are allowed in all."""
PART = 20
CLAIMS = 2
"""So far with two players; with more there are too many ways on."""


class SovereignBot:
    name = "sovereign"
    needs_compiler = True
    entries = (list_candidates, compare, goes_on)

    def choose(self, view: View, budget: Budget) -> Move:
        deciding_seat(view)
        claims = CLAIMS if view.players == 2 else 1
        tries, ahead = budget.simulations, min(AHEAD, max(1, budget.simulations // PART))
        care = Care(CANDIDATES, tries, HALVINGS, ahead, claims, budget.seconds, budget.seed)
        return Move.from_codes(Chooser().compared(view.known, care)[0].codes)
