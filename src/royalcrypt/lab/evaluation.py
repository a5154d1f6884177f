"""Evaluation of positions and of actions for a seat, based on the seat's knowledge.

The rest of the round is played out many times (``lab.round_rollouts``). The seat takes the action with the
highest value, others usually do. The value network evaluates the end of a round; at the end of the game the
scores count. When no decisions remain, all chance outcomes are enumerated.
"""

from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

import numpy as np

from royalcrypt.lab.backends import plain_of
from royalcrypt.lab.round_rollouts import CHOICES, ENTRIES, POLICY_ENTRY, index_of, roll_out_round
from royalcrypt.rules import phases
from royalcrypt.rules.chance import game_key
from royalcrypt.rules.layout import SPECTATOR, State, copy_of
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.backend import record_of
from royalcrypt.search.candidates import digest_of
from royalcrypt.search.compilation import compiled
from royalcrypt.search.endgame import Prospect, is_in_last_round, only_chance_is_left
from royalcrypt.search.forecasts import ActionCodes, Forecaster, is_last_turn_of_game
from royalcrypt.search.network import SCORE_SCALE, Evaluator, worth_of
from royalcrypt.search.rollouts import RatedAction, RolloutPlan, RolloutSearch
from royalcrypt.search.workspace import CANDIDATE, KNOWN, ROOT, new_workspace

CONSIDERED = 6
"""The number of actions that the policy of each player compares."""
TEMPERATURE = 0.01
"""The softmax temperature of other players: this gain in win chance makes an action 2.7 times as likely."""
FINALISTS = 6
"""The number of actions that are compared with all rollouts."""
SCREENING = 4
"""The finalists are selected with one in this many rollouts."""
LAST_ROUND = 4
"""The factor of the budget in the last round, where results are wins or losses."""
FEWEST = 8
NOTHING: ActionCodes = ()


@dataclass(frozen=True, slots=True)
class EvaluationBudget:
    rollouts: int = 256
    """The number of rollouts of the rest of a round."""
    rows: int = 48
    """The number of rows sampled before each Reveal."""
    candidates: int = 16
    """The number of candidates to compare with the action played."""
    policy_rollouts: int = 96
    """The number of rollouts for each simulated decision of the policy."""

    @classmethod
    def of(cls, simulations: int) -> "EvaluationBudget":
        """A budget in proportion to this number of rollouts of a round."""
        usual = cls()
        rows, policy_rollouts = (
            max(FEWEST, int(number * simulations / usual.rollouts))
            for number in (usual.rows, usual.policy_rollouts)
        )
        return cls(simulations, rows, policy_rollouts=policy_rollouts)


@dataclass(frozen=True, slots=True)
class Expectation:
    """A seat's expected share of the win (solo: the chance of the best title), and its expected score."""

    win: float
    score: float

    def plus(self, win: float, score: float) -> "Expectation":
        return Expectation(min(1.0, max(0.0, self.win + win)), self.score + score)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The action played and the best action; equal if no other one is clearly better."""

    best: ActionCodes
    best_expectation: Expectation
    played_expectation: Expectation


class PositionEvaluator:
    """Evaluates positions of one round; caches the policy of claim turns for all seats."""

    def __init__(self, budget: EvaluationBudget) -> None:
        self.budget = budget
        self._judge, self._chooser = Evaluator(), RolloutSearch()
        self._work: Any = new_workspace()
        self._policy: Any = np.zeros(ENTRIES, POLICY_ENTRY)
        self._roll_out: Any = compiled(roll_out_round)
        self._cached = 0

    def of(self, state: State, seat: int) -> Expectation:
        """The expectation of a seat, based on its knowledge of the state."""
        known = copy_of(state)
        conceal(known, seat)
        if only_chance_is_left(known):
            return _expectation(Forecaster(self._judge, seat).of(known), seat)
        if known.phase == phases.REVEAL:
            prediction = self._judge.prediction(known, seat)
            return Expectation(prediction.win, prediction.score)
        win, score = self._results(known, [NOTHING], self._rollouts(known), seat)[:, 0].mean(axis=0)
        return Expectation(float(win), float(score))

    def drift(self, state: State) -> list[Expectation]:
        """The change of each seat's expectation before a Reveal if the round is simulated.

        Rows and hidden cards are sampled from public knowledge, always the same ones for the same state.
        """
        public = copy_of(state)
        conceal(public, SPECTATOR)
        seats = scoring_seats(public)
        is_last = public.deck == row_length(public)
        rows = self.budget.rows * (LAST_ROUND if is_last else 1)
        starts, ends = (np.zeros((rows, 2 * seats), np.float32) for _ in range(2))
        for row in range(rows):
            self._clear_cache()  # Digests of positions do not depend on the sampled row.
            self._roll_out_all(public, [NOTHING], range(row, row + 1), SPECTATOR, range(seats), starts, ends)
        self._clear_cache()
        change = (ends - starts).mean(axis=0)
        return [Expectation(float(change[2 * seat]), float(change[2 * seat + 1])) for seat in range(seats)]

    def compare(self, state: State, seat: int, played: ActionCodes) -> Comparison:
        """Compare the action played with others, using the same dice and cards for each."""
        known = copy_of(state)
        conceal(known, seat)
        if is_last_turn_of_game(known):
            return self._compare_exactly(known, seat, played)
        listed = [tuple(one.codes) for one in self._chooser.candidates(known, self.budget.candidates)]
        actions = [played, *(action for action in listed if action != played)]
        rollouts = self._rollouts(known)
        if len(actions) > FINALISTS + 1:
            few = self._results(known, actions, rollouts // SCREENING, seat)
            worth = _worth(few, known).mean(axis=0)
            order = sorted(range(1, len(actions)), key=lambda index: -worth[index])
            actions = [played, *(actions[index] for index in order[:FINALISTS])]
        return self._best_of(known, actions, self._results(known, actions, rollouts, seat))

    def _best_of(self, known: State, actions: list[ActionCodes], found: Any) -> Comparison:
        """Select with one half of the rollouts and evaluate with the other, for an unbiased value."""
        half = len(found) // 2
        worth = _worth(found, known)
        best = int(worth[:half].mean(axis=0).argmax())
        gain = found[half:, best] - found[half:, 0]
        wanted = gain[:, 1] if known.is_solo else gain[:, 0]
        played_expectation = Expectation(float(found[:, 0, 0].mean()), float(found[:, 0, 1].mean()))
        error = float(wanted.std()) / sqrt(len(wanted))
        if best == 0 or float(wanted.mean()) <= error:
            return Comparison(actions[0], played_expectation, played_expectation)
        best_expectation = played_expectation.plus(float(gain[:, 0].mean()), float(gain[:, 1].mean()))
        return Comparison(actions[best], best_expectation, played_expectation)

    def _compare_exactly(self, known: State, seat: int, played: ActionCodes) -> Comparison:
        """Compare actions on the last turn of the game by enumerating all outcomes."""
        outlook = Forecaster(self._judge, seat)
        found = dict(outlook.last_actions(known))
        if played not in found:
            found[played] = outlook.of(_after(known, seat, played))
        best = max(found, key=lambda action: found[action].rank(seat))
        if found[best].rank(seat)[0] <= found[played].rank(seat)[0]:
            best = played
        return Comparison(best, _expectation(found[best], seat), _expectation(found[played], seat))

    def _rollouts(self, known: State) -> int:
        return self.budget.rollouts * (LAST_ROUND if is_in_last_round(known) else 1)

    def _results(self, known: State, actions: list[ActionCodes], rollouts: int, seat: int) -> Any:
        """The seat's win and score, by rollout and action."""
        ends = np.zeros((rollouts * len(actions), 2), np.float32)
        self._roll_out_all(known, actions, range(rollouts), seat, range(seat, seat + 1), ends, ends)
        return ends.reshape(rollouts, len(actions), 2).astype(np.float64)

    def _roll_out_all(
        self, known: State, actions: list[ActionCodes], rollouts: range, viewer: int, seats: range,
        starts: Any, ends: Any,
    ) -> None:  # fmt: skip
        """Run the kernel to its end; whenever it stops at a claim turn, add the policy of that turn."""
        tried = _as_candidates(actions)
        self._work.board[ROOT] = record_of(known)
        done = rollouts.start
        while done < rollouts.stop:
            done = self._roll_out(
                self._work, self._policy, tried, len(actions), done, rollouts.stop, viewer, seats.start,
                seats.stop, starts, ends, self._chooser.weights, *game_key(0, known.round_number),
            )  # fmt: skip
            if done < rollouts.stop:
                self._add_policy()

    def _add_policy(self) -> None:
        """Cache the policy of the claim turn in ``board[KNOWN]``."""
        known = plain_of(self._work.board[KNOWN])
        look = digest_of(known)
        known.decisions = 0  # The policy must not depend on the number of earlier decisions.
        found = self._chooser.compared(known, RolloutPlan(CONSIDERED, self.budget.policy_rollouts))[:CHOICES]
        if self._cached > ENTRIES // 2:
            self._clear_cache()
        entry = self._policy[index_of(self._policy, look)]
        entry["look"] = look
        entry["actions"][: len(found)] = _as_candidates([tuple(one.codes) for one in found])
        entry["chances"] = _cumulative_chances(found)
        self._cached += 1

    def _clear_cache(self) -> None:
        self._policy["look"] = 0
        self._work.replies["digest"] = 0
        self._cached = 0


def _as_candidates(actions: list[ActionCodes]) -> Any:
    found: Any = np.zeros(len(actions), CANDIDATE)
    for candidate, action in zip(found, actions, strict=True):
        candidate["codes"][: len(action)] = action
        candidate["steps"] = len(action)
    return found


def _cumulative_chances(found: list[RatedAction]) -> list[float]:
    """The cumulative softmax probabilities of the candidates, padded to the size of a policy entry."""
    weights = [exp((one.value - found[0].value) / TEMPERATURE) for one in found]
    sums = [sum(weights[: index + 1]) / sum(weights) for index in range(len(found))]
    return sums + [1.0] * (CHOICES - len(found))


def _worth(found: Any, known: State) -> Any:
    """The value to be maximised: the win, then the score; in solo games the score."""
    return found[:, :, 1] if known.is_solo else worth_of(found[:, :, 0], found[:, :, 1] / SCORE_SCALE, 0)


def _after(known: State, seat: int, action: ActionCodes) -> State:
    after = copy_of(known)
    for code in action:
        apply(after, seat, code)
    return after


def _expectation(prospect: Prospect, seat: int) -> Expectation:
    return Expectation(prospect.wins[seat] if prospect.wins else prospect.titles[0], prospect.scores[seat])
