"""What a round is worth to one of two players once all claims are made: the mean over all rolls of the dice.

The state is concealed for that player: a hidden card counts its expected value. The value network rates what
comes after the round; after the last round, the scores do.
"""

from typing import Annotated, Protocol

from royalcrypt.rules import phases
from royalcrypt.rules.cards import IDOL, REMAINS
from royalcrypt.rules.catalogue import PRICE
from royalcrypt.rules.collectors import is_offered
from royalcrypt.rules.fast_chance import numbered_key
from royalcrypt.rules.layout import CHANCE, FACES, SERVANTS, Options, State
from royalcrypt.rules.phases import MENDING, REROLLING
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import collection_score, tally
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.carrier import Board, Floats, RecordArray, record_dtype
from royalcrypt.search.features import END
from royalcrypt.search.judge import hear
from royalcrypt.search.network import LAYER, SCORE_AT, SCORE_SCALE, SCORE_WEIGHT, WIN_AT
from royalcrypt.search.prospects import tie_shares
from royalcrypt.search.replies import PROBES, WELL_MIXED, WORD, digest
from royalcrypt.search.sampling import deal_hidden
from royalcrypt.search.workspace import Candidate, Candidates

CLAIMED, SETTLED, FALLEN, DEALT, HERE, STACK = range(6)
"""States of the board: all claims made; all dice home and ready; some exhausted; hidden cards dealt; where
the search stands; and from STACK on, states that wait to be searched."""
WAITING = 160
"""Most states that wait to be searched: three placements at most, of 55, 37 and 19 options."""
BOARD = STACK + WAITING + 1
ANSWER, AFTER_IT = range(2)
"""Lines: the best claim, and the one that follows the claim at hand."""
LINES = 2
JUDGED_AT_MOST = 1 << 14
"""Values in the cache."""
DEALS = 24
"""Deals of the hidden cards at the end of a game."""
COUNTS = SERVANTS + 1
CELLS = COUNTS * COUNTS
"""Cells of one seat, by failed dice and by flipped Idols."""
LEADS = 2 * CELLS
ODDS = LEADS + DEALS
"""Room for the odds of both seats' cells and, behind them, for the leads of the deals."""
TIES = tuple(tie_shares((own, rival))[0] for own in range(COUNTS) for rival in range(COUNTS))
"""By ready dice of both: the seat's share of the win if the scores are equal (R7.3)."""


class Judgement(Protocol):
    """A cached value of one end of the round."""

    look: Annotated[int, "i8"]
    """Digest of the state; 0 marks an empty entry."""
    worth: Annotated[float, "f8"]


class RoundMemory(Protocol):
    """The memory of a search through the rest of a round; each thread needs one of its own."""

    judged: Annotated[RecordArray[Judgement], Judgement, (JUDGED_AT_MOST,)]
    lines: Annotated[Candidates, Candidate, (LINES,)]
    waiting: Annotated[Candidates, Candidate, (WAITING + 1,)]
    """Actions that led to the states on the stack."""
    board: Annotated[Board, State, (BOARD,)]
    options: Annotated[Options, Options]
    odds: Annotated[Floats, "f4", (ODDS,)]
    numbers: Annotated[Floats, "f4", (END,)]
    layer: Annotated[Floats, "f4", (LAYER,)]


ROUND_MEMORY = record_dtype(RoundMemory)


def settled_worth(memory: RoundMemory, weights: Floats, seat: int, high: int, low: int) -> float:
    """What ``board[CLAIMED]`` is worth to the seat."""
    board = memory.board
    odds = memory.odds
    rival = 1 - seat
    board[SETTLED] = board[CLAIMED]
    while board[SETTLED].actor == CHANCE and board[SETTLED].phase == phases.ROLL:
        apply(board[SETTLED], CHANCE, FACES)
    count_failures(board[CLAIMED], board[SETTLED], seat, odds, 0)
    count_failures(board[CLAIMED], board[SETTLED], rival, odds, CELLS)
    row = digest(board[SETTLED])
    is_dealt = False
    total = 0.0
    for own in range(CELLS):
        if odds[own] == 0.0:
            continue
        for theirs in range(CELLS):
            chance = odds[own] * odds[CELLS + theirs]
            if chance == 0.0:
                continue
            look = ((row * 1000003 + own * CELLS + theirs) * 1000003 & WORD) + 1
            cached = memory.judged[place_of_judgement(memory.judged, look)]
            if cached.look != look:
                board[FALLEN] = board[SETTLED]
                exhaust(board[FALLEN], seat, own)
                exhaust(board[FALLEN], rival, theirs)
                cached.look = look
                if board[SETTLED].phase >= phases.REMAINS:
                    if not is_dealt:
                        deal_leads(board, odds, seat, high, low)
                        is_dealt = True
                    cached.worth = final_worth(board[FALLEN], seat, odds)
                else:
                    cached.worth = expected_worth(memory, weights, seat)
            total += chance * cached.worth
    return total


def count_failures(claimed: State, settled: State, seat: int, odds: Floats, at: int) -> None:
    """Write the odds of each cell. Idols A are flipped while dice fail that may still succeed (R8.1A)."""
    for cell in range(CELLS):
        odds[at + cell] = 0.0
    odds[at] = 1.0
    idols = 0
    if is_offered(claimed, REROLLING):
        idols = min(SERVANTS, settled.players[seat].unflipped[IDOL])
    for position in range(row_length(claimed)):
        slot = claimed.slots[position]
        if slot.holder == seat and slot.effort > 1:
            risk = (slot.effort - 1) / FACES
            most = idols if slot.effort < FACES or claimed.deck == 0 else 0
            for _ in range(slot.dice):
                roll_one(odds, at, risk, idols, most)


def roll_one(odds: Floats, at: int, risk: float, idols: int, most: int) -> None:
    """Add one die to the odds: it is rolled again until ``most`` Idols are flipped."""
    for failed in range(SERVANTS - 1, -1, -1):
        for flipped in range(idols, -1, -1):
            chance = odds[at + failed * COUNTS + flipped]
            if chance == 0.0:
                continue
            odds[at + failed * COUNTS + flipped] = 0.0
            for again in range(flipped, most):
                odds[at + failed * COUNTS + again] += chance * (1.0 - risk)
                chance *= risk
            last = max(flipped, most)
            odds[at + failed * COUNTS + last] += chance * (1.0 - risk)
            odds[at + (failed + 1) * COUNTS + last] += chance * risk


def exhaust(state: State, seat: int, cell: int) -> None:
    player = state.players[seat]
    player.ready -= cell // COUNTS
    player.exhausted += cell // COUNTS
    player.unflipped[IDOL] -= cell % COUNTS


def place_of_judgement(judged: RecordArray[Judgement], look: int) -> int:
    first = look >> WELL_MIXED
    for probe in range(PROBES):
        at = (first + probe) % JUDGED_AT_MOST
        if judged[at].look == look or judged[at].look == 0:
            return at
    return first % JUDGED_AT_MOST


def expected_worth(memory: RoundMemory, weights: Floats, seat: int) -> float:
    """What ``board[FALLEN]``, before the next round, is worth to the seat.

    Of the rival only the score counts: their chance to win depends on cards that the seat does not know.
    """
    fallen = memory.board[FALLEN]
    layer = memory.layer
    hear(fallen, seat, memory.numbers, weights, layer)
    win = layer[WIN_AT]
    score = layer[SCORE_AT]
    conceal(fallen, 1 - seat)
    hear(fallen, 1 - seat, memory.numbers, weights, layer)
    return win + SCORE_WEIGHT * (score - layer[SCORE_AT])


def deal_leads(board: Board, odds: Floats, seat: int, high: int, low: int) -> None:
    """Write the seat's lead in card points after the last round, for each deal of the hidden cards."""
    for deal in range(DEALS):
        board[DEALT] = board[SETTLED]
        own_high, own_low = numbered_key(high, low, deal)
        deal_hidden(board[DEALT], own_high, own_low)
        tally(board[DEALT])
        odds[LEADS + deal] = collection_score(board[DEALT], seat) - collection_score(board[DEALT], 1 - seat)


def final_worth(fallen: State, seat: int, odds: Floats) -> float:
    """What the end of the game is worth to the seat; the leads must have been written."""
    own_ready = mended(fallen, seat)
    rival_ready = mended(fallen, 1 - seat)
    total = 0.0
    for deal in range(DEALS):
        lead = odds[LEADS + deal] + own_ready - rival_ready
        if lead == 0:
            total += TIES[own_ready * COUNTS + rival_ready]
        elif lead > 0:
            total += 1.0
        total += SCORE_WEIGHT * lead / SCORE_SCALE
    return total / DEALS


def mended(state: State, seat: int) -> int:
    """Ready dice after the last chance for Remains A (R9.2)."""
    player = state.players[seat]
    if not is_offered(state, MENDING):
        return player.ready
    return player.ready + min(player.exhausted, player.unflipped[REMAINS] // PRICE[MENDING])
