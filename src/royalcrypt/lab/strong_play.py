"""Strong players for whole games in machine code: they do what the bot ``heir`` does at a table.

What is here is to be called by the kernels of this room.
"""

from royalcrypt.rules.layout import Options
from royalcrypt.rules.views import conceal
from royalcrypt.search.candidates import BOARD, Candidates, list_candidates
from royalcrypt.search.carrier import Board
from royalcrypt.search.floats import Floats
from royalcrypt.search.valuing import KNOWN, PLAYED

STRONG_BOARD = BOARD
"""States that the board needs: ``BLANK`` and ``PLAYED`` are the caller's, the others are worked on."""
BOT = "heir"


def strong_action(
    board: Board,
    options: Options,
    begun: Candidates,
    found: Candidates,
    most: int,
    numbers: Floats,
    before: Floats,
    weights: Floats,
    layer: Floats,
) -> int:
    """The actor's best whole actions in ``board[PLAYED]``, up to ``most``, go into ``found``, in no order.

    Returns how many; with ``most`` 1, ``found[0].codes[: found[0].steps]`` are the small decisions to carry
    out. The actor is asked about nothing but what it knows. ``begun`` has room for ``2 * BEAM``, and each
    call of this function is a copy of a long piece of machine code: a kernel should have one.
    """
    board[KNOWN] = board[PLAYED]
    conceal(board[KNOWN], board[PLAYED].actor)
    return list_candidates(board, options, begun, found, most, numbers, before, weights, layer)
