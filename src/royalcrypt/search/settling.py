"""What a round is worth to one of two players once all claims are made, whichever way the dice may fall.

The state is concealed for that player: a card whose value they do not know counts what they expect of it.
What comes after the round says the value network; after the last one, the scores.
"""

from typing import Annotated, Protocol

from royalcrypt.rules import phases
from royalcrypt.rules.cards import IDOL, REMAINS
from royalcrypt.rules.catalogue import PRICE
from royalcrypt.rules.collectors import is_offered
from royalcrypt.rules.fast_chance import numbered_key
from royalcrypt.rules.layout import CHANCE, FACES, SERVANTS, State
from royalcrypt.rules.phases import MENDING, REROLLING
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import collection_score, tally
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.carrier import Board, record_dtype
from royalcrypt.search.features import describe
from royalcrypt.search.floats import Floats
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT, evaluate
from royalcrypt.search.prospects import tie_shares
from royalcrypt.search.replies import PROBES, WELL_MIXED, WORD, digest
from royalcrypt.search.sampling import deal_hidden
from royalcrypt.search.valuing import SCORE_WEIGHT

CLAIMED, SETTLED, FALLEN, DEALT = range(4)
"""The states of a board: all claims made; all dice home and ready; some exhausted; hidden cards dealt."""
SETTLING_BOARD = 4
JUDGED_AT_MOST = 1 << 14
DEALS = 24
"""Of the hidden cards at the end of a game."""
COUNTS = SERVANTS + 1
CELLS = COUNTS * COUNTS
"""Of one seat: so many dice failed, and so many Idols were flipped before that."""
LEADS = 2 * CELLS
ODDS = LEADS + DEALS
"""Room for the odds of both seats' cells and, behind them, for the leads of the deals."""
TIES = tuple(tie_shares((own, rival))[0] for own in range(COUNTS) for rival in range(COUNTS))
"""By ready dice of both: one's part of the win if the scores are equal (R7.3)."""


class Judgement(Protocol):
    """How a round may end, and what that is worth."""

    look: Annotated[int, "i8"]
    """Its digest; 0 where nothing is remembered."""
    worth: Annotated[float, "f8"]


class Judgements(Protocol):
    def __getitem__(self, index: int, /) -> Judgement: ...


JUDGEMENT = record_dtype(Judgement)


def settled_worth(
    board: Board,
    judged: Judgements,
    odds: Floats,
    numbers: Floats,
    weights: Floats,
    layer: Floats,
    seat: int,
    high: int,
    low: int,
) -> float:
    """Of ``board[CLAIMED]`` to the seat."""
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
            at = place_of_judgement(judged, look)
            if judged[at].look != look:
                board[FALLEN] = board[SETTLED]
                exhaust(board[FALLEN], seat, own)
                exhaust(board[FALLEN], rival, theirs)
                judged[at].look = look
                if board[SETTLED].phase >= phases.REMAINS:
                    if not is_dealt:
                        deal_leads(board, odds, seat, high, low)
                        is_dealt = True
                    judged[at].worth = final_worth(board[FALLEN], seat, odds)
                else:
                    judged[at].worth = expected_worth(board, seat, numbers, weights, layer)
            total += chance * judged[at].worth
    return total


def count_failures(claimed: State, settled: State, seat: int, odds: Floats, at: int) -> None:
    """How likely each cell is. Idols A are flipped while dice fail and there is hope for them."""
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
    """One die more: it may be rolled again until ``most`` Idols are flipped."""
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


def place_of_judgement(judged: Judgements, look: int) -> int:
    first = look >> WELL_MIXED
    for probe in range(PROBES):
        at = (first + probe) % JUDGED_AT_MOST
        if judged[at].look == look or judged[at].look == 0:
            return at
    return first % JUDGED_AT_MOST


def expected_worth(board: Board, seat: int, numbers: Floats, weights: Floats, layer: Floats) -> float:
    """Of ``board[FALLEN]``, before the next round, as the seat sees it.

    Of the other only the score counts: how likely they are to win hangs on cards that the seat does not know.
    """
    describe(board[FALLEN], seat, numbers)
    evaluate(numbers, weights, layer)
    win = layer[WIN_AT]
    score = layer[SCORE_AT]
    conceal(board[FALLEN], 1 - seat)
    describe(board[FALLEN], 1 - seat, numbers)
    evaluate(numbers, weights, layer)
    return win + SCORE_WEIGHT * (score - layer[SCORE_AT])


def deal_leads(board: Board, odds: Floats, seat: int, high: int, low: int) -> None:
    """By how much the seat's cards are better after the last round, in each deal of hidden ones."""
    for deal in range(DEALS):
        board[DEALT] = board[SETTLED]
        own_high, own_low = numbered_key(high, low, deal)
        deal_hidden(board[DEALT], own_high, own_low)
        tally(board[DEALT])
        odds[LEADS + deal] = collection_score(board[DEALT], seat) - collection_score(board[DEALT], 1 - seat)


def final_worth(fallen: State, seat: int, odds: Floats) -> float:
    """After the last round, whose leads were dealt."""
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
