"""The claim form: what a client needs to prepare a claim without rules of the game."""

from fractions import Fraction

import msgspec

from royalcrypt.rules.claims import UNCLAIMABLE, is_last_turn, least_total, turns_in_round
from royalcrypt.rules.ghost import ghost_dice
from royalcrypt.rules.layout import FACES, State
from royalcrypt.rules.phases import CLAIM
from royalcrypt.rules.reveal import row_length, seat_at

Share = tuple[int, int]
"""A fraction as numerator and denominator."""


# Instances are never part of reference cycles, so the garbage collector need not track them.
class ClaimForm(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The data that a client needs to prepare a claim with additions and comparisons only."""

    ready: int
    least: tuple[int | None, ...]
    """The least total effort that claims each slot; None where a claim is not allowed."""
    one_card_only: bool
    exhaustion: tuple[Share, ...]
    """The chance that one die is exhausted, for efforts 1 to 6 (R6.3)."""
    rivals: tuple[tuple[int, int], ...]
    """Opponents with a turn to come in this round, and the number of dice they have for it now."""

    def risk(self, effort: int) -> Fraction:
        """The chance that a die of this effort is exhausted."""
        return Fraction(*self.exhaustion[effort - 1])


EXHAUSTION = tuple(Fraction(effort - 1, FACES).as_integer_ratio() for effort in range(1, FACES + 1))


def form_of(known: State, seat: int | None) -> ClaimForm | None:
    """The claim form; None unless the seat decides on a claim."""
    if seat is None or seat != known.actor or known.phase != CLAIM:
        return None
    later = range(known.turn + 1, turns_in_round(known))
    turns = {seat_at(known, turn): turn for turn in later}
    least = [least_total(known, seat, position) for position in range(row_length(known))]
    rivals = [
        # Dice that the Ghost set aside stay ready, but are not rolled again (R10.5).
        (other, ghost_dice(known, turn) if known.is_solo else known.players[other].ready)
        for other, turn in turns.items()
        if other != seat
    ]
    return ClaimForm(
        ready=known.players[seat].ready,
        least=tuple([None if total == UNCLAIMABLE else total for total in least]),
        one_card_only=is_last_turn(known),
        exhaustion=EXHAUSTION,
        rivals=tuple(rivals),
    )
