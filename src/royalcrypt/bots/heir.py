"""Judges what every action would lead to by a learned value, and takes the best; it looks no further."""

from royalcrypt.bots.deciding import deciding_seat
from royalcrypt.bots.protocol import Budget
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.choosing import Chooser


class HeirBot:
    name = "heir"
    needs_compiler = True
    entries = (list_candidates,)

    def choose(self, view: View, budget: Budget) -> Move:  # noqa: ARG002 (it takes no chances)
        deciding_seat(view)
        return Move.from_codes(Chooser().candidates(view.known, 1)[0].codes)
