"""Strong players for whole games in machine code: they do what the bot ``heir`` does at a table.

What is here is to be called by the kernels of this room.
"""

from royalcrypt.rules.views import conceal
from royalcrypt.search.backend import Floats
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.workspace import KNOWN, PLAYED, Candidates, Workspace

BOT = "heir"


def strong_action(work: Workspace, found: Candidates, most: int, weights: Floats) -> int:
    """Write up to ``most`` of the actor's best whole actions in ``board[PLAYED]`` to ``found``, unordered.

    Returns how many; with ``most`` 1, ``found[0].codes[: found[0].steps]`` are the small decisions to carry
    out. Only what the actor knows counts. Each call of this function is a copy of a long piece of machine
    code: a kernel should have one.
    """
    work.board[KNOWN] = work.board[PLAYED]
    conceal(work.board[KNOWN], work.board[PLAYED].actor)
    return list_candidates(work, found, most, weights)
