"""The memory that compiled searches work on: one record, handed from function to function.

Each thread needs a workspace of its own.
"""

from typing import Annotated, Protocol, cast

import numpy as np

from royalcrypt.rules.layout import TYPES, Ints, Options, State
from royalcrypt.search.backend import Board, Floats, RecordArray, record_dtype
from royalcrypt.search.features import END
from royalcrypt.search.network import LAYER

LONGEST = 6
"""Small decisions of one action; a claim has at most four."""
BEAM = 8
"""Unfinished claims that the beam search for candidates keeps."""
CACHED_REPLIES = 4096
"""Replies in the cache."""
FOUND = 8
"""Candidates of a decision for which a workspace has room."""
BLANK, PLAYED, KNOWN, TRIED = range(4)
"""States of the board: an empty one, a game, what the actor knows of it, and that after an action."""
BEGUN = TRIED + 1
"""The states of unfinished claims: ``BEAM`` of this step, then ``BEAM`` of the next."""
ROOT, DEALT, GAME = range(BEGUN + 2 * BEAM, BEGUN + 2 * BEAM + 3)
"""The position that is searched, the same with hidden cards dealt, and the game or line that goes on."""
BOARD = GAME + 1
"""Number of states on the board."""
LOWEST_VALUE = -1e9


class Candidate(Protocol):
    """A whole action, what the value network expects after it, and the sums of its rollouts."""

    codes: Annotated[Ints, "i2", (LONGEST,)]
    steps: Annotated[int, "i2"]
    win: Annotated[float, "f4"]
    score: Annotated[float, "f4"]
    """As a fraction of ``SCORE_SCALE``."""
    value: Annotated[float, "f4"]
    tries: Annotated[int, "i4"]
    wins: Annotated[float, "f8"]
    scores: Annotated[float, "f8"]


class Reply(Protocol):
    """A cached decision: the best whole action of the actor, by what the actor knows."""

    digest: Annotated[int, "i8"]
    """Digest of what the actor knows; 0 marks an empty entry."""
    action: Annotated[RecordArray[Candidate], Candidate, (1,)]


Candidates = RecordArray[Candidate]
Replies = RecordArray[Reply]


class Workspace(Protocol):
    unfinished: Annotated[Candidates, Candidate, (2 * BEAM,)]
    """Unfinished claims, in the order of their states on the board."""
    found: Annotated[Candidates, Candidate, (FOUND,)]
    """Candidates of a decision in a game that is played in compiled code."""
    under_way: Annotated[Candidates, Candidate, (1,)]
    """The action that is being carried out."""
    replies: Annotated[Replies, Reply, (CACHED_REPLIES,)]
    board: Annotated[Board, State, (BOARD,)]
    options: Annotated[Options, Options]
    sides: Annotated[Ints, "i2", (TYPES,)]
    numbers: Annotated[Floats, "f4", (END,)]
    """The current encoded position."""
    before: Annotated[Floats, "f4", (END,)]
    """The encoded position that ``layer`` was computed from."""
    best: Annotated[Floats, "f4", (END,)]
    """The encoded position after the best action so far."""
    layer: Annotated[Floats, "f4", (LAYER,)]
    """The network's hidden layer and results."""


CANDIDATE = record_dtype(Candidate)
WORKSPACE = record_dtype(Workspace)


def new_workspace() -> Workspace:
    return cast("Workspace", np.zeros(1, WORKSPACE)[0])
