"""The step function gives the same results plain and compiled. Plain, an index error would raise."""

import random
from typing import Any

import numpy as np
import pytest

from royalcrypt.envs.games import CompiledGames, EnvConfig
from royalcrypt.envs.kernel import BatchParameters, GameStatus, step_games
from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.layout import State, _plain_class, blank, copy_of, dump, no_options
from tests.envs.playing import chosen


class PlainBoard:
    """A list of plain states; assignment copies."""

    def __init__(self, games: int) -> None:
        self._states = [blank() for _ in range(games + 1)]

    def __getitem__(self, index: int) -> State:
        return self._states[index]

    def __setitem__(self, index: int, state: State) -> None:
        self._states[index] = copy_of(state)


def plain_copy(record: Any, declaration: type) -> Any:
    bag: Any = _plain_class(declaration)()
    for name, value in dump(record, declaration).items():
        setattr(bag, name, value)
    return bag


class PlainGames:
    """The same games, stepped by the plain function on plain objects."""

    def __init__(self, games: CompiledGames) -> None:
        self.board = PlainBoard(len(games.statuses))
        self.deals = [plain_copy(deal, GameStatus) for deal in games.statuses]
        self.plan = plain_copy(games.parameters[0], BatchParameters)
        self.sides = games.sides.tolist()
        self.results: list[Any] = [np.zeros_like(array) for array in games.results]

    def begin_next(self) -> None:
        self.step(np.zeros(len(self.deals), np.int64), is_beginning=True)

    def step(self, actions: Any, *, is_beginning: bool = False) -> None:
        memory = (self.board, self.deals, [no_options()], [self.plan], self.sides)
        kernel: Any = step_games
        kernel(*memory, actions.tolist(), is_beginning, *self.results)


@pytest.mark.parametrize("is_endless", [False, True], ids=["one game", "endless"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_plain_and_compiled_steps_are_equal(players: int, is_endless: bool) -> None:
    compiled = CompiledGames(
        EnvConfig(players, "random", None if players > 1 else 0), 2, is_endless=is_endless
    )
    compiled.begin(2**40 + 1, 3)
    plain = PlainGames(compiled)
    for games in (compiled, plain):
        games.begin_next()
    rng, ended = random.Random(players), 0
    for step in range(100):
        same(compiled, plain)
        actions = np.array([ACTIONS if step == 7 else chosen(mask, rng) for mask in compiled.masks])
        ended += compiled.step(actions)
        plain.step(actions)
        if (compiled.actors < 0).any():
            same(compiled, plain)
            for games in (compiled, plain):
                games.begin_next()
    assert ended > 2


def same(compiled: CompiledGames, plain: PlainGames) -> None:
    for one, other in zip(compiled.results, plain.results, strict=True):
        assert np.array_equal(one, other)
    for game, deal in enumerate(plain.deals):
        assert dump(compiled.statuses[game], GameStatus) == dump(deal, GameStatus)
        assert dump(compiled.state(game)) == dump(plain.board[game + 1])
