"""The Bot protocol: a bot receives a view and a budget and returns a move. It has no hidden information."""

from dataclasses import dataclass
from math import inf
from typing import Protocol

from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal, seat_number
from royalcrypt.play.views import View
from royalcrypt.search.simulation import completed


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits for one move.

    ``simulations`` sets the amount of computation; ``seconds`` is a time limit. All randomness comes from
    ``seed`` and the view, so equal views under equal budgets get equal moves.
    """

    simulations: int = 1000
    seconds: float = inf
    seed: int = 0


class Bot(Protocol):
    @property
    def name(self) -> str: ...

    def choose(self, view: View, budget: Budget) -> Move:
        """Choose one whole action for the view's seat, which must be the seat that decides.

        After a peek, a mend or a take the same seat may have to choose again, then with a new view.
        """
        ...


def deciding_seat(view: View) -> int:
    """The seat that owns the view; raises ``Refusal`` unless that seat decides now."""
    if view.seat is None or view.seat != view.actor:
        raise Refusal(Reason.NOT_YOUR_TURN, seat=seat_number(view.seat), actor=seat_number(view.actor))
    return view.seat


def whole_move(view: View, seat: int, code: int) -> Move:
    """The move that a small decision begins, paid with the lowest cards: flipped cards still score."""
    return Move.from_codes(completed(view.known, seat, code)[0])
