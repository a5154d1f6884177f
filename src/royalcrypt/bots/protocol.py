"""What a bot is: it gets a view and a budget, and answers with a move. It never sees a state."""

from dataclasses import dataclass
from math import inf
from typing import Protocol

from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal, seat_number
from royalcrypt.play.rulings import legal_codes
from royalcrypt.play.views import View
from royalcrypt.rules.layout import copy_of
from royalcrypt.rules.turns import apply, is_under_way


@dataclass(frozen=True, slots=True)
class Budget:
    """How much thought one move may take.

    ``simulations`` decide how hard a bot thinks; ``seconds`` only cut it off. All its randomness derives from
    ``seed`` and the view, so that equal views under equal budgets get equal moves.
    """

    simulations: int = 1000
    seconds: float = inf
    seed: int = 0


class Bot(Protocol):
    @property
    def name(self) -> str: ...

    def choose(self, view: View, budget: Budget) -> Move:
        """One whole action for the seat whose view this is, when it is that seat's decision.

        After a peek, a mend or a take the same seat may have to choose again, then with a new view.
        """
        ...


def deciding_seat(view: View) -> int:
    """The seat whose view it is; refused unless it is that seat's decision."""
    if view.seat is None or view.seat != view.actor:
        raise Refusal(Reason.NOT_YOUR_TURN, seat=seat_number(view.seat), actor=seat_number(view.actor))
    return view.seat


def spelled(view: View, seat: int, code: int) -> Move:
    """The action that this small decision begins, paid with the lowest cards: flipped ones score as well."""
    known = copy_of(view.known)
    codes = [code]
    apply(known, seat, code)
    while is_under_way(known, seat):
        codes.append(legal_codes(known, seat)[0])
        apply(known, seat, codes[-1])
    return Move.from_codes(codes)
