"""The whole actions that the value network rates highest, found by a beam search over small decisions.

The network's values of unfinished claims are inexact. So a beam of unfinished claims is extended, and
claims are rated again once complete. A cache stores the best action of each decision, because most rollouts
have the same decisions. Claims of other seats are computed from the searching seat's knowledge, so they do
not depend on hidden cards.
"""

from royalcrypt.rules.layout import TYPES, State
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.turns import apply, is_claiming, is_under_way, legal_actions
from royalcrypt.rules.views import conceal
from royalcrypt.search.backend import Board, Floats
from royalcrypt.search.features import encode
from royalcrypt.search.network import SCORE_AT, WIN_AT, begin, evaluate_next, worth_of
from royalcrypt.search.workspace import (
    BEAM,
    BEGUN,
    CACHED_REPLIES,
    GAME,
    KNOWN,
    LONGEST_ACTION,
    PLAYED,
    ROOT,
    TRIED,
    Candidate,
    Candidates,
    Replies,
    Workspace,
)


def index_for(candidates: Candidates, first: int, count: int, most: int, value: float) -> int:
    """The index at which to store a candidate: a free one, else that of the worst if worse, else ``most``."""
    if count < most:
        return count
    worst = 0
    for index in range(1, most):
        if candidates[first + index].value < candidates[first + worst].value:
            worst = index
    return worst if candidates[first + worst].value < value else most


def list_candidates(work: Workspace, found: Candidates, most: int, weights: Floats) -> int:
    """Write up to ``most`` whole actions of the actor in ``board[KNOWN]``, unordered; return their number."""
    board = work.board
    unfinished = work.unfinished
    layer = work.layer
    seat = board[KNOWN].actor
    now = 0
    board[BEGUN] = board[KNOWN]
    unfinished[0].steps = 0
    begin(work.before, weights, layer)
    count_unfinished = 1
    count = 0
    for step in range(LONGEST_ACTION):
        following = BEAM - now
        carried = 0
        for index in range(count_unfinished):
            origin = now + index
            for choice in range(legal_actions(board[BEGUN + origin], work.options)):
                action = work.options.codes[choice]
                board[TRIED] = board[BEGUN + origin]
                apply(board[TRIED], seat, action)
                encode(board[TRIED], seat, work.numbers)
                evaluate_next(work.numbers, work.before, weights, layer)
                value = worth_of(layer[WIN_AT], layer[SCORE_AT], board[KNOWN].is_solo)
                if is_under_way(board[TRIED], seat):
                    place = index_for(unfinished, following, carried, BEAM, value)
                    if place < BEAM:
                        board[BEGUN + following + place] = board[TRIED]
                        unfinished[following + place] = unfinished[origin]
                        write_candidate(unfinished[following + place], step, action, value, layer)
                        carried = max(carried, place + 1)
                else:
                    place = index_for(found, 0, count, most, value)
                    if place < most:
                        found[place] = unfinished[origin]
                        write_candidate(found[place], step, action, value, layer)
                        count = max(count, place + 1)
        now = following
        count_unfinished = carried
    return count


def write_candidate(candidate: Candidate, step: int, action: int, value: float, layer: Floats) -> None:
    candidate.codes[step] = action
    candidate.steps = step + 1
    candidate.value = value
    candidate.win = layer[WIN_AT]
    candidate.score = layer[SCORE_AT]
    candidate.tries = 0
    candidate.wins = 0.0
    candidate.scores = 0.0


PROBES = 8
"""The number of entries that are probed for a decision; if all are occupied, the first one is replaced."""
WORD = 0xFFFFFFFFFF
FIRST_MIXED_BIT = 25
"""The index of the first bit of a digest that depends on all its inputs; higher bits do so too."""


def digest_of(known: State) -> int:
    """A digest of all data that may differ between decisions of one round, as far as the actor knows it."""
    digest = ((known.phase * 8 + known.errand) * 8 + known.actor) * 8 + known.turn
    digest = (digest * 8 + known.last_slot + 1) * 8 + known.flips_owed
    for position in range(row_length(known)):
        slot = known.slots[position]
        here = (((slot.holder + 1) * 4 + slot.dice) * 8 + slot.effort) * 4 + slot.failed
        digest = (digest * 1000003 + here * 64 + slot.card + 1) & WORD
    for seat in range(known.seats):
        player = known.players[seat]
        here = (player.ready * 4 + player.exhausted) * 2 + player.has_peeked
        for card_type in range(TYPES):
            here = here * 16 + player.unflipped[card_type]
        digest = (digest * 1000003 + here) & WORD
    for card in range(known.drawn):
        digest = (digest * 1000003 + known.card_value[card] * 16 + known.card_place[card]) & WORD
    return digest + 1


def assume_knowledge(board: Board, seat: int) -> None:
    """Write to ``board[KNOWN]`` what ``seat`` can assume that the actor of ``board[PLAYED]`` knows."""
    board[KNOWN] = board[PLAYED]
    conceal(board[KNOWN], board[PLAYED].actor)
    if is_claiming(board[PLAYED]):
        conceal(board[KNOWN], seat)


def place_of(replies: Replies, digest: int) -> int:
    """The index of the cache entry of a decision, or of the entry to be used for it."""
    first = digest >> FIRST_MIXED_BIT
    for probe in range(PROBES):
        at = (first + probe) % CACHED_REPLIES
        if replies[at].digest == digest or replies[at].digest == 0:
            return at
    return first % CACHED_REPLIES


def store_reply(replies: Replies, digest: int, chosen: Candidates) -> None:
    """Cache the first candidate of ``chosen``."""
    at = place_of(replies, digest)
    replies[at].digest = digest
    replies[at].action[0] = chosen[0]


def reply(work: Workspace, weights: Floats) -> None:
    """Write the actor's action in ``board[KNOWN]`` to ``work.under_way``, using the cache if possible."""
    digest = digest_of(work.board[KNOWN])
    at = place_of(work.replies, digest)
    if work.replies[at].digest == digest:
        work.under_way[0] = work.replies[at].action[0]
    else:
        list_candidates(work, work.under_way, 1, weights)
        store_reply(work.replies, digest, work.under_way)


def play_and_cache(work: Workspace, chosen: Candidates) -> bool:
    """Apply and cache an action in ``board[GAME]``; return whether another claim follows in the round.

    If so, ``board[ROOT]`` and ``board[KNOWN]`` contain the knowledge of that claim's actor.
    """
    board = work.board
    actor = board[GAME].actor
    board[KNOWN] = board[GAME]
    conceal(board[KNOWN], actor)
    store_reply(work.replies, digest_of(board[KNOWN]), chosen)
    for step in range(chosen[0].steps):
        apply(board[GAME], actor, int(chosen[0].codes[step]))
    if not is_claiming(board[GAME]):
        return False
    board[KNOWN] = board[GAME]
    conceal(board[KNOWN], board[GAME].actor)
    board[ROOT] = board[KNOWN]
    return True
