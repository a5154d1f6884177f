"""A cache of the actions of players who follow the value network: most rollouts meet the same decisions.

Claims of other seats are computed from what the searching seat knows, so they do not depend on hidden cards.
"""

from royalcrypt.rules.layout import TYPES, State
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.turns import apply, is_claiming
from royalcrypt.rules.views import conceal
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.carrier import Board, Floats
from royalcrypt.search.workspace import GAME, KNOWN, PLAYED, REMEMBERED, ROOT, Candidates, Replies, Workspace

PROBES = 8
"""Entries in which a decision may be cached; if all are taken, the first one is replaced."""
WORD = 0xFFFFFFFFFF
WELL_MIXED = 25
"""Bits of a digest from this one on depend on everything in it."""


def digest(known: State) -> int:
    """A digest of all that may differ between two decisions in one round, as far as the actor knows."""
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
    """Write to ``board[KNOWN]`` what ``seat`` assumes the actor of ``board[PLAYED]`` knows."""
    board[KNOWN] = board[PLAYED]
    conceal(board[KNOWN], board[PLAYED].actor)
    if is_claiming(board[PLAYED]):
        conceal(board[KNOWN], seat)


def place_of(replies: Replies, look: int) -> int:
    """The index of the entry in which a decision is cached, or is to be."""
    first = look >> WELL_MIXED
    for probe in range(PROBES):
        at = (first + probe) % REMEMBERED
        if replies[at].look == look or replies[at].look == 0:
            return at
    return first % REMEMBERED


def remember(replies: Replies, look: int, chosen: Candidates) -> None:
    """Cache the first of ``chosen``."""
    at = place_of(replies, look)
    replies[at].look = look
    replies[at].action[0] = chosen[0]


def reply(work: Workspace, weights: Floats) -> None:
    """Write the actor's action in ``board[KNOWN]`` to ``work.under_way``, from the cache if it is there."""
    look = digest(work.board[KNOWN])
    at = place_of(work.replies, look)
    if work.replies[at].look == look:
        work.under_way[0] = work.replies[at].action[0]
    else:
        list_candidates(work, work.under_way, 1, weights)
        remember(work.replies, look, work.under_way)


def goes_on(work: Workspace, chosen: Candidates) -> bool:
    """Carry out and cache an action in ``board[GAME]``; return whether another claim follows in the round.

    If so, ``board[ROOT]`` and ``board[KNOWN]`` are what its actor knows.
    """
    board = work.board
    actor = board[GAME].actor
    board[KNOWN] = board[GAME]
    conceal(board[KNOWN], actor)
    remember(work.replies, digest(board[KNOWN]), chosen)
    for step in range(chosen[0].steps):
        apply(board[GAME], actor, int(chosen[0].codes[step]))
    if not is_claiming(board[GAME]):
        return False
    board[KNOWN] = board[GAME]
    conceal(board[KNOWN], board[GAME].actor)
    board[ROOT] = board[KNOWN]
    return True
