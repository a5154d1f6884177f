"""Whose decision a view asks for, and the move that a small decision begins."""

from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal, seat_number
from royalcrypt.play.rulings import legal_codes
from royalcrypt.play.views import View
from royalcrypt.rules.layout import copy_of
from royalcrypt.rules.turns import apply, is_under_way


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
