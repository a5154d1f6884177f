"""What players do who go by the value network, remembered: most tries come to decisions that were met before.

Before the dice are rolled, everybody's next decision hangs on what they see, and that is mostly the same
whatever the hidden cards are.
"""

from math import exp
from typing import Annotated, Protocol

from royalcrypt.rules.fast_chance import RANGE, keyed_word
from royalcrypt.rules.layout import TYPES, Options, State
from royalcrypt.rules.reveal import row_length
from royalcrypt.search.candidates import Candidate, Candidates, list_candidates
from royalcrypt.search.carrier import Board, record_dtype
from royalcrypt.search.floats import Floats
from royalcrypt.search.valuing import KNOWN

MOST_REPLIES = 6
REMEMBERED = 512
PROBES = 8
"""Places in which a decision may be remembered; if all are taken, the first one's is forgotten."""
WORD = 0xFFFFFFFFFF
MOODS = 1 << 29
"""Addresses of what players feel like."""


class Reply(Protocol):
    """A decision as whoever makes it knows it, and the whole actions that promise them most."""

    look: Annotated[int, "i8"]
    """Its digest; 0 where nothing is remembered."""
    count: Annotated[int, "i8"]
    best: Annotated[int, "i8"]
    actions: Annotated[Candidates, Candidate, (MOST_REPLIES,)]


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


def remembered(
    board: Board,
    options: Options,
    replies: Replies,
    begun: Candidates,
    listed: Candidates,
    numbers: Floats,
    before: Floats,
    weights: Floats,
    layer: Floats,
) -> int:
    """Where the decision in ``board[KNOWN]`` is remembered; if it is new, its actions are judged first."""
    look = digest(board[KNOWN])
    place = look % REMEMBERED
    for probe in range(PROBES):
        at = (look + probe) % REMEMBERED
        if replies[at].look == look:
            return at
        if replies[at].look == 0:
            place = at
            break
    reply = replies[place]
    reply.look = look
    reply.count = list_candidates(
        board, options, begun, listed, MOST_REPLIES, numbers, before, weights, layer
    )
    reply.best = 0
    for index in range(reply.count):
        reply.actions[index] = listed[index]
        if listed[index].promise > listed[reply.best].promise:
            reply.best = index
    return place


def chosen_reply(reply: Reply, mood: float, decisions: int, high: int, low: int) -> int:
    """The action that promises most or, the more of a mood there is, one that promises nearly as much."""
    if mood == 0.0 or reply.count == 1:
        return reply.best
    most = reply.actions[reply.best].promise
    total = 0.0
    for index in range(reply.count):
        total += exp((reply.actions[index].promise - most) / mood)
    left = total * (keyed_word(high, low, MOODS + (decisions << 8)) / RANGE)
    for index in range(reply.count):
        left -= exp((reply.actions[index].promise - most) / mood)
        if left < 0.0:
            return index
    return reply.best
