"""The working memory of compiled searches: one record that functions pass to each other.

Each thread needs a separate workspace.
"""

from typing import Annotated, Protocol, cast

import numpy as np

from royalcrypt.rules.layout import TYPES, Ints, Options, State
from royalcrypt.search.backend import Board, Floats, RecordArray, record_dtype
from royalcrypt.search.features import END
from royalcrypt.search.network import LAYER

LONGEST_ACTION = 6
"""The most small decisions of one action; a claim has at most four."""
BEAM = 8
"""The number of unfinished claims that the beam search for candidates keeps."""
CACHED_REPLIES = 4096
"""The number of cached replies."""
FOUND_CAPACITY = 8
"""The capacity of a workspace for candidates of a decision."""
BLANK, PLAYED, KNOWN, TRIED = range(4)
"""Indices of the board's states: an empty one, a game, the actor's view of it, the view after an action."""
BEGUN = TRIED + 1
"""The index of the first unfinished claim: ``BEAM`` of this step, followed by ``BEAM`` of the next."""
ROOT, DEALT, GAME = range(BEGUN + 2 * BEAM, BEGUN + 2 * BEAM + 3)
"""Indices of the searched position, the same with sampled hidden cards, and the game that is continued."""
BOARD = GAME + 1
"""The number of states on the board."""
LOWEST_VALUE = -1e9


class Candidate(Protocol):
    """A whole action, the value network's prediction after it, and the sums of its rollouts."""

    codes: Annotated[Ints, "i2", (LONGEST_ACTION,)]
    steps: Annotated[int, "i2"]
    win: Annotated[float, "f4"]
    score: Annotated[float, "f4"]
    """The predicted score, as a fraction of ``SCORE_SCALE``."""
    value: Annotated[float, "f4"]
    tries: Annotated[int, "i4"]
    wins: Annotated[float, "f8"]
    scores: Annotated[float, "f8"]


class Reply(Protocol):
    """A cached decision: the best whole action of the actor, based on the actor's knowledge."""

    digest: Annotated[int, "i8"]
    """The digest of the actor's knowledge; 0 marks an empty entry."""
    action: Annotated[RecordArray[Candidate], Candidate, (1,)]


Candidates = RecordArray[Candidate]
Replies = RecordArray[Reply]


class Workspace(Protocol):
    unfinished: Annotated[Candidates, Candidate, (2 * BEAM,)]
    """Unfinished claims, in the order of their states on the board."""
    found: Annotated[Candidates, Candidate, (FOUND_CAPACITY,)]
    """The candidates of a decision in a compiled game."""
    under_way: Annotated[Candidates, Candidate, (1,)]
    """The action that is being applied."""
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
