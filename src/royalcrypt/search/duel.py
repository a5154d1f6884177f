"""Search through the rest of a two-player round: both players make their best claims.

Claims that only risk more dice are left out. The rival's claims are computed from what the searching seat
knows.
"""

from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any

import numpy as np

from royalcrypt.rules.actions import DONE, PEEK, RECOVER, placed_dice, placed_effort, placed_slot, placement
from royalcrypt.rules.claims import LOWEST_EFFORT, TOTALS, is_last_turn, least_total
from royalcrypt.rules.fast_chance import game_key
from royalcrypt.rules.layout import FACES, NONE, State
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.turns import apply, is_claiming, legal_actions
from royalcrypt.search.carrier import Floats, record_of
from royalcrypt.search.choosing import Chooser, after_action
from royalcrypt.search.collecting import hidden_in_row
from royalcrypt.search.endgame import peeked_states
from royalcrypt.search.judge import learned_weights
from royalcrypt.search.settling import (
    AFTER_IT,
    ANSWER,
    CLAIMED,
    HERE,
    ROUND_MEMORY,
    STACK,
    WAITING,
    RoundMemory,
    settled_worth,
)
from royalcrypt.search.twins import compiled
from royalcrypt.search.workspace import NO_PROMISE, Candidate

ANY_TIME = 16
"""Candidates among which uses of Manuscript B and Remains A are looked for."""
FEW = 3
"""Candidates for the first claim after such a use."""


def foresee(memory: RoundMemory, weights: Floats, seat: int, enough: float, high: int, low: int) -> float:
    """What ``board[HERE]`` is worth to the seat; at most two claims are to come.

    ``lines[ANSWER]`` is then the actor's best claim. The search stops at a claim worth ``enough``.
    """
    if not is_claiming(memory.board[HERE]):
        memory.board[CLAIMED] = memory.board[HERE]
        return settled_worth(memory, weights, seat, high, low)
    sign = 1.0 if memory.board[HERE].actor == seat else -1.0
    if is_last_turn(memory.board[HERE]):
        return sign * best_last(memory, weights, ANSWER, HERE, seat, enough, high, low)
    return sign * best_but_one(memory, weights, seat, enough, high, low)


def best_last(
    memory: RoundMemory, weights: Floats, line: int, at: int, seat: int, enough: float, high: int, low: int
) -> float:
    """What ``board[at]`` is worth to the last claimant: one card (R5.6), with the lowest effort."""
    board = memory.board
    best_line = memory.lines[line]
    actor = board[at].actor
    sign = 1.0 if actor == seat else -1.0
    best = NO_PROMISE
    places = row_length(board[at]) + 1
    liked = place_liked(best_line, places)
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
            here = sign * settled_worth(memory, weights, seat, high, low)
            if here > best:
                best = here
                best_line.codes[0] = action
                best_line.steps = 1
                if best >= enough:
                    return best
    return best


def place_liked(line: Candidate, places: int) -> int:
    """The slot of the previous best claim, counted from 1; 0 if none. To begin there prunes most."""
    if line.steps == 0 or line.codes[0] >= DONE:
        return 0
    return min(placed_slot(int(line.codes[0])) + 1, places - 1)


def best_but_one(
    memory: RoundMemory, weights: Floats, seat: int, enough: float, high: int, low: int
) -> float:
    """What ``board[HERE]`` is worth to the claimant before the last one."""
    board = memory.board
    lines = memory.lines
    waiting = memory.waiting
    options = memory.options
    actor = board[HERE].actor
    best = NO_PROMISE
    board[STACK] = board[HERE]
    waiting[0].steps = 0
    height = 1
    while height > 0:
        height -= 1
        if board[STACK + height].turn != board[HERE].turn:
            here = -best_last(memory, weights, AFTER_IT, STACK + height, seat, -best, high, low)
            if here > best:
                best = here
                lines[ANSWER] = waiting[height]
                if best >= enough:
                    return best
            continue
        board[STACK + WAITING] = board[STACK + height]
        waiting[WAITING] = waiting[height]
        ways = legal_actions(board[STACK + WAITING], options)
        # The last one pushed is searched first: the best answer so far, if it is still legal.
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
    """Whether one effort less would suffice and the rival could still not push it out on the last turn."""
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
    """Whether it is a claim turn in a game of two people."""
    return known.seats == 2 and not known.is_solo and is_claiming(known)


@dataclass
class Duelist:
    """Finds the best claim of a two-player turn. Each thread needs one of its own."""

    weights: Any = field(default_factory=learned_weights)
    _memory: Any = field(default_factory=lambda: np.zeros(1, ROUND_MEMORY)[0])
    _key: tuple[int, int] = (0, 0)
    _until: float = inf

    def best(self, known: State, most: int, seconds: float = inf, seed: int = 0) -> tuple[float, list[int]]:
        """What a claim turn is worth to the actor, and the small decisions of the best action.

        The first claim of a round is one of the ``most`` best candidates; later claims are searched in full.
        """
        self._key, self._until = game_key(seed, known.decisions), monotonic() + seconds
        self._memory.judged["look"] = 0
        return self._best(known, most)

    def _best(self, known: State, most: int) -> tuple[float, list[int]]:
        listed = [one.codes for one in Chooser(self.weights).candidates(known, max(most, ANY_TIME))]
        found = [self._claim(known, listed, most)]
        rewards = {codes[0]: codes for codes in reversed(listed) if codes[0] > RECOVER}
        for codes in rewards.values():
            if monotonic() < self._until:
                found.append((self._worth_of_reward(known, codes), codes))
        return max(found, key=lambda one: one[0])

    def _claim(self, known: State, listed: list[list[int]], most: int) -> tuple[float, list[int]]:
        if known.turn > 0:
            return self._foreseen(known, known.actor, inf), self._answer()
        best, chosen = NO_PROMISE, listed[0]
        for codes in [codes for codes in listed if codes[0] <= RECOVER][:most]:
            worth = self._foreseen(after_action(known, codes), known.actor, -best)
            if worth > best:
                best, chosen = worth, codes
            if monotonic() > self._until:
                break
        return best, chosen

    def _foreseen(self, state: State, seat: int, enough: float) -> float:
        self._memory.board[HERE] = record_of(state)
        return compiled(foresee)(self._memory, self.weights, seat, enough, *self._key)

    def _answer(self) -> list[int]:
        line = self._memory.lines[ANSWER]
        return [int(code) for code in line["codes"][: line["steps"]]]

    def _worth_of_reward(self, known: State, codes: list[int]) -> float:
        """After Remains A or Manuscript B the same turn goes on."""
        after = after_action(known, codes)
        if codes[0] != PEEK:
            return self._best(after, FEW)[0]
        return sum(
            chance * self._best(seen, FEW)[0] for chance, seen in peeked_states(after, hidden_in_row(after))
        )
