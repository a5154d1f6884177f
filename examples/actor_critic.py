"""A small actor-critic network in NumPy alone: one hidden layer, a policy over legal actions, and a value.

It learns by proximal policy optimisation (PPO).
"""

import numpy as np

WIDTH, RATE, CLIP, CURIOSITY, VALUE_CARE = 96, 1e-3, 0.2, 0.01, 0.5
ROUNDS, HANDFUL = 2, 2048


class ActorCritic:
    def __init__(self, most, actions, seed=0):
        """`most` holds the highest value of each number of an observation, to scale it to 0..1."""
        chance = np.random.default_rng(seed)
        self.scale = (1 / np.asarray(most)).astype(np.float32)
        sizes = {"hidden": (len(most), WIDTH), "policy": (WIDTH, actions), "value": (WIDTH, 1)}
        self.weights = {}
        for name, (inputs, outputs) in sizes.items():
            spread = {"hidden": 2.0, "policy": 0.1, "value": 0.1}[name] / np.sqrt(inputs)
            self.weights[name] = (chance.standard_normal((inputs, outputs)) * spread).astype(np.float32)
            self.weights[name + "_bias"] = np.zeros(outputs, np.float32)
        self.means = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.squares = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.chance, self.steps = chance, 0

    def judge(self, observations, masks):
        """The hidden layer, the probability of each action, and the value of each position."""
        w = self.weights
        hidden = np.maximum(observations * self.scale @ w["hidden"] + w["hidden_bias"], 0)
        leanings = np.where(masks, hidden @ w["policy"] + w["policy_bias"], -1e9)
        chances = np.exp(leanings - leanings.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        return hidden, chances, (hidden @ w["value"] + w["value_bias"])[:, 0]

    def choose(self, observations, masks):
        """Sample an action for each position; return it with its probability and the value."""
        _, chances, values = self.judge(observations, masks)
        sums = chances.cumsum(1)
        drawn = self.chance.random(len(sums), np.float32) * sums[:, -1]
        actions = np.minimum((sums <= drawn[:, None]).sum(1), chances.shape[1] - 1)
        return actions, chances[np.arange(len(actions)), actions], values

    def learn(self, observations, masks, actions, chances, values, returns):
        """Update the network with all decisions, in mini-batches and several epochs."""
        gains = returns - values
        gains = (gains - gains.mean()) / (gains.std() + 1e-6)
        for _ in range(ROUNDS):
            order = self.chance.permutation(len(actions))
            for first in range(0, len(order), HANDFUL):
                some = order[first : first + HANDFUL]
                self._learn_from(
                    observations[some], masks[some], actions[some], chances[some], gains[some], returns[some]
                )

    def _learn_from(self, observations, masks, actions, before, gains, returns):
        hidden, chances, values = self.judge(observations, masks)
        rows = np.arange(len(actions))
        ratio = chances[rows, actions] / before
        goes_on = np.where(gains > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        pull = (ratio * gains * goes_on)[:, None]
        logs = np.log(np.maximum(chances, 1e-9))
        spread = -(chances * logs).sum(1, keepdims=True)
        to_policy = chances * pull + CURIOSITY * chances * (logs + spread)
        to_policy[rows, actions] -= pull[:, 0]
        to_value = VALUE_CARE * (values - returns)[:, None]
        to_hidden = to_policy @ self.weights["policy"].T + to_value @ self.weights["value"].T
        to_hidden *= hidden > 0
        inputs = observations * self.scale
        self._step("hidden", inputs.T @ to_hidden, to_hidden)
        self._step("policy", hidden.T @ to_policy, to_policy)
        self._step("value", hidden.T @ to_value, to_value)
        self.steps += 1

    def _step(self, name, slope, bias_slope):
        """One step of Adam."""
        late = np.sqrt(1 - 0.999 ** (self.steps + 1)) / (1 - 0.9 ** (self.steps + 1))
        for key, total in ((name, slope), (name + "_bias", bias_slope.sum(0))):
            found = total / len(bias_slope)
            self.means[key] += 0.1 * (found - self.means[key])
            self.squares[key] += 0.001 * (found * found - self.squares[key])
            self.weights[key] -= RATE * late * self.means[key] / (np.sqrt(self.squares[key]) + 1e-8)
