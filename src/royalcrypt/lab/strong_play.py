"""The policy of the bot ``heir`` for compiled games, called by the kernels of this package."""

from royalcrypt.rules.views import conceal
from royalcrypt.search.backend import Floats
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.workspace import KNOWN, PLAYED, Candidates, Workspace

BOT = "heir"


def strong_action(work: Workspace, found: Candidates, most: int, weights: Floats) -> int:
    """Write up to ``most`` of the actor's best whole actions in ``board[PLAYED]`` to ``found``, unordered.

    Returns their number; with ``most`` 1, ``found[0].codes[: found[0].steps]`` are the small decisions of the
    action. Uses only what the actor knows. The compiler inlines the whole function at each call, so a kernel
    should call it in one place.
    """
    work.board[KNOWN] = work.board[PLAYED]
    conceal(work.board[KNOWN], work.board[PLAYED].actor)
    return list_candidates(work, found, most, weights)
