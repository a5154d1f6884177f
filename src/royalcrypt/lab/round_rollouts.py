"""Compiled rollouts of a round from any position; all compared actions have the same dice and cards.

The policy of claim turns is a table. At a claim turn without an entry, the kernel stops until the
entry is added, so a costly policy is computed only once for all rollouts. In the
windows of Collectors every player takes the action with the highest value.
"""

from typing import Annotated, Any, Protocol

import numba

from royalcrypt.rules.chance import RANGE, draw_chance, keyed_word, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, State
from royalcrypt.rules.phases import REVEAL
from royalcrypt.rules.turns import apply, is_claiming
from royalcrypt.search.backend import Floats, Tables, record_dtype
from royalcrypt.search.candidates import FIRST_MIXED_BIT, PROBES, assume_knowledge, digest_of, reply
from royalcrypt.search.compilation import name_type
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT
from royalcrypt.search.rollouts import evaluate_for_viewer, win_share
from royalcrypt.search.simulation import deal_hidden
from royalcrypt.search.workspace import DEALT, KNOWN, PLAYED, ROOT, Candidate, Candidates, Workspace

CHOICES = 4
"""The number of actions in a policy entry."""
ENTRIES = 1 << 14
"""The capacity of the policy table."""
CHOICE_ADDRESS = 1 << 26
"""The address of the random numbers that select an action of an entry."""


class PolicyEntry(Protocol):
    """A claim turn as known to its player, with the actions that the player may take."""

    look: Annotated[int, "i8"]
    """The digest of the position; 0 marks an empty entry."""
    actions: Annotated[Candidates, Candidate, (CHOICES,)]
    """The actions, best first."""
    chances: Annotated[Floats, "f4", (CHOICES,)]
    """The cumulative probabilities of the actions."""


class Policy(Protocol):
    def __getitem__(self, index: int, /) -> PolicyEntry: ...


POLICY_ENTRY = record_dtype(PolicyEntry)
numba_type: Any = numba.from_dtype
name_type(PolicyEntry, numba_type(POLICY_ENTRY))
name_type(Policy, numba_type(POLICY_ENTRY)[::1])


def index_of(policy: Policy, look: int) -> int:
    """The index of the policy entry for a claim turn, or of a free entry for it."""
    first = look >> FIRST_MIXED_BIT
    for probe in range(PROBES):
        at = (first + probe) % ENTRIES
        if policy[at].look == look or policy[at].look == 0:
            return at
    return first % ENTRIES


def roll_out_round(  # noqa: PLR0913, PLR0917 (compiled code is passed all its memory)
    work: Workspace,
    policy: Policy,
    tried: Candidates,
    count: int,
    first: int,
    rollouts: int,
    viewer: int,
    seats_from: int,
    seats_to: int,
    starts: Tables,
    ends: Tables,
    weights: Floats,
    high: int,
    low: int,
) -> int:
    """Play out the round ``rollouts`` times after each of the ``tried`` actions in ``board[ROOT]``.

    An action without steps is replaced by the policy's. Writes win and score of the seats after each rollout
    and action to ``ends`` and, before a Reveal, the initial values of each rollout to ``starts``. Returns the
    index of the first unfinished rollout, for which ``board[KNOWN]`` is a claim turn without a policy entry.
    """
    board = work.board
    under_way = work.under_way
    this_round = board[ROOT].round_number
    for trial in range(first, rollouts):
        own_high, own_low = numbered_key(high, low, trial)
        board[DEALT] = board[ROOT]
        deal_hidden(board[DEALT], own_high, own_low)
        if board[ROOT].phase == REVEAL:
            board[PLAYED] = board[DEALT]
            write_values(work, seats_from, seats_to, starts[trial], weights)
        for index in range(count):
            board[PLAYED] = board[DEALT]
            under_way[0] = tried[index]
            step = 0
            while board[PLAYED].actor != NOBODY and board[PLAYED].round_number == this_round:
                actor = board[PLAYED].actor
                if actor == CHANCE:
                    action = draw_chance(board[PLAYED], own_high, own_low)
                else:
                    if step == under_way[0].steps:
                        step = 0
                        assume_knowledge(board, viewer)
                        if is_claiming(board[KNOWN]):
                            look = digest_of(board[KNOWN])
                            at = index_of(policy, look)
                            if policy[at].look != look:
                                return trial
                            word = 0 if actor == viewer else random_word(board[KNOWN], own_high, own_low)
                            under_way[0] = policy[at].actions[chosen_index(policy[at], word)]
                        else:
                            reply(work, weights)
                    action = int(under_way[0].codes[step])
                    step += 1
                apply(board[PLAYED], actor, action)
            write_values(work, seats_from, seats_to, ends[trial * count + index], weights)
    return rollouts


def random_word(known: State, high: int, low: int) -> int:
    """A random word for the actor's choice of an action in this turn."""
    return keyed_word(high, low, CHOICE_ADDRESS + (known.turn * 8 + known.actor << 8))


def chosen_index(entry: PolicyEntry, word: int) -> int:
    index = 0
    while index < CHOICES - 1 and word >= entry.chances[index] * RANGE:
        index += 1
    return index


def write_values(work: Workspace, seats_from: int, seats_to: int, found: Floats, weights: Floats) -> None:
    """Write the win and score of each of these seats in ``board[PLAYED]``, by the seat's knowledge."""
    state = work.board[PLAYED]
    for seat in range(seats_from, seats_to):
        at = 2 * (seat - seats_from)
        if state.actor == NOBODY:
            found[at] = win_share(state, seat)
            found[at + 1] = state.players[seat].score
        else:
            evaluate_for_viewer(work, PLAYED, seat, weights)
            found[at] = work.layer[WIN_AT]
            found[at + 1] = work.layer[SCORE_AT] * SCORE_SCALE
