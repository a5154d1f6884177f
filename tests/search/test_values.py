"""The value network: what it sees, what it says, and that both carriers agree."""

import random
from typing import Any

import numpy as np
import pytest

from royalcrypt import Game
from royalcrypt.rules.layout import TYPES, copy_of
from royalcrypt.rules.scoring import count_scores
from royalcrypt.search.backend import record_of
from royalcrypt.search.compilation import compiled
from royalcrypt.search.features import (
    COINS,
    END,
    INPUTS,
    INPUTS_AT,
    MEAN,
    SCORE,
    SEAT_INPUTS,
    SEATS_AT,
    encode,
)
from royalcrypt.search.network import LAYER, SCORE_AT, WEIGHTS, WIN_AT, evaluate
from royalcrypt.search.network_training import (
    SCORE_LOSS_WEIGHT,
    Learner,
    gradients,
    initial_weights,
    layers_of,
)

EYE = 1e-5


def views(players: int, seed: int) -> list[Any]:
    """What the actor saw at each decision of a random game."""
    game = Game.new(players=players, seed=seed, collectors="ABABAB" if seed % 2 else "BABABA")
    chance = random.Random(seed)
    found: list[Any] = []
    while game.actor is not None:
        view = game.view(game.actor)
        found.append(view)
        game.play(chance.choice(list(view.moves())))
    return found


def described(view: Any) -> list[float]:
    numbers = [0.0] * END
    encode(copy_of(view.known), view.seat, numbers)
    return numbers


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_both_carriers_see_and_say_the_same(players: int) -> None:
    weights = initial_weights(3)
    numbers: Any = np.zeros(END, np.float32)
    layer: Any = np.zeros(LAYER, np.float32)
    for view in views(players, players)[::7]:
        plain = described(view)
        compiled(encode)(record_of(view.known), view.seat, numbers)
        assert numbers == pytest.approx(plain, abs=EYE)
        said = [0.0] * LAYER
        evaluate(plain, weights.tolist(), said)
        compiled(evaluate)(numbers, weights, layer)
        assert layer[[WIN_AT, SCORE_AT]] == pytest.approx([said[WIN_AT], said[SCORE_AT]], abs=1e-4)


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_hidden_is_expected(players: int) -> None:
    for view in views(players, 5):
        numbers = described(view)
        for seat in view.seats:
            for card_type in range(TYPES):
                held = [card for card in seat.cards if card.type == "IJMPRT"[card_type]]
                expected = sum(card.expected() for card in held)
                assert numbers[COINS + seat.seat * TYPES + card_type] == pytest.approx(expected)


@pytest.mark.parametrize("players", [1, 3])
def test_all_numbers_are_around_one(players: int) -> None:
    for view in views(players, 9):
        assert all(0.0 <= number <= 4.0 for number in described(view)[INPUTS_AT:])


def test_the_score_it_sees_is_the_score_where_nothing_is_hidden() -> None:
    game = Game.new(players=2, seed=4)
    chance = random.Random(4)
    while game.actor is not None:
        game.play(chance.choice(list(game.view(game.actor).moves())))
    state = copy_of(game.view(0).known)
    numbers = [0.0] * END
    encode(state, 0, numbers)
    count_scores(state)
    for order in range(2):
        assert numbers[SCORE + order] == pytest.approx(state.players[order].score)
    assert all(numbers[MEAN + card_type] == 0 for card_type in range(TYPES))


def test_seats_are_counted_from_the_viewer_on() -> None:
    view = views(4, 8)[20]
    state = copy_of(view.known)
    own, other = [0.0] * END, [0.0] * END
    encode(state, 1, own)
    encode(state, 2, other)
    block = slice(SEATS_AT, SEATS_AT + SEAT_INPUTS)
    moved = slice(SEATS_AT + SEAT_INPUTS, SEATS_AT + 2 * SEAT_INPUTS)
    assert own[moved] == other[block]


def test_gradients_agree_with_small_steps() -> None:
    chance = np.random.default_rng(7)
    weights = initial_weights(7).astype(np.float64)
    samples = chance.random((5, INPUTS))
    targets = chance.random((5, 2))

    def loss(at: Any) -> float:
        layers = layers_of(at)
        results = np.maximum(samples @ layers.hidden + layers.hidden_bias, 0) @ layers.results.T
        results = results + layers.results_bias
        win = 1 / (1 + np.exp(-results[:, 0]))
        entropy = -targets[:, 0] * np.log(win) - (1 - targets[:, 0]) * np.log(1 - win)
        return float(np.mean(entropy) + SCORE_LOSS_WEIGHT * np.mean((results[:, 1] - targets[:, 1]) ** 2))

    found, _ = gradients(weights, samples, targets)  # type: ignore[arg-type]
    for index in (0, 500, WEIGHTS - 140, WEIGHTS - 70, WEIGHTS - 2, WEIGHTS - 1):
        step = np.zeros(WEIGHTS)
        step[index] = 1e-6
        slope = (loss(weights + step) - loss(weights - step)) / 2e-6
        assert found[index] == pytest.approx(slope, abs=1e-7, rel=1e-4)


def test_it_learns_what_is_plain_to_see() -> None:
    chance = np.random.default_rng(1)
    samples = np.zeros((4096, INPUTS), np.float32)
    samples[:, :20] = chance.random((4096, 20))
    targets = np.stack([samples[:, 0] > 0.5, samples[:, 1]], axis=1).astype(np.float32)
    learner = Learner.beginning(1)
    first, *_, last = (learner.learn(samples, targets, 2e-3, chance) for _ in range(31))
    assert last.win < first.win / 2
    assert last.score < first.score / 4
