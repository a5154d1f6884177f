"""Builds the columns of a data set by playing games of a plan, or by replaying their steps."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any

import numba
import numpy as np

from royalcrypt.bots import Budget, bot_named
from royalcrypt.lab.dataset.kernels import (
    DECISION,
    RESULT,
    SCORE,
    STEPS_AT_MOST,
    UNSOUND,
    WIN,
    DecisionRow,
    DecisionRows,
    ResultRow,
    ResultRows,
    play_heir_game,
    trace,
)
from royalcrypt.lab.dataset.plans import STRONG, DatasetPlan
from royalcrypt.lab.tables import Deal, chosen
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.rules.layout import CHANCE, NOBODY, SEATS, blank
from royalcrypt.rules.reveal import ROUNDS, set_up
from royalcrypt.rules.turns import apply
from royalcrypt.search.compilation import compiled, name_type
from royalcrypt.search.network import SCORE_SCALE, learned_weights
from royalcrypt.search.simulation import STUCK
from royalcrypt.search.workspace import new_workspace

name_type(DecisionRow, numba.from_dtype(DECISION))
name_type(DecisionRows, numba.from_dtype(DECISION)[::1])
name_type(ResultRow, numba.from_dtype(RESULT))
name_type(ResultRows, numba.from_dtype(RESULT)[::1])

Column = np.ndarray[Any, np.dtype[Any]]
Columns = dict[str, Column]
WIN_DIGITS, SCORE_DIGITS = 3, 1


class UnsoundSteps(ValueError):  # noqa: N818 (external data)
    """The steps of the game with this number break the rules or do not follow its seed."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True, slots=True)
class Rows:
    """The columns of each table, by name, for consecutive games."""

    games: Columns
    seats: Columns
    decisions: Columns

    @classmethod
    def joined(cls, parts: "list[Rows]") -> "Rows":
        def join(table: str) -> Columns:
            columns: list[Columns] = [getattr(part, table) for part in parts]
            return {name: np.concatenate([part[name] for part in columns]) for name in columns[0]}

        return cls(*(join(field.name) for field in fields(cls)))


class RowBuilder:
    """Plays or replays games one by one and collects their rows."""

    def __init__(self) -> None:
        self._steps_buffer: Any = np.zeros(STEPS_AT_MOST, np.int16)
        self._predictions_buffer: Any = np.zeros((STEPS_AT_MOST, 2), np.float32)
        self._decisions_buffer: Any = np.zeros(STEPS_AT_MOST, DECISION)
        self._results_buffer: Any = np.zeros(SEATS, RESULT)
        self._work: Any = new_workspace()
        self._games: dict[str, list[int]] = defaultdict(list)
        self._steps: list[Column] = []
        self._results: list[Column] = []
        self._decisions: list[Column] = []
        self._predictions: list[Column] = []

    def play(self, dealt: Deal, simulations: int) -> None:
        """Play a game and add its rows; only games of the strong bot have predictions."""
        if set(dealt.bots) != {STRONG}:
            self.add(dealt, np.array(_bot_steps(dealt, simulations), np.int16), self._predictions_buffer[:0])
            return
        count = compiled(play_heir_game)(
            self._work, learned_weights(), self._steps_buffer, self._predictions_buffer, *_set_up_of(dealt)
        )
        if count == STUCK:
            raise RuntimeError(f"{dealt.chance} found no end: a defect in the rules")
        self.add(dealt, self._steps_buffer[:count], self._predictions_buffer)

    def add(self, dealt: Deal, steps: Column, predictions: Column) -> None:
        """Add the game with these steps. Raises UnsoundSteps if they contradict the rules or its chance."""
        given: Any = steps
        count = compiled(trace)(
            self._work.board, self._work.options, given, len(steps), self._decisions_buffer,
            self._results_buffer, *_set_up_of(dealt),
        )  # fmt: skip
        if count == UNSOUND:
            raise UnsoundSteps(dealt.number)
        players = len(dealt.bots)
        game = {
            "game": dealt.number,
            "players": players,
            "collectors": sum(side << card_type for card_type, side in enumerate(dealt.sides)),
            "leader": dealt.leader,
            "rounds": ROUNDS[players],
            "decisions": count,
            "length": len(steps),
        }
        for name, number in game.items():
            self._games[name].append(number)
        self._steps.append(steps.astype(np.uint8))
        self._results.append(self._results_buffer[:players].copy())
        self._decisions.append(self._decisions_buffer[:count].copy())
        self._predictions.append(predictions[:count].copy())

    def rows(self) -> Rows:
        games: Columns = {name: np.array(numbers, np.int32) for name, numbers in self._games.items()}
        return Rows(
            games | {"steps": np.concatenate(self._steps)}, self._seat_rows(games), self._decision_rows(games)
        )

    def _seat_rows(self, games: Columns) -> Columns:
        results = np.concatenate(self._results)
        found: Columns = {"game": np.repeat(games["game"], games["players"])}
        found["seat"] = _numbered(games["players"])
        for name in ("score", "place", "is_winner", "treasure", "servants"):
            found[name] = results[name]
        for name in ("bonus", "held"):
            for card_type, word in enumerate(TYPE_NAMES):
                found[f"{name}_{word}"] = results[name][:, card_type]
        return found

    def _decision_rows(self, games: Columns) -> Columns:
        decisions = np.concatenate(self._decisions)
        found: Columns = {"game": np.repeat(games["game"], games["decisions"])}
        found["decision"] = _numbered(games["decisions"])
        for name in ("step", "round", "phase", "seat", "action", "legal"):
            found[name] = decisions["round_number" if name == "round" else name]
        predictions = np.concatenate(self._predictions)
        if len(predictions):
            found["win"] = predictions[:, WIN].round(WIN_DIGITS)
            found["score"] = (predictions[:, SCORE] * SCORE_SCALE).round(SCORE_DIGITS)
        return found


def _set_up_of(dealt: Deal) -> tuple[Any, int, int, int, int]:
    """The deal's parameters in the order of the kernels' last arguments."""
    return np.array(dealt.sides, np.int16), len(dealt.bots), dealt.leader, *dealt.chance.key


def _numbered(counts: Column) -> Column:
    """Consecutive numbers for each game, starting at 0."""
    ends: Any = np.cumsum(counts)
    return np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)


def _bot_steps(dealt: Deal, simulations: int) -> list[int]:
    """All steps of a game whose bots choose move by move."""
    budget = Budget(simulations, seed=dealt.bots_seed)
    bots = [bot_named(name) for name in dealt.bots]
    state = blank()
    set_up(state, len(bots), dealt.sides, dealt.leader)
    steps: list[int] = []
    while state.actor != NOBODY:
        is_chance = state.actor == CHANCE
        codes = [dealt.chance.outcome(state)] if is_chance else chosen(state, bots[state.actor], budget)
        for code in codes:
            apply(state, state.actor, code)
        steps += codes
    return steps


def kernels(plan: DatasetPlan) -> tuple[Callable[..., object], ...]:
    """The functions that this plan needs compiled."""
    return (play_heir_game, trace) if plan.bot == STRONG else (trace,)


def play_batch(plan: DatasetPlan, numbers: range) -> Rows:
    """Play these games; the rows depend only on the plan."""
    builder = RowBuilder()
    for number in numbers:
        builder.play(plan.deal(number), plan.simulations)
    return builder.rows()


def trace_games(plan: DatasetPlan, numbers: range, steps: Iterable[Column]) -> Rows:
    """Build the same rows, but without predictions, from the steps of each game. Raises UnsoundSteps."""
    builder = RowBuilder()
    for number, taken in zip(numbers, steps, strict=True):
        builder.add(plan.deal(number), taken.astype(np.int16), np.zeros((0, 2), np.float32))
    return builder.rows()
