"""Learns the game for two to four by self-play: hundreds of tables at once on the vector environment.

    python examples/train_pettingzoo.py --players 2 --updates 80 --plot curve.png

One network plays all seats, because an observation counts seats from the one that must act. From time to
time it plays against random players in PettingZoo's own environment, and prints its share of wins.
Needs `pip install royalcrypt[pettingzoo]`, and matplotlib for the picture.
"""

import argparse
import time

import numpy as np
from actor_critic import ActorCritic

from royalcrypt.envs import royalcrypt_v1


def play(tables, learner, observations, seats, steps):
    """Make this many decisions at each table; return seats, observations, actions and rewards."""
    shape = (steps, tables.num_envs)
    seen, acted, ends = [], np.zeros(shape, int), np.zeros(shape, bool)
    rewards = np.zeros((*shape, len(tables.possible_agents)), np.float32)
    for step in range(steps):
        numbers, masks = observations["observation"], observations["action_mask"]
        actions, chances, values = learner.choose(numbers, masks)
        seen.append((numbers, masks, actions, chances, values))
        acted[step] = seats
        observations, rewards[step], ends[step], _, infos = tables.step(actions)
        seats = infos["seat"]
    columns = [np.stack(column) for column in zip(*seen, strict=True)]
    return observations, seats, columns, acted, rewards, ends


def returns_of(acted, rewards, ends):
    """The return of each decision's game for the seat that made it, and whether that game has ended."""
    returns, is_known = np.zeros(acted.shape, np.float32), np.zeros_like(ends)
    later, knows = np.zeros_like(rewards[0]), np.zeros_like(ends[0])
    rows = np.arange(acted.shape[1])
    for step in reversed(range(len(acted))):
        later = np.where(ends[step][:, None], rewards[step], later)
        knows = knows | ends[step]
        returns[step], is_known[step] = later[rows, acted[step]], knows
    return returns, is_known


def train(players, updates, tables=256, steps=128, seed=0):
    """Yields the learner after each update."""
    envs = royalcrypt_v1.vector_env(tables, players=players, collectors="random", leader=None)
    learner = ActorCritic(envs.layout.most, int(envs.single_action_space.n), seed)
    observations, infos = envs.reset(seed=seed)
    seats = infos["seat"]
    for _ in range(updates):
        observations, seats, columns, *brought = play(envs, learner, observations, seats, steps)
        returns, is_known = returns_of(*brought)
        learner.learn(*(column[is_known] for column in columns), returns[is_known])
        yield learner


def share_of_wins(learner, players, games, seed=1):
    """Play against random players, from each seat in turn."""
    env = royalcrypt_v1.raw_env(players=players, collectors="random", leader=None)
    chance, shares = np.random.default_rng(seed), []
    for game in range(games):
        env.reset(seed=seed if game == 0 else None)
        own = env.possible_agents[game % players]
        for agent in env.agent_iter():
            observation, reward, is_over, _, _ = env.last()
            if is_over:
                if agent == own:
                    shares.append((reward * (players - 1) + 1) / players)
                env.step(None)
            elif agent == own:
                row = {name: numbers[None] for name, numbers in observation.items()}
                env.step(learner.choose(row["observation"], row["action_mask"])[0][0])
            else:
                env.step(chance.choice(observation["action_mask"].nonzero()[0]))
    return float(np.mean(shares))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--updates", type=int, default=80)
    parser.add_argument("--tables", type=int, default=256, help="at once")
    parser.add_argument(
        "--matches", type=int, default=200, help="games against random players, every tenth update"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", metavar="FILE", help="draw the learning curve")
    wanted = parser.parse_args()
    curve, began = {}, time.perf_counter()
    for update, learner in enumerate(
        train(wanted.players, wanted.updates, wanted.tables, seed=wanted.seed), 1
    ):
        if update % 10 == 1 or update == wanted.updates:
            curve[update] = share_of_wins(learner, wanted.players, wanted.matches)
            spent = time.perf_counter() - began
            print(f"update {update:4}   {spent:5.0f} s   wins {curve[update]:4.0%} of its games", flush=True)
    if wanted.plot:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 4), layout="constrained")
        axes = figure.subplots()
        axes.plot(curve.keys(), curve.values(), marker="o")
        axes.axhline(1 / wanted.players, color="0.7")
        axes.set(xlabel="update", ylabel="share of wins against random players", ylim=(0, 1))
        figure.savefig(wanted.plot)


if __name__ == "__main__":
    main()
