"""The environments: many games at once beside Pgx's, one game beside PettingZoo's own hanabi.

Everything runs on one core, in turns, and counts processor time; each ratio is the median of the ratios of
neighbours. Of games at once only the steps are timed: whoever plays chooses between them, at random.
"""

import random
import warnings
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from benchmarks.figures import Figure
from benchmarks.rules import stay_on_one_core

REPEATS = 5
BATCH, STEPS = 1024, 200
DECISIONS = 4000
"""Of one environment of PettingZoo, at a time."""
STEPS_WANTED, BACKGAMMON_WANTED, LEDUC_WANTED = 1_000_000, 20, 1
RAW_WANTED, HANABI_WANTED = 80_000, 10
WARM = 10


def figures() -> list[Figure]:
    stay_on_one_core()
    return [*many_games(), *one_game()]


def many_games() -> list[Figure]:
    import gymnasium

    from royalcrypt.envs import royalcrypt_v1

    rates: dict[str, Callable[[], float]] = {
        "Only Child": our_rate(
            gymnasium.make_vec(
                "royalcrypt.envs:RoyalCrypt/OnlyChild-v1", num_envs=BATCH, collectors="random", copy=False
            )
        ),
        **{
            f"{players} players": our_rate(
                royalcrypt_v1.vector_env(BATCH, players=players, collectors="random", leader=None, copy=False)
            )
            for players in (2, 3, 4)
        },
        "backgammon": pgx_rate("backgammon"),
        "leduc hold'em": pgx_rate("leduc_holdem"),
    }
    found = in_turns(rates)
    ours = found["Only Child"]
    return [
        Figure(f"Only Child, {BATCH} games, steps", median(ours), "a second", at_least=STEPS_WANTED),
        *(
            Figure(f"{n} players, {BATCH} games, steps", median(found[f"{n} players"]), "a second")
            for n in (2, 3, 4)
        ),
        Figure(f"Pgx backgammon, {BATCH} games, steps", median(found["backgammon"]), "a second"),
        Figure(f"Pgx leduc hold'em, {BATCH} games, steps", median(found["leduc hold'em"]), "a second"),
        Figure(
            "Only Child / backgammon", ratio(ours, found["backgammon"]), "times", at_least=BACKGAMMON_WANTED
        ),
        Figure(
            "Only Child / leduc hold'em", ratio(ours, found["leduc hold'em"]), "times", at_least=LEDUC_WANTED
        ),
    ]


def in_turns(rates: dict[str, Callable[[], float]]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {name: [] for name in rates}
    for _ in range(REPEATS):
        for name, rate in rates.items():
            found[name].append(rate())
    return found


def ratio(ours: list[float], theirs: list[float]) -> float:
    return median(one / other for one, other in zip(ours, theirs, strict=True))


def our_rate(envs: Any) -> Callable[[], float]:
    """Steps a second, with observations and masks written into the same arrays again and again."""
    import numba

    compiler: Any = numba
    choose = compiler.njit(choose_at_random)
    chance = np.random.default_rng(0)
    observations, _ = envs.reset(seed=0)
    actions = np.zeros(BATCH, np.int64)

    def rate() -> float:
        nonlocal observations
        seconds = 0.0
        for _ in range(STEPS):
            choose(observations["action_mask"], chance.random(BATCH), actions)
            start = process_time()
            observations, *_ = envs.step(actions)
            seconds += process_time() - start
        return BATCH * STEPS / seconds

    return rate


def choose_at_random(masks: Any, draws: Any, actions: Any) -> None:
    """A legal action for each game; compiled, because it would push the games out of the cache otherwise."""
    for game in range(len(masks)):
        mask = masks[game]
        left = int(draws[game] * mask.sum())
        for action in range(len(mask)):
            if mask[action]:
                if left == 0:
                    actions[game] = action
                    break
                left -= 1


def pgx_rate(game: str) -> Callable[[], float]:
    """The same for Pgx: compiled steps of a batch, in which games that end begin again."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    library: Any = pgx
    env = library.make(game)
    step: Any = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    begin: Any = jax.jit(jax.vmap(env.init))

    def choice(key: Any, state: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.where(state.legal_action_mask, 0.0, -1e9))

    choose: Any = jax.jit(choice)
    keys: Any = jax.random.split(jax.random.PRNGKey(0), BATCH)
    state: Any = begin(keys)
    count = 0

    def rate(steps: int = STEPS // 4) -> float:
        nonlocal state, count
        seconds = 0.0
        for _ in range(steps):
            count += 1
            key, chance = jax.random.split(jax.random.PRNGKey(count))
            actions = choose(key, state).block_until_ready()
            chances = jax.block_until_ready(jax.random.split(chance, BATCH))
            start = process_time()
            state = jax.block_until_ready(step(state, actions, chances))
            seconds += process_time() - start
        return BATCH * steps / seconds

    rate(2)  # compiles
    return rate


def one_game() -> list[Figure]:
    from royalcrypt.envs import royalcrypt_v1

    plays: dict[str, tuple[Any, int]] = {
        **{f"raw, {n} players": (royalcrypt_v1.raw_env(players=n), DECISIONS) for n in (2, 4)},
        "guarded": (royalcrypt_v1.env(players=2), DECISIONS),
        "wrapped": (with_usual_wrappers(royalcrypt_v1.raw_env(players=2)), DECISIONS // 4),
    }
    if (theirs := hanabi()) is not None:
        plays["hanabi"] = (theirs, DECISIONS // 8)
    for env, _ in plays.values():
        played(env, WARM)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in plays}
    for _ in range(REPEATS):
        for name, (env, decisions) in plays.items():
            found[name].append(played(env, decisions))
    decisions = {name: [rate for rate, _ in rates] for name, rates in found.items()}
    games = {name: [rate for _, rate in rates] for name, rates in found.items()}
    raw = decisions["raw, 2 players"]
    figures = [
        Figure("PettingZoo, raw, 2 players, decisions", median(raw), "a second", at_least=RAW_WANTED),
        Figure("PettingZoo, raw, 4 players, decisions", median(decisions["raw, 4 players"]), "a second"),
        Figure("PettingZoo, guarded, decisions", median(decisions["guarded"]), "a second"),
        Figure("PettingZoo, guarded, games", median(games["guarded"]), "a second"),
        Figure("PettingZoo, its own wrappers, decisions", median(decisions["wrapped"]), "a second"),
        Figure("PettingZoo, its own wrappers, games", median(games["wrapped"]), "a second"),
        Figure("what the guard costs", ratio(raw, decisions["guarded"]), "times"),
        Figure("what PettingZoo's wrappers cost", ratio(raw, decisions["wrapped"]), "times"),
    ]
    if theirs is not None:
        ours, beside = games["guarded"], games["hanabi"]
        figures += [
            Figure("PettingZoo's hanabi_v5, decisions", median(decisions["hanabi"]), "a second"),
            Figure("PettingZoo's hanabi_v5, games", median(beside), "a second"),
            Figure("games, env() / hanabi_v5.env()", ratio(ours, beside), "times", at_least=HANABI_WANTED),
            Figure("games, PettingZoo's wrappers on both", ratio(games["wrapped"], beside), "times"),
        ]
    return figures


def with_usual_wrappers(env: Any) -> Any:
    from pettingzoo.utils import wrappers

    wrapped: Any = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def hanabi() -> Any:
    """PettingZoo's own, by way of Shimmy and OpenSpiel; None where they are not there."""
    try:
        from pettingzoo.classic import hanabi_v5

        return hanabi_v5.env()
    except ImportError as problem:
        print(f"hanabi_v5 is left out: {problem}")
        return None


def played(env: Any, at_least: int) -> tuple[float, float]:
    """Decisions and games a second of random play, in whole games of at least so many decisions."""
    draw = random.Random(1).random
    decisions = games = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other people's environments
        start = process_time()
        while decisions < at_least:
            env.reset()
            for _ in env.agent_iter():
                observation, _, is_over, is_cut_short, _ = env.last()
                if is_over or is_cut_short:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(draw() * len(legal))]))
                decisions += 1
            games += 1
        seconds = process_time() - start
    return decisions / seconds, games / seconds
