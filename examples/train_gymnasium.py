"""Learns Only Child from scratch: hundreds of games at once on Gymnasium's vector environment.

    python examples/train_gymnasium.py --updates 120 --plot curve.png

Needs `pip install royalcrypt[gymnasium]`, and matplotlib for the picture.
"""

import argparse
import time

import gymnasium
import numpy as np
from actor_critic import ActorCritic

SCORE_SCALE = 10
"""Scales rewards to about 1."""


def play(envs, learner, observations, steps):
    """Make this many decisions in each game; return observations, actions and rewards, and final scores."""
    seen, scores = [], []
    rewards, ends = np.zeros((steps, envs.num_envs), np.float32), np.zeros((steps, envs.num_envs), bool)
    for step in range(steps):
        numbers, masks = observations["observation"], observations["action_mask"]
        actions, chances, values = learner.choose(numbers, masks)
        seen.append((numbers, masks, actions, chances, values))
        observations, rewards[step], ends[step], _, infos = envs.step(actions)
        if ends[step].any():
            scores.extend(infos["final_info"]["score"][ends[step]])
    columns = [np.stack(column) for column in zip(*seen, strict=True)]
    return observations, columns, rewards / SCORE_SCALE, ends, scores


def returns_of(rewards, ends):
    """The return of each decision's game, and whether that game has ended."""
    returns, is_known = np.zeros_like(rewards), np.zeros_like(ends)
    later, knows = np.zeros_like(rewards[0]), np.zeros_like(ends[0])
    for step in reversed(range(len(rewards))):
        later = np.where(ends[step], rewards[step], later)
        knows = knows | ends[step]
        returns[step], is_known[step] = later, knows
    return returns, is_known


def train(updates, games=512, steps=64, seed=0):
    """Yields the mean score after each update."""
    envs = gymnasium.make_vec("royalcrypt.envs:RoyalCrypt/OnlyChild-v1", num_envs=games)
    learner = ActorCritic(envs.unwrapped.layout.most, int(envs.single_action_space.n), seed)
    observations, _ = envs.reset(seed=seed)
    for _ in range(updates):
        observations, columns, rewards, ends, scores = play(envs, learner, observations, steps)
        returns, is_known = returns_of(rewards, ends)
        learner.learn(*(column[is_known] for column in columns), returns[is_known])
        yield float(np.mean(scores))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--updates", type=int, default=120)
    parser.add_argument("--games", type=int, default=512, help="at once")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", metavar="FILE", help="draw the learning curve")
    wanted = parser.parse_args()
    curve, began = [], time.perf_counter()
    for score in train(wanted.updates, wanted.games, seed=wanted.seed):
        curve.append(score)
        if len(curve) % 10 == 1 or len(curve) == wanted.updates:
            print(
                f"update {len(curve):4}   {time.perf_counter() - began:5.0f} s   mean score {score:5.2f}",
                flush=True,
            )
    if wanted.plot:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 4), layout="constrained")
        axes = figure.subplots()
        axes.plot(range(1, len(curve) + 1), curve)
        axes.set(xlabel="update", ylabel="mean score of the games that ended")
        figure.savefig(wanted.plot)


if __name__ == "__main__":
    main()
