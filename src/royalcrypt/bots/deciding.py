"""Whose decision a view asks for."""

from royalcrypt.notation.reasons import Reason, Refusal, seat_number
from royalcrypt.play.views import View


def deciding_seat(view: View) -> int:
    """The seat whose view it is; refused unless it is that seat's decision."""
    if view.seat is None or view.seat != view.actor:
        raise Refusal(Reason.NOT_YOUR_TURN, seat=seat_number(view.seat), actor=seat_number(view.actor))
    return view.seat
