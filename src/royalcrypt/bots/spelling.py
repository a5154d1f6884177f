"""Small decisions into whole actions, on a bot's own copy of what it knows."""

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.views import View
from royalcrypt.rules.claims import has_begun_claim
from royalcrypt.rules.layout import State
from royalcrypt.rules.phases import NO_ERRAND


def deciding_seat(view: View) -> int:
    """The seat whose view it is; refused unless it is that seat's decision."""
    if view.seat is None or view.seat != view.actor:
        raise Refusal(Reason.NOT_YOUR_TURN, seat=str(view.seat), actor=str(view.actor))
    return view.seat


def is_under_way(state: State, seat: int) -> bool:
    """Whether the seat's action needs further small decisions: flips it owes, or a claim not yet ended."""
    return state.actor == seat and (state.errand != NO_ERRAND or has_begun_claim(state))
