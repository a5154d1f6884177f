"""Claims of two players, chosen by going through the rest of the round."""

from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any

import numpy as np

from royalcrypt.rules.actions import PEEK, RECOVER
from royalcrypt.rules.fast_chance import game_key
from royalcrypt.rules.layout import State, copy_of
from royalcrypt.rules.turns import apply, is_claiming
from royalcrypt.search.candidates import CANDIDATE
from royalcrypt.search.carrier import STATE, no_options_record, record_of
from royalcrypt.search.choosing import Chooser, no_numbers
from royalcrypt.search.collecting import hidden_in_row
from royalcrypt.search.duel import ANSWER, DUEL_BOARD, HERE, LINES, WAITING, foresee
from royalcrypt.search.endgame import peeked_states
from royalcrypt.search.judge import learned_weights
from royalcrypt.search.network import LAYER
from royalcrypt.search.settling import JUDGED_AT_MOST, JUDGEMENT, ODDS
from royalcrypt.search.twins import compiled
from royalcrypt.search.valuing import NO_PROMISE

ANY_TIME = 16
"""Candidates among which Manuscripts and Remains are looked for, paid as the learned value likes best."""
FEW = 3
"""Candidates for the first claim after one of these was used."""


def is_duel(known: State) -> bool:
    """Whether it is a claim turn of one of two players."""
    return known.seats == 2 and not known.is_solo and is_claiming(known)


@dataclass
class Duelist:
    """One for each thread: it works on memory of its own."""

    weights: Any = field(default_factory=learned_weights)
    _board: Any = field(default_factory=lambda: np.zeros(DUEL_BOARD, STATE))
    _options: Any = field(default_factory=no_options_record)
    _lines: Any = field(default_factory=lambda: np.zeros(LINES, CANDIDATE))
    _waiting: Any = field(default_factory=lambda: np.zeros(WAITING + 1, CANDIDATE))
    _judged: Any = field(default_factory=lambda: np.zeros(JUDGED_AT_MOST, JUDGEMENT))
    _odds: Any = field(default_factory=lambda: np.zeros(ODDS, np.float32))
    _numbers: Any = field(default_factory=no_numbers)
    _layer: Any = field(default_factory=lambda: np.zeros(LAYER, np.float32))
    _key: tuple[int, int] = (0, 0)
    _until: float = inf

    def best(self, known: State, most: int, seconds: float = inf, seed: int = 0) -> tuple[float, list[int]]:
        """What a claim turn is worth to the actor, and their whole action.

        The first claim of a round is one of so many candidates; of the others all are gone through.
        """
        self._key, self._until = game_key(seed, known.decisions), monotonic() + seconds
        self._judged["look"] = 0
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
            worth = self._foreseen(_after(known, codes), known.actor, -best)
            if worth > best:
                best, chosen = worth, codes
            if monotonic() > self._until:
                break
        return best, chosen

    def _foreseen(self, state: State, seat: int, enough: float) -> float:
        self._board[HERE] = record_of(state)
        return compiled(foresee)(
            self._board, self._options, self._lines, self._waiting, self._judged, self._odds, self._numbers,
            self.weights, self._layer, seat, enough, *self._key,
        )  # fmt: skip

    def _answer(self) -> list[int]:
        line = self._lines[ANSWER]
        return [int(code) for code in line["codes"][: line["steps"]]]

    def _worth_of_reward(self, known: State, codes: list[int]) -> float:
        """Remains bring a die back, Manuscripts show a card; then it is the same turn."""
        after = _after(known, codes)
        if codes[0] != PEEK:
            return self._best(after, FEW)[0]
        return sum(
            chance * self._best(seen, FEW)[0] for chance, seen in peeked_states(after, hidden_in_row(after))
        )


def _after(known: State, codes: list[int]) -> State:
    after = copy_of(known)
    for code in codes:
        apply(after, known.actor, code)
    return after
