"""How a round may go on from any moment, in machine code: many tries, the same luck for all that is compared.

What everybody claims is looked up in a book of answers. A claim turn that is not in it ends the work until
somebody has thought about it; so thinking may take as long as it likes, and is done once for all tries. In
the windows of Collectors everybody does at once what promises most.
"""

from typing import Annotated, Any, Protocol

import numba

from royalcrypt.rules.chance import RANGE, draw_chance, keyed_word, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, State
from royalcrypt.rules.phases import REVEAL
from royalcrypt.rules.turns import apply, is_claiming
from royalcrypt.search.backend import Floats, Tables, record_dtype
from royalcrypt.search.candidates import PROBES, WELL_MIXED, assume_knowledge, digest_of, reply
from royalcrypt.search.compilation import name_type
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT
from royalcrypt.search.rollouts import evaluate_for_viewer, win_share
from royalcrypt.search.simulation import deal_hidden
from royalcrypt.search.workspace import DEALT, KNOWN, PLAYED, ROOT, Candidate, Candidates, Workspace

WAYS = 4
"""Actions that somebody may take at a claim turn."""
PAGES = 1 << 14
MOODS = 1 << 26
"""Addresses of what people happen to like."""


class Answer(Protocol):
    """A claim turn as whoever has it knows it, and what they may do."""

    look: Annotated[int, "i8"]
    """Its digest; 0 where nothing is written."""
    ways: Annotated[Candidates, Candidate, (WAYS,)]
    """The most promising first."""
    chances: Annotated[Floats, "f4", (WAYS,)]
    """That it is this one or one before it."""


class Answers(Protocol):
    def __getitem__(self, index: int, /) -> Answer: ...


ANSWER = record_dtype(Answer)
numba_type: Any = numba.from_dtype
name_type(Answer, numba_type(ANSWER))
name_type(Answers, numba_type(ANSWER)[::1])


def page_of(answers: Answers, look: int) -> int:
    """Where a claim turn is written down, or is to be."""
    first = look >> WELL_MIXED
    for probe in range(PROBES):
        at = (first + probe) % PAGES
        if answers[at].look == look or answers[at].look == 0:
            return at
    return first % PAGES


def go_on(  # noqa: PLR0913, PLR0917 (compiled code is handed all its memory)
    work: Workspace,
    answers: Answers,
    tried: Candidates,
    count: int,
    first: int,
    tries: int,
    viewer: int,
    seats_from: int,
    seats_to: int,
    starts: Tables,
    ends: Tables,
    weights: Floats,
    high: int,
    low: int,
) -> int:
    """After each of the ``tried`` actions play the round out from ``board[ROOT]``, so many times.

    An action without steps is none: whoever is to decide does. For each try and action, a row of ``ends``
    gets win and score of the seats; before a Reveal, ``starts`` gets what they were for each try. Returns
    the number of the first try that was not made: ``board[KNOWN]`` is then a claim turn to be thought about.
    """
    board = work.board
    under_way = work.under_way
    this_round = board[ROOT].round_number
    for trial in range(first, tries):
        own_high, own_low = numbered_key(high, low, trial)
        board[DEALT] = board[ROOT]
        deal_hidden(board[DEALT], own_high, own_low)
        if board[ROOT].phase == REVEAL:
            board[PLAYED] = board[DEALT]
            appraise(work, seats_from, seats_to, starts[trial], weights)
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
                            at = page_of(answers, look)
                            if answers[at].look != look:
                                return trial
                            mood = 0 if actor == viewer else mood_of(board[KNOWN], own_high, own_low)
                            under_way[0] = answers[at].ways[way_taken(answers[at], mood)]
                        else:
                            reply(work, weights)
                    action = int(under_way[0].codes[step])
                    step += 1
                apply(board[PLAYED], actor, action)
            appraise(work, seats_from, seats_to, ends[trial * count + index], weights)
    return tries


def mood_of(known: State, high: int, low: int) -> int:
    """Of whoever has this turn: a word that says which of their ways they take."""
    return keyed_word(high, low, MOODS + (known.turn * 8 + known.actor << 8))


def way_taken(answer: Answer, mood: int) -> int:
    """Others do not always take what promises most."""
    way = 0
    while way < WAYS - 1 and mood >= answer.chances[way] * RANGE:
        way += 1
    return way


def appraise(work: Workspace, seats_from: int, seats_to: int, found: Floats, weights: Floats) -> None:
    """Win and score of each of these seats in ``board[PLAYED]``, by what it knows then."""
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
