"""Learns the game by self-play with OpenSpiel and NumPy alone: python train_openspiel.py [--games 10000]

A network with one hidden layer gets the observation of the seat that decides, and gives a probability for
every action and an expected margin. It plays all seats. Each batch of games is one update (actor-critic).
From time to time it plays against random players.
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np
import pyspiel

from royalcrypt.envs import openspiel  # The import registers the game.

NAME = openspiel.GAME_TYPE.short_name
POINTS = 20  # a margin this large counts as 1


class Network:
    def __init__(self, inputs, actions, rng, hidden=64):
        start = {
            "in": [[rng.gauss(0, inputs**-0.5) for _ in range(hidden)] for _ in range(inputs)],
            "bias": np.zeros(hidden),
            "policy": np.zeros((hidden, actions)),
            "value": np.zeros(hidden),
        }
        self.weights = {name: np.array(found, np.float32) for name, found in start.items()}
        self.moments = {name: [np.zeros_like(w), np.zeros_like(w)] for name, w in self.weights.items()}
        self.steps = 0

    def judge(self, seen, masks):
        """The hidden layer, the probabilities of legal actions, and the expected margins."""
        hidden = np.tanh(seen @ self.weights["in"] + self.weights["bias"])
        logits = np.where(masks, hidden @ self.weights["policy"], -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, chances / chances.sum(axis=1, keepdims=True), hidden @ self.weights["value"]

    def learn(self, seen, masks, actions, margins, rate, curiosity):
        """One step of Adam: actor loss, critic loss and an entropy bonus."""
        hidden, chances, expected = self.judge(seen, masks)
        better = margins - expected
        logs = np.log(np.where(chances > 0, chances, 1))
        surprise = -(chances * logs).sum(axis=1, keepdims=True)
        upward = -chances * (better / (better.std() + 1e-6))[:, None]
        upward[np.arange(len(actions)), actions] += better / (better.std() + 1e-6)
        upward -= curiosity * chances * (logs + surprise)
        inward = upward @ self.weights["policy"].T + np.outer(better, self.weights["value"])
        inward *= 1 - hidden**2
        slopes = {
            "in": seen.T @ inward,
            "bias": inward.sum(axis=0),
            "policy": hidden.T @ upward,
            "value": hidden.T @ better,
        }
        self.steps += 1
        for name, slope in slopes.items():
            first, second = self.moments[name]
            first += 0.1 * (slope / len(actions) - first)
            second += 0.001 * ((slope / len(actions)) ** 2 - second)
            scale = np.sqrt(second / (1 - 0.999**self.steps)) + 1e-8
            self.weights[name] += rate * first / (1 - 0.9**self.steps) / scale


def draw_chance(state, rng):
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, chances)[0])


def play(game, network, count, rng, learners=None):
    """Play games side by side. Returns them, and of each decision: game, seat, observation, mask, action.

    With learners, a seat for each game, only that seat is the network's; the others play at random.
    """
    observer = game.make_py_observer()
    states, made = [game.new_initial_state() for _ in range(count)], []
    while True:
        waiting = []
        for number, state in enumerate(states):
            draw_chance(state, rng)
            while learners and not state.is_terminal() and state.current_player() != learners[number]:
                state.apply_action(rng.choice(state.legal_actions()))
                draw_chance(state, rng)
            if not state.is_terminal():
                waiting.append(number)
        if not waiting:
            return states, made
        seen, masks = [], np.zeros((len(waiting), game.num_distinct_actions()), bool)
        for row, number in enumerate(waiting):
            observer.set_from(states[number], states[number].current_player())
            seen.append(observer.tensor.copy())
            masks[row, states[number].legal_actions()] = True
        _, chances, _ = network.judge(np.array(seen), masks)
        for row, number in enumerate(waiting):
            action = rng.choices(range(masks.shape[1]), chances[row].tolist())[0]
            made.append((number, states[number].current_player(), seen[row], masks[row], action))
            states[number].apply_action(action)


def wins_against_random(settings, network, count, rng):
    """The share of games won, from each seat in turn."""
    game = pyspiel.load_game(NAME, settings | {"returns": "win"})
    learners = [number % game.num_players() for number in range(count)]
    states, _ = play(game, network, count, rng, learners)
    return sum(state.returns()[seat] for state, seat in zip(states, learners, strict=True)) / count


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--every", type=int, default=1_000, help="games between two measurements")
    parser.add_argument("--against", type=int, default=400, help="games of a measurement")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--collectors", default="AAAAAA")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="where to write the learning curve")
    wanted = parser.parse_args()

    if min(wanted.games, wanted.batch, wanted.every, wanted.against) < 1 or wanted.every % wanted.batch:
        parser.error("give numbers of 1 or more, and measure after whole batches")
    settings = {"players": wanted.players, "collectors": wanted.collectors}
    game = pyspiel.load_game(NAME, settings | {"returns": "margin"})
    rng = random.Random(wanted.seed)
    network = Network(game.observation_tensor_size(), game.num_distinct_actions(), rng)
    curve = []
    for played in range(0, wanted.games + 1, wanted.batch):
        if played % wanted.every == 0:
            curve.append((played, wins_against_random(settings, network, wanted.against, rng)))
            print(f"after {played:6,} games it wins {curve[-1][1]:.1%} against random players", flush=True)
        if played < wanted.games:
            states, made = play(game, network, wanted.batch, rng)
            returns = [state.returns() for state in states]
            margins = np.array([returns[number][seat] for number, seat, *_ in made], np.float32) / POINTS
            _, _, seen, masks, actions = zip(*made, strict=True)
            left = 1 - played / wanted.games
            network.learn(*map(np.array, (seen, masks, actions)), margins, 0.004 * left, 0.02 * left)
    if wanted.json:
        Path(wanted.json).write_text(json.dumps(curve), "utf-8")


if __name__ == "__main__":
    main()
