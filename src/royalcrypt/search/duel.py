"""The rest of a round's claims of two players, gone through to the last one: what if both do their best?

Claims that only risk more dice are left out. The other's claims are thought of as if they knew what the seat
knows.
"""

from royalcrypt.rules.actions import DONE, RECOVER, placed_dice, placed_effort, placed_slot, placement
from royalcrypt.rules.claims import LOWEST_EFFORT, TOTALS, is_last_turn, least_total
from royalcrypt.rules.layout import FACES, NONE, Options, State
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.turns import apply, is_claiming, legal_actions
from royalcrypt.search.candidates import Candidate, Candidates
from royalcrypt.search.carrier import Board
from royalcrypt.search.floats import Floats
from royalcrypt.search.settling import CLAIMED, SETTLING_BOARD, Judgements, settled_worth
from royalcrypt.search.valuing import NO_PROMISE

HERE = SETTLING_BOARD
"""Where on the board the round stands."""
STACK = HERE + 1
WAITING = 160
"""States that may wait to be gone on with: three placements at most, of 55 ways, 37 and 19."""
DUEL_BOARD = STACK + WAITING + 1
ANSWER, AFTER_IT = range(2)
"""Of the lines: the best claim, and what follows the one at hand."""
LINES = 2


def foresee(
    board: Board,
    options: Options,
    lines: Candidates,
    waiting: Candidates,
    judged: Judgements,
    odds: Floats,
    numbers: Floats,
    weights: Floats,
    layer: Floats,
    seat: int,
    enough: float,
    high: int,
    low: int,
) -> float:
    """What ``board[HERE]`` is worth to the seat if both do their best; there are two claims to come at most.

    ``lines[ANSWER]`` is then what the actor does. Once they have ``enough``, nothing better is looked for.
    """
    if not is_claiming(board[HERE]):
        board[CLAIMED] = board[HERE]
        return settled_worth(board, judged, odds, numbers, weights, layer, seat, high, low)
    sign = 1.0 if board[HERE].actor == seat else -1.0
    if is_last_turn(board[HERE]):
        return sign * best_last(
            board, lines, ANSWER, judged, odds, numbers, weights, layer, seat, HERE, enough, high, low
        )
    return sign * best_but_one(
        board, options, lines, waiting, judged, odds, numbers, weights, layer, seat, enough, high, low
    )


def best_last(
    board: Board,
    lines: Candidates,
    line: int,
    judged: Judgements,
    odds: Floats,
    numbers: Floats,
    weights: Floats,
    layer: Floats,
    seat: int,
    at: int,
    enough: float,
    high: int,
    low: int,
) -> float:
    """What the last claim makes of ``board[at]`` for its maker: one card (R5.6), no more than it takes."""
    actor = board[at].actor
    sign = 1.0 if actor == seat else -1.0
    best = NO_PROMISE
    places = row_length(board[at]) + 1
    liked = place_liked(lines[line], places)
    for turned in range(places):
        position = (turned + liked) % places - 1
        dice_at_most = 1 if position == NONE else board[at].players[actor].ready
        for dice in range(1, dice_at_most + 1):
            action = RECOVER
            if position != NONE:
                effort = LOWEST_EFFORT[dice * TOTALS + least_total(board[at], actor, position)]
                if effort > FACES:
                    continue
                action = placement(position, dice, effort)
            board[CLAIMED] = board[at]
            apply(board[CLAIMED], actor, action)
            here = sign * settled_worth(board, judged, odds, numbers, weights, layer, seat, high, low)
            if here > best:
                best = here
                lines[line].codes[0] = action
                lines[line].steps = 1
                if best >= enough:
                    return best
    return best


def place_liked(line: Candidate, places: int) -> int:
    """Where the last best claim was made, counted from 1 on; 0 if nowhere. To begin there cuts most short."""
    if line.steps == 0 or line.codes[0] >= DONE:
        return 0
    return min(placed_slot(int(line.codes[0])) + 1, places - 1)


def best_but_one(
    board: Board,
    options: Options,
    lines: Candidates,
    waiting: Candidates,
    judged: Judgements,
    odds: Floats,
    numbers: Floats,
    weights: Floats,
    layer: Floats,
    seat: int,
    enough: float,
    high: int,
    low: int,
) -> float:
    """What the claim before the last one makes of ``board[HERE]`` for its maker."""
    actor = board[HERE].actor
    best = NO_PROMISE
    board[STACK] = board[HERE]
    waiting[0].steps = 0
    height = 1
    while height > 0:
        height -= 1
        if board[STACK + height].turn != board[HERE].turn:
            here = -best_last(
                board, lines, AFTER_IT, judged, odds, numbers, weights, layer, seat, STACK + height, -best,
                high, low,
            )  # fmt: skip
            if here > best:
                best = here
                lines[ANSWER] = waiting[height]
                if best >= enough:
                    return best
            continue
        board[STACK + WAITING] = board[STACK + height]
        waiting[WAITING] = waiting[height]
        ways = legal_actions(board[STACK + WAITING], options)
        # What is put down last is gone on with first: the best answer so far, if it is still one.
        liked = lines[ANSWER].codes[waiting[WAITING].steps]
        for index in range(ways - 1):
            if options.codes[index] == liked:
                options.codes[index] = options.codes[ways - 1]
                options.codes[ways - 1] = liked
        for index in range(ways):
            action = options.codes[index]
            if action <= RECOVER and not is_overdone(board[STACK + WAITING], action):
                board[STACK + height] = board[STACK + WAITING]
                apply(board[STACK + height], actor, action)
                waiting[height] = waiting[WAITING]
                waiting[height].codes[waiting[height].steps] = action
                waiting[height].steps += 1
                height += 1
    return best


def is_overdone(state: State, action: int) -> bool:
    """Whether one effort less would do, and nobody could push it out on the last turn."""
    if action >= DONE:
        return False
    rival = 1 - state.actor
    position = placed_slot(action)
    dice = state.players[rival].ready
    for other in range(position, row_length(state)):
        if state.slots[other].holder == rival:
            dice += state.slots[other].dice
    less = placed_dice(action) * (placed_effort(action) - 1)
    return less >= dice * FACES and less >= least_total(state, state.actor, position) and less > 0
