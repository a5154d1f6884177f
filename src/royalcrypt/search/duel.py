"""Search through the rest of a two-player round, assuming that both players make their best claims.

Claims that only risk more dice are omitted. The rival's claims are computed from what the searching seat
knows. Once all claims are made, the value is the mean over all rolls of the dice: a hidden card counts its
expected value, and the value network rates the end of the round; after the last round, the scores count.
"""

from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Annotated, Any, Protocol

import numpy as np

from royalcrypt.rules import phases
from royalcrypt.rules.actions import DONE, PEEK, RECOVER, placed_dice, placed_effort, placed_slot, placement
from royalcrypt.rules.cards import IDOL
from royalcrypt.rules.chance import game_key, numbered_key
from royalcrypt.rules.claims import LOWEST_EFFORT, TOTALS, is_last_turn, least_total
from royalcrypt.rules.collectors import is_offered
from royalcrypt.rules.layout import CHANCE, FACES, NONE, SERVANTS, Options, State
from royalcrypt.rules.phases import REROLLING
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import collection_score, tally
from royalcrypt.rules.turns import apply, is_claiming, legal_actions
from royalcrypt.rules.views import conceal
from royalcrypt.search.backend import Board, Floats, RecordArray, record_dtype, record_of
from royalcrypt.search.candidates import FIRST_MIXED_BIT, PROBES, WORD, digest_of
from royalcrypt.search.compilation import compiled
from royalcrypt.search.dice_outcomes import hidden_in_row
from royalcrypt.search.endgame import dice_after_mending, peeked_states, tie_shares
from royalcrypt.search.features import END
from royalcrypt.search.network import (
    LAYER,
    SCORE_AT,
    SCORE_SCALE,
    SCORE_WEIGHT,
    WIN_AT,
    learned_weights,
    predict,
)
from royalcrypt.search.rollouts import RolloutSearch
from royalcrypt.search.simulation import applied, deal_hidden
from royalcrypt.search.workspace import LOWEST_VALUE, Candidate, Candidates

CLAIMED, SETTLED, ROLLED, DEALT, HERE, STACK = range(6)
"""Indices of the board's states: all claims made; all dice returned ready; some dice exhausted; hidden cards
dealt; the current state of the search; and from STACK on, unsearched states."""
WAITING = 160
"""Capacity of the stack of unsearched states: at most three placements, with 55, 37 and 19 options."""
BOARD = STACK + WAITING + 1
BEST_LINE, NEXT_LINE = range(2)
"""Indices of lines: the best claim, and the claim that follows the current one."""
LINES = 2
VALUES_CACHED = 1 << 14
"""The number of cached values."""
ANY_TIME = 16
"""The number of candidates that are checked for uses of Manuscript B and Remains A."""
FEW_CANDIDATES = 3
"""The number of candidates for the first claim after such a use."""
DEALS = 24
"""The number of sampled deals of the hidden cards at the end of a game."""
COUNTS = SERVANTS + 1
CELLS = COUNTS * COUNTS
"""The number of cells of one seat: pairs of failed dice and flipped Idols."""
LEADS = 2 * CELLS
ODDS = LEADS + DEALS
"""Size of the array with the odds of both seats' cells, followed by the leads of the deals."""
TIES = tuple(tie_shares((own, rival))[0] for own in range(COUNTS) for rival in range(COUNTS))
"""The seat's share of the win in a tie of scores, by the ready dice of both players (R7.3)."""


class CachedValue(Protocol):
    """A cached value of one state at the end of the round."""

    digest: Annotated[int, "i8"]
    """The digest of the state; 0 marks an empty entry."""
    worth: Annotated[float, "f8"]


class RoundMemory(Protocol):
    """The working memory of a search through the rest of a round; each thread needs its own."""

    cached_values: Annotated[RecordArray[CachedValue], CachedValue, (VALUES_CACHED,)]
    lines: Annotated[Candidates, Candidate, (LINES,)]
    waiting: Annotated[Candidates, Candidate, (WAITING + 1,)]
    """The actions that lead to the states on the stack."""
    board: Annotated[Board, State, (BOARD,)]
    options: Annotated[Options, Options]
    odds: Annotated[Floats, "f4", (ODDS,)]
    numbers: Annotated[Floats, "f4", (END,)]
    layer: Annotated[Floats, "f4", (LAYER,)]
    seat: Annotated[int, "i8"]
    """The seat for which values are computed; its chance outcomes come from this key."""
    high: Annotated[int, "i8"]
    low: Annotated[int, "i8"]


ROUND_MEMORY = record_dtype(RoundMemory)


def expected_round_worth(memory: RoundMemory, weights: Floats) -> float:
    """The value of ``board[CLAIMED]`` for the seat."""
    board = memory.board
    odds = memory.odds
    seat = memory.seat
    rival = 1 - seat
    board[SETTLED] = board[CLAIMED]
    while board[SETTLED].actor == CHANCE and board[SETTLED].phase == phases.ROLL:
        apply(board[SETTLED], CHANCE, FACES)
    count_failures(board[CLAIMED], board[SETTLED], seat, odds, 0)
    count_failures(board[CLAIMED], board[SETTLED], rival, odds, CELLS)
    row = digest_of(board[SETTLED])
    is_dealt = False
    total = 0.0
    for own in range(CELLS):
        if odds[own] == 0.0:
            continue
        for theirs in range(CELLS):
            chance = odds[own] * odds[CELLS + theirs]
            if chance == 0.0:
                continue
            digest = ((row * 1000003 + own * CELLS + theirs) * 1000003 & WORD) + 1
            cached = memory.cached_values[index_of_value(memory.cached_values, digest)]
            if cached.digest != digest:
                board[ROLLED] = board[SETTLED]
                exhaust(board[ROLLED], seat, own)
                exhaust(board[ROLLED], rival, theirs)
                cached.digest = digest
                if board[SETTLED].phase >= phases.REMAINS:
                    if not is_dealt:
                        deal_leads(memory)
                        is_dealt = True
                    cached.worth = final_worth(board[ROLLED], seat, odds)
                else:
                    cached.worth = expected_worth(memory, weights)
            total += chance * cached.worth
    return total


def count_failures(claimed: State, settled: State, seat: int, odds: Floats, at: int) -> None:
    """Write the odds of each cell if Idols A are flipped while failed dice may succeed (R8.1A)."""
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
    """Add one die to the odds, assuming that it is re-rolled until ``most`` Idols are flipped."""
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


def index_of_value(cached_values: RecordArray[CachedValue], digest: int) -> int:
    first = digest >> FIRST_MIXED_BIT
    for probe in range(PROBES):
        at = (first + probe) % VALUES_CACHED
        if cached_values[at].digest == digest or cached_values[at].digest == 0:
            return at
    return first % VALUES_CACHED


def expected_worth(memory: RoundMemory, weights: Floats) -> float:
    """The value of ``board[ROLLED]``, before the next round, for the seat.

    For the rival only the score is predicted, as their chance to win depends on cards unknown to the seat.
    """
    rolled = memory.board[ROLLED]
    seat = memory.seat
    layer = memory.layer
    predict(rolled, seat, memory.numbers, weights, layer)
    win = layer[WIN_AT]
    score = layer[SCORE_AT]
    conceal(rolled, 1 - seat)
    predict(rolled, 1 - seat, memory.numbers, weights, layer)
    return win + SCORE_WEIGHT * (score - layer[SCORE_AT])


def deal_leads(memory: RoundMemory) -> None:
    """Write the seat's lead in coins from cards after the last round, for each deal of the hidden cards."""
    seat = memory.seat
    dealt = memory.board[DEALT]
    for deal in range(DEALS):
        memory.board[DEALT] = memory.board[SETTLED]
        own_high, own_low = numbered_key(memory.high, memory.low, deal)
        deal_hidden(dealt, own_high, own_low)
        tally(dealt)
        memory.odds[LEADS + deal] = collection_score(dealt, seat) - collection_score(dealt, 1 - seat)


def final_worth(rolled: State, seat: int, odds: Floats) -> float:
    """The value of the end of the game for the seat; requires the leads from ``deal_leads``."""
    own_ready = dice_after_mending(rolled, rolled.players[seat])
    rival_ready = dice_after_mending(rolled, rolled.players[1 - seat])
    total = 0.0
    for deal in range(DEALS):
        lead = odds[LEADS + deal] + own_ready - rival_ready
        if lead == 0:
            total += TIES[own_ready * COUNTS + rival_ready]
        elif lead > 0:
            total += 1.0
        total += SCORE_WEIGHT * lead / SCORE_SCALE
    return total / DEALS


def search_round(memory: RoundMemory, weights: Floats, enough: float) -> float:
    """The value of ``board[HERE]`` for ``memory.seat``, with at most two claims to come.

    Writes the best claim to ``lines[BEST_LINE]``. Stops at a claim with a value of at least ``enough``.
    """
    if not is_claiming(memory.board[HERE]):
        memory.board[CLAIMED] = memory.board[HERE]
        return expected_round_worth(memory, weights)
    sign = 1.0 if memory.board[HERE].actor == memory.seat else -1.0
    if is_last_turn(memory.board[HERE]):
        return sign * last_claim_worth(memory, weights, BEST_LINE, HERE, enough)
    return sign * earlier_claim_worth(memory, weights, enough)


def last_claim_worth(memory: RoundMemory, weights: Floats, line: int, at: int, enough: float) -> float:
    """The value of ``board[at]`` for the last claimant, who claims one card (R5.6) with the lowest effort."""
    board = memory.board
    best_line = memory.lines[line]
    actor = board[at].actor
    sign = 1.0 if actor == memory.seat else -1.0
    best = LOWEST_VALUE
    places = row_length(board[at]) + 1
    first = first_slot_searched(best_line, places)
    for turned in range(places):
        position = (turned + first) % places - 1
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
            here = sign * expected_round_worth(memory, weights)
            if here > best:
                best = here
                best_line.codes[0] = action
                best_line.steps = 1
                if best >= enough:
                    return best
    return best


def first_slot_searched(line: Candidate, places: int) -> int:
    """The slot of the previous best claim, from 1, or 0: starting the search there prunes the most."""
    if line.steps == 0 or line.codes[0] >= DONE:
        return 0
    return min(placed_slot(int(line.codes[0])) + 1, places - 1)


def earlier_claim_worth(memory: RoundMemory, weights: Floats, enough: float) -> float:
    """The value of ``board[HERE]`` for the claimant before the last one."""
    board = memory.board
    lines = memory.lines
    waiting = memory.waiting
    options = memory.options
    actor = board[HERE].actor
    best = LOWEST_VALUE
    board[STACK] = board[HERE]
    waiting[0].steps = 0
    height = 1
    while height > 0:
        height -= 1
        if board[STACK + height].turn != board[HERE].turn:
            here = -last_claim_worth(memory, weights, NEXT_LINE, STACK + height, -best)
            if here > best:
                best = here
                lines[BEST_LINE] = waiting[height]
                if best >= enough:
                    return best
            continue
        board[STACK + WAITING] = board[STACK + height]
        waiting[WAITING] = waiting[height]
        count = legal_actions(board[STACK + WAITING], options)
        # The last state pushed is searched first: the best answer so far, if it is still legal.
        answer = lines[BEST_LINE].codes[waiting[WAITING].steps]
        for index in range(count - 1):
            if options.codes[index] == answer:
                options.codes[index] = options.codes[count - 1]
                options.codes[count - 1] = answer
        for index in range(count):
            action = options.codes[index]
            if action <= RECOVER and not is_wasteful(board[STACK + WAITING], action):
                board[STACK + height] = board[STACK + WAITING]
                apply(board[STACK + height], actor, action)
                waiting[height] = waiting[WAITING]
                waiting[height].codes[waiting[height].steps] = action
                waiting[height].steps += 1
                height += 1
    return best


def is_wasteful(state: State, action: int) -> bool:
    """Whether a lower effort suffices: the rival could still not beat the placement on the last turn."""
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


def is_duel(known: State) -> bool:
    """Whether the state is a claim turn of a game between two people."""
    return known.seats == 2 and not known.is_solo and is_claiming(known)


@dataclass
class RoundSearch:
    """Finds the best claim of a two-player turn. Each thread needs its own instance."""

    weights: Any = field(default_factory=learned_weights)
    _memory: Any = field(default_factory=lambda: np.zeros(1, ROUND_MEMORY)[0])
    _until: float = inf

    def best(self, known: State, most: int, seconds: float = inf, seed: int = 0) -> tuple[float, list[int]]:
        """The value of a claim turn for the actor, and the small decisions of the best action.

        The first claim of a round is one of the ``most`` best candidates; later claims are searched in full.
        """
        self._memory.high, self._memory.low = game_key(seed, known.decisions)
        self._until = monotonic() + seconds
        self._memory.cached_values["digest"] = 0
        return self._best(known, most)

    def _best(self, known: State, most: int) -> tuple[float, list[int]]:
        listed = [one.codes for one in RolloutSearch(self.weights).candidates(known, max(most, ANY_TIME))]
        found = [self._claim(known, listed, most)]
        rewards = {codes[0]: codes for codes in reversed(listed) if codes[0] > RECOVER}
        for codes in rewards.values():
            if monotonic() < self._until:
                found.append((self._worth_of_reward(known, codes), codes))
        return max(found, key=lambda one: one[0])

    def _claim(self, known: State, listed: list[list[int]], most: int) -> tuple[float, list[int]]:
        if known.turn > 0:
            worth = self._searched(known, known.actor, inf)
            line = self._memory.lines[BEST_LINE]
            return worth, [int(code) for code in line["codes"][: line["steps"]]]
        best, chosen = LOWEST_VALUE, listed[0]
        for codes in [codes for codes in listed if codes[0] <= RECOVER][:most]:
            worth = self._searched(applied(known, known.actor, *codes), known.actor, -best)
            if worth > best:
                best, chosen = worth, codes
            if monotonic() > self._until:
                break
        return best, chosen

    def _searched(self, state: State, seat: int, enough: float) -> float:
        self._memory.board[HERE] = record_of(state)
        self._memory.seat = seat
        return compiled(search_round)(self._memory, self.weights, enough)

    def _worth_of_reward(self, known: State, codes: list[int]) -> float:
        """The value of using Remains A or Manuscript B, after which the same turn continues."""
        after = applied(known, known.actor, *codes)
        if codes[0] != PEEK:
            return self._best(after, FEW_CANDIDATES)[0]
        peeked = peeked_states(after, hidden_in_row(after))
        return sum(chance * self._best(seen, FEW_CANDIDATES)[0] for chance, seen in peeked)
