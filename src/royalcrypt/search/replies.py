"""What players do who go by the value network, remembered: most tries come to decisions that were met before.

A claim of others is thought of as if they knew no more than whoever thinks of it: it is then the same
whatever the hidden cards are.
"""

from typing import Annotated, Protocol

from royalcrypt.rules.layout import TYPES, Options, State
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.turns import is_claiming
from royalcrypt.rules.views import conceal
from royalcrypt.search.candidates import Candidate, Candidates, list_candidates
from royalcrypt.search.carrier import Board, record_dtype
from royalcrypt.search.floats import Floats
from royalcrypt.search.valuing import KNOWN, PLAYED

REMEMBERED = 4096
PROBES = 8
"""Places in which a decision may be remembered; if all are taken, the first one's is forgotten."""
WORD = 0xFFFFFFFFFF
WELL_MIXED = 25
"""Bits of a digest from here on hang on all that it was made of."""


class Reply(Protocol):
    """A decision as whoever makes it knows it, and the whole action that promises them most."""

    look: Annotated[int, "i8"]
    """Its digest; 0 where nothing is remembered."""
    action: Annotated[Candidates, Candidate, (1,)]


class Replies(Protocol):
    def __getitem__(self, index: int, /) -> Reply: ...


REPLY = record_dtype(Reply)


def digest(known: State) -> int:
    """Of all that may differ between two decisions in one round, as far as the actor knows."""
    look = ((known.phase * 8 + known.errand) * 8 + known.actor) * 8 + known.turn
    look = (look * 8 + known.last_slot + 1) * 8 + known.flips_owed
    for position in range(row_length(known)):
        slot = known.slots[position]
        here = (((slot.holder + 1) * 4 + slot.dice) * 8 + slot.effort) * 4 + slot.failed
        look = (look * 1000003 + here * 64 + slot.card + 1) & WORD
    for seat in range(known.seats):
        player = known.players[seat]
        here = (player.ready * 4 + player.exhausted) * 2 + player.has_peeked
        for card_type in range(TYPES):
            here = here * 16 + player.unflipped[card_type]
        look = (look * 1000003 + here) & WORD
    for card in range(known.drawn):
        look = (look * 1000003 + known.card_value[card] * 16 + known.card_place[card]) & WORD
    return look + 1


def common_knowledge(board: Board, seat: int) -> None:
    """Make ``board[KNOWN]`` what the actor of ``board[PLAYED]`` goes by, as ``seat`` thinks of them."""
    board[KNOWN] = board[PLAYED]
    conceal(board[KNOWN], board[PLAYED].actor)
    if is_claiming(board[PLAYED]):
        conceal(board[KNOWN], seat)


def place_of(replies: Replies, look: int) -> int:
    """Where a decision is remembered, or is to be."""
    first = look >> WELL_MIXED
    for probe in range(PROBES):
        at = (first + probe) % REMEMBERED
        if replies[at].look == look or replies[at].look == 0:
            return at
    return first % REMEMBERED


def remember(replies: Replies, look: int, chosen: Candidates) -> None:
    """The first of ``chosen`` is what is done."""
    at = place_of(replies, look)
    replies[at].look = look
    replies[at].action[0] = chosen[0]


def reply(
    board: Board,
    options: Options,
    replies: Replies,
    begun: Candidates,
    found: Candidates,
    numbers: Floats,
    before: Floats,
    weights: Floats,
    layer: Floats,
) -> None:
    """Make what is done in ``board[KNOWN]`` the first of ``found``: if it is new, what promises most."""
    look = digest(board[KNOWN])
    at = place_of(replies, look)
    if replies[at].look == look:
        found[0] = replies[at].action[0]
    else:
        list_candidates(board, options, begun, found, 1, numbers, before, weights, layer)
        remember(replies, look, found)
