"""What a seat may expect of a moment, and of each action it may take, by what it knows.

The rest of the round is played out many times (``lab.futures``). The seat itself is expected to do what it
finds best, others mostly so; learned values say what the end of a round is worth, and at the end of the game
the scores. Once nothing but chance is left of a game, all that may come is counted.
"""

from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

import numpy as np

from royalcrypt.lab.carriers import plain_of
from royalcrypt.lab.futures import ANSWER, PAGES, WAYS, go_on, page_of
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

THOUGHTS = 6
"""Actions among which everybody chooses."""
LIKING = 0.01
"""How much more of the win makes an action 2.7 times as likely for others."""
FINALISTS = 6
"""Actions that are compared with all tries; a first few show which."""
FIRST_FEW = 4
"""A part of the tries."""
TO_THE_END = 4
"""Times as much of all in the last round, whose end is won or lost and nothing between."""
FEWEST = 8
NOTHING: ActionCodes = ()


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard the judge thinks."""

    tries: int = 256
    """Of the rest of a round."""
    rows: int = 48
    """That are imagined before each Reveal."""
    candidates: int = 16
    """Actions that are looked at besides the one played."""
    thought: int = 96
    """Tries that everybody who decides in these futures gives to it."""

    @classmethod
    def of(cls, simulations: int) -> "Effort":
        """All in proportion to the tries of a round."""
        usual = cls()
        part = simulations / usual.tries
        return cls(
            simulations, max(FEWEST, int(usual.rows * part)), thought=max(FEWEST, int(usual.thought * part))
        )


@dataclass(frozen=True, slots=True)
class Hope:
    """What a seat may expect: its share of the win (alone: to be The Magnificent) and its coins."""

    win: float
    score: float

    def plus(self, win: float, score: float) -> "Hope":
        return Hope(min(1.0, max(0.0, self.win + win)), self.score + score)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was played, beside the best that was found; both are the same where nothing is clearly better."""

    best: ActionCodes
    best_hope: Hope
    played_hope: Hope


class Reckoner:
    """For one round; what it has thought about is kept, for all seats."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self._judge, self._rollouts = Evaluator(), RolloutSearch()
        self._work: Any = new_workspace()
        self._answers: Any = np.zeros(PAGES, ANSWER)
        self._go_on: Any = compiled(go_on)
        self._written = 0

    def of(self, state: State, seat: int) -> Hope:
        """Of any moment; what the state tells more than the seat knows is not looked at."""
        known = copy_of(state)
        conceal(known, seat)
        if only_chance_is_left(known):
            return _told(Forecaster(self._judge, seat).of(known), seat)
        if known.phase == phases.REVEAL:
            prediction = self._judge.prediction(known, seat)
            return Hope(prediction.win, prediction.score)
        win, score = self._futures(known, [NOTHING], self._tries(known), seat)[:, 0].mean(axis=0)
        return Hope(float(win), float(score))

    def drift(self, state: State) -> list[Hope]:
        """By seat: how much the expectation changes before a Reveal if a round is looked ahead.

        Of rows and hidden cards that may come as far as everybody knows; the same ones every time.
        """
        public = copy_of(state)
        conceal(public, SPECTATOR)
        seats = scoring_seats(public)
        is_last = public.deck == row_length(public)
        rows = self.effort.rows * (TO_THE_END if is_last else 1)
        starts, ends = (np.zeros((rows, 2 * seats), np.float32) for _ in range(2))
        for row in range(rows):
            self._forget()  # a digest does not tell one imagined row from another
            self._play(public, [NOTHING], range(row, row + 1), SPECTATOR, range(seats), starts, ends)
        self._forget()
        change = (ends - starts).mean(axis=0)
        return [Hope(float(change[2 * seat]), float(change[2 * seat + 1])) for seat in range(seats)]

    def compare(self, state: State, seat: int, played: ActionCodes) -> Comparison:
        """At the seat's decision: what was played and the best alternative, with the same luck for both."""
        known = copy_of(state)
        conceal(known, seat)
        if is_last_turn_of_game(known):
            return self._counted(known, seat, played)
        listed = [tuple(one.codes) for one in self._rollouts.candidates(known, self.effort.candidates)]
        actions = [played, *(action for action in listed if action != played)]
        tries = self._tries(known)
        if len(actions) > FINALISTS + 1:
            few = self._futures(known, actions, tries // FIRST_FEW, seat)
            worth = _worth(few, known).mean(axis=0)
            order = sorted(range(1, len(actions)), key=lambda index: -worth[index])
            actions = [played, *(actions[index] for index in order[:FINALISTS])]
        return self._chosen(known, actions, self._futures(known, actions, tries, seat))

    def _chosen(self, known: State, actions: list[ActionCodes], found: Any) -> Comparison:
        """One half of the tries says which is the best, the other how good it is: else luck would count."""
        half = len(found) // 2
        worth = _worth(found, known)
        best = int(worth[:half].mean(axis=0).argmax())
        ahead = found[half:, best] - found[half:, 0]
        wanted = ahead[:, 1] if known.is_solo else ahead[:, 0]
        played_hope = Hope(float(found[:, 0, 0].mean()), float(found[:, 0, 1].mean()))
        error = float(wanted.std()) / sqrt(len(wanted))
        if best == 0 or float(wanted.mean()) <= error:
            return Comparison(actions[0], played_hope, played_hope)
        best_hope = played_hope.plus(float(ahead[:, 0].mean()), float(ahead[:, 1].mean()))
        return Comparison(actions[best], best_hope, played_hope)

    def _counted(self, known: State, seat: int, played: ActionCodes) -> Comparison:
        """On the last turn of the game all that may come is gone through."""
        outlook = Forecaster(self._judge, seat)
        found = dict(outlook.last_actions(known))
        if played not in found:
            found[played] = outlook.of(_after(known, seat, played))
        best = max(found, key=lambda action: found[action].rank(seat))
        if found[best].rank(seat)[0] <= found[played].rank(seat)[0]:
            best = played
        return Comparison(best, _told(found[best], seat), _told(found[played], seat))

    def _tries(self, known: State) -> int:
        return self.effort.tries * (TO_THE_END if is_in_last_round(known) else 1)

    def _futures(self, known: State, actions: list[ActionCodes], tries: int, seat: int) -> Any:
        """By try and action, win and score of the seat."""
        ends = np.zeros((tries * len(actions), 2), np.float32)
        self._play(known, actions, range(tries), seat, range(seat, seat + 1), ends, ends)
        return ends.reshape(tries, len(actions), 2).astype(np.float64)

    def _play(
        self,
        known: State,
        actions: list[ActionCodes],
        tries: range,
        viewer: int,
        seats: range,
        starts: Any,
        ends: Any,
    ) -> None:
        tried = _as_candidates(actions)
        self._work.board[ROOT] = record_of(known)
        done = tries.start
        while done < tries.stop:
            done = self._go_on(
                self._work, self._answers, tried, len(actions), done, tries.stop, viewer, seats.start,
                seats.stop, starts, ends, self._rollouts.weights, *game_key(0, known.round_number),
            )  # fmt: skip
            if done < tries.stop:
                self._think()

    def _think(self) -> None:
        """About the claim turn ``board[KNOWN]``, and write down what came of it."""
        known = plain_of(self._work.board[KNOWN])
        look = digest_of(known)
        known.decisions = 0  # the same thought, whichever way led to it
        found = self._rollouts.compared(known, RolloutPlan(THOUGHTS, self.effort.thought))[:WAYS]
        if self._written > PAGES // 2:
            self._forget()
        page = self._answers[page_of(self._answers, look)]
        page["look"] = look
        page["ways"][: len(found)] = _as_candidates([tuple(one.codes) for one in found])
        page["chances"] = _chances(found)
        self._written += 1

    def _forget(self) -> None:
        self._answers["look"] = 0
        self._work.replies["digest"] = 0
        self._written = 0


def _as_candidates(actions: list[ActionCodes]) -> Any:
    found: Any = np.zeros(len(actions), CANDIDATE)
    for candidate, action in zip(found, actions, strict=True):
        candidate["codes"][: len(action)] = action
        candidate["steps"] = len(action)
    return found


def _chances(found: list[RatedAction]) -> list[float]:
    """Added up, for as many as are written down."""
    likings = [exp((one.value - found[0].value) / LIKING) for one in found]
    added = [sum(likings[: index + 1]) / sum(likings) for index in range(len(found))]
    return added + [1.0] * (WAYS - len(found))


def _worth(found: Any, known: State) -> Any:
    """By which the best is looked for: the win, and of equals the score; alone the score."""
    return found[:, :, 1] if known.is_solo else worth_of(found[:, :, 0], found[:, :, 1] / SCORE_SCALE, 0)


def _after(known: State, seat: int, action: ActionCodes) -> State:
    after = copy_of(known)
    for code in action:
        apply(after, seat, code)
    return after


def _told(prospect: Prospect, seat: int) -> Hope:
    return Hope(prospect.wins[seat] if prospect.wins else prospect.titles[0], prospect.scores[seat])
