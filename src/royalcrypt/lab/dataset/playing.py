"""Games of a data set, played by their plan or read from their steps, as columns of numbers."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from royalcrypt.bots import Budget, bot_named
from royalcrypt.lab.dataset.heirs import SCORE, STEPS_AT_MOST, WIN, play_as_heirs
from royalcrypt.lab.dataset.plans import STRONG, Plan
from royalcrypt.lab.dataset.tracing import (
    DECISION,
    ENDING,
    UNSOUND,
    Decision,
    Decisions,
    Ending,
    Endings,
    trace,
)
from royalcrypt.lab.tables import Deal, chosen
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.rules.layout import CHANCE, NOBODY, SEATS, blank
from royalcrypt.rules.reveal import ROUNDS, set_up
from royalcrypt.rules.turns import apply
from royalcrypt.search.compilation import compiled, name_type
from royalcrypt.search.network import SCORE_SCALE, learned_weights
from royalcrypt.search.simulation import STUCK
from royalcrypt.search.workspace import new_workspace

name_type(Decision, numba.from_dtype(DECISION))
name_type(Decisions, numba.from_dtype(DECISION)[::1])
name_type(Ending, numba.from_dtype(ENDING))
name_type(Endings, numba.from_dtype(ENDING)[::1])

Column = np.ndarray[Any, np.dtype[Any]]
Columns = dict[str, Column]
WIN_DIGITS, SCORE_DIGITS = 3, 1


@dataclass(frozen=True, slots=True)
class Rows:
    """Some games, one after the other: columns of each table, by name."""

    games: Columns
    seats: Columns
    decisions: Columns

    @classmethod
    def together(cls, several: "list[Rows]") -> "Rows":
        def joined(parts: list[Columns]) -> Columns:
            return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

        return cls(
            joined([one.games for one in several]),
            joined([one.seats for one in several]),
            joined([one.decisions for one in several]),
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """Games that one worker plays in a row."""

    plan: Plan
    numbers: range


class UnsoundSteps(ValueError):  # noqa: N818 (somebody's data, no error of ours)
    """Steps that do not tell the game of this number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Desk:
    """What games are played and traced on."""

    def __init__(self) -> None:
        self._steps: Any = np.zeros(STEPS_AT_MOST, np.int16)
        self._hopes: Any = np.zeros((STEPS_AT_MOST, 2), np.float32)
        self._decisions: Any = np.zeros(STEPS_AT_MOST, DECISION)
        self._endings: Any = np.zeros(SEATS, ENDING)
        self._work: Any = new_workspace()

    def play(self, dealt: Deal, simulations: int) -> tuple[Column, Column]:
        """The steps of the game, and what its players hoped for; nothing where nobody tells."""
        if set(dealt.bots) != {STRONG}:
            return np.array(_asked(dealt, simulations), np.int16), self._hopes[:0]
        count = compiled(play_as_heirs)(
            self._work, learned_weights(), self._steps, self._hopes, _sides(dealt), len(dealt.bots),
            dealt.leader, *dealt.chance.key,
        )  # fmt: skip
        if count == STUCK:
            raise RuntimeError(f"{dealt.chance} found no end: a defect in the rules")
        return self._steps[:count], self._hopes

    def trace(self, dealt: Deal, steps: Any) -> tuple[Column, Column]:
        """What the steps tell of decisions, and of seats in the end."""
        count = compiled(trace)(
            self._work.board, self._work.options, steps, len(steps), self._decisions, self._endings,
            _sides(dealt), len(dealt.bots), dealt.leader, *dealt.chance.key,
        )  # fmt: skip
        if count == UNSOUND:
            raise UnsoundSteps(dealt.number)
        return self._decisions[:count], self._endings[: len(dealt.bots)]


def _sides(dealt: Deal) -> Any:
    return np.array(dealt.sides, np.int16)


def _asked(dealt: Deal, simulations: int) -> list[int]:
    """Every step of a game whose bots are asked move by move."""
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


def entries(plan: Plan) -> tuple[Callable[..., object], ...]:
    """What is to be compiled first."""
    return (play_as_heirs, trace) if plan.bot == STRONG else (trace,)


def play_batch(batch: Batch) -> Rows:
    """What follows from the plan alone, wherever it is done."""
    desk, plan = Desk(), batch.plan
    harvest = Harvest()
    for number in batch.numbers:
        dealt = plan.deal(number)
        steps, hopes = desk.play(dealt, plan.simulations)
        harvest.add(dealt, steps, *desk.trace(dealt, steps), hopes)
    return harvest.rows()


def trace_games(plan: Plan, numbers: range, steps: Iterable[Column]) -> Rows:
    """The same from the steps of each game; hopes are not among them. UnsoundSteps if they are not sound."""
    desk, harvest = Desk(), Harvest()
    for number, taken in zip(numbers, steps, strict=True):
        dealt = plan.deal(number)
        row = taken.astype(np.int16)
        harvest.add(dealt, row, *desk.trace(dealt, row), np.zeros((0, 2), np.float32))
    return harvest.rows()


class Harvest:
    """Games are added one by one."""

    def __init__(self) -> None:
        self._games: dict[str, list[int]] = defaultdict(list)
        self._steps: list[Column] = []
        self._endings: list[Column] = []
        self._decisions: list[Column] = []
        self._hopes: list[Column] = []

    def add(self, dealt: Deal, steps: Column, decisions: Column, endings: Column, hopes: Column) -> None:
        players = len(dealt.bots)
        game = {
            "game": dealt.number,
            "players": players,
            "collectors": sum(side << card_type for card_type, side in enumerate(dealt.sides)),
            "leader": dealt.leader,
            "rounds": ROUNDS[players],
            "decisions": len(decisions),
            "length": len(steps),
        }
        for name, number in game.items():
            self._games[name].append(number)
        self._steps.append(steps.astype(np.uint8))
        self._endings.append(endings.copy())
        self._decisions.append(decisions.copy())
        self._hopes.append(hopes[: len(decisions)].copy())

    def rows(self) -> Rows:
        games: Columns = {name: np.array(numbers, np.int32) for name, numbers in self._games.items()}
        return Rows(
            games | {"steps": np.concatenate(self._steps)}, self._seat_rows(games), self._decision_rows(games)
        )

    def _seat_rows(self, games: Columns) -> Columns:
        endings = np.concatenate(self._endings)
        found: Columns = {"game": np.repeat(games["game"], games["players"])}
        found["seat"] = _counted(games["players"])
        for name in ("score", "place", "is_winner", "treasure", "servants"):
            found[name] = endings[name]
        for name in ("bonus", "held"):
            for card_type, word in enumerate(TYPE_NAMES):
                found[f"{name}_{word}"] = endings[name][:, card_type]
        return found

    def _decision_rows(self, games: Columns) -> Columns:
        decisions = np.concatenate(self._decisions)
        found: Columns = {"game": np.repeat(games["game"], games["decisions"])}
        found["decision"] = _counted(games["decisions"])
        for name, field in (
            ("step", "step"),
            ("round", "round_number"),
            ("phase", "phase"),
            ("seat", "seat"),
        ):
            found[name] = decisions[field]
        found |= {name: decisions[name] for name in ("action", "legal")}
        hopes = np.concatenate(self._hopes)
        if len(hopes):
            found["win"] = hopes[:, WIN].round(WIN_DIGITS)
            found["score"] = (hopes[:, SCORE] * SCORE_SCALE).round(SCORE_DIGITS)
        return found


def _counted(counts: Column) -> Column:
    """From 0 up in every game."""
    ends: Any = np.cumsum(counts)
    return np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
