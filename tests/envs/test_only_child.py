"""Only Child for Gymnasium: its checkers pass, and vector games equal single games."""

import copy
import pickle
import random
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from royalcrypt import Refusal
from royalcrypt.envs.only_child import OnlyChild, OnlyChildVector
from royalcrypt.rules.actions import ACTIONS
from tests.envs.playing import chosen

NAME = "RoyalCrypt/OnlyChild-v1"
SIDES = ["AAAAAA", "BBBBBB", "BABBAB", "random"]


def make(**options: Any) -> Any:
    return gymnasium.make(NAME, **options).unwrapped


def make_many(games: int, **options: Any) -> Any:
    return gymnasium.make_vec(NAME, num_envs=games, **options)


def seen(observation: dict[str, Any]) -> tuple[list[int], list[int]]:
    return observation["observation"].tolist(), observation["action_mask"].tolist()


def whole_game(env: Any, rng: random.Random, **reset: Any) -> list[Any]:
    """Everything that a game returns."""
    observation, info = env.reset(**reset)
    told: list[Any] = [seen(observation), info]
    is_over = False
    while not is_over:
        observation, reward, is_over, is_cut_short, info = env.step(chosen(observation["action_mask"], rng))
        assert not is_cut_short
        told += [seen(observation), reward, info]
    return told


@pytest.mark.parametrize("collectors", SIDES)
def test_gymnasiums_checker_passes(collectors: str) -> None:
    check_env(make(collectors=collectors))


def test_a_wrapped_environment_plays_whole_games() -> None:
    env = gymnasium.make(NAME, collectors="random")
    for seed in range(5):
        told = whole_game(env, random.Random(seed), seed=seed)
        assert told[-1] == {"score": told[-2], "is_illegal": False}
        assert told[-2] > 5


@pytest.mark.parametrize("collectors", SIDES)
def test_the_same_seed_gives_the_same_games(collectors: str) -> None:
    env, other = make(collectors=collectors), make(collectors=collectors)
    first = [whole_game(env, random.Random(1), seed=11), whole_game(env, random.Random(2))]
    again = [whole_game(other, random.Random(1), seed=11), whole_game(other, random.Random(2))]
    assert first == again
    assert first[1] == whole_game(make(collectors=collectors), random.Random(2), seed=11, options={"game": 1})
    assert first[0] != first[1]


def test_without_a_seed_games_differ() -> None:
    assert seen(make().reset()[0]) != seen(make().reset()[0])


@pytest.mark.parametrize("collectors", SIDES)
def test_vector_games_equal_single_games(collectors: str) -> None:
    """Compares observations, masks, rewards, ends and following games at every step."""
    games = 5
    envs: Any = make_many(games, collectors=collectors)
    singles = [make(collectors=collectors) for _ in range(games)]
    numbers = list(range(games))
    rng = random.Random(collectors)
    observations, infos = envs.reset(seed=9)
    assert infos["game"].tolist() == numbers
    for row, env in enumerate(singles):
        assert seen(env.reset(seed=9, options={"game": row})[0]) == seen(row_of(observations, row))
    ended = 0
    for _ in range(120):
        actions = [chosen(mask, rng) for mask in observations["action_mask"]]
        observations, rewards, ends, cuts, infos = envs.step(np.array(actions))
        assert not cuts.any()
        assert ("final_obs" in infos) == ends.any()
        for row, env in enumerate(singles):
            observation, reward, is_over, _, info = env.step(actions[row])
            assert (reward, is_over) == (rewards[row], ends[row])
            if is_over:
                ended += 1
                assert seen(observation) == seen(infos["final_obs"][row])
                assert info["score"] == infos["final_info"]["score"][row]
                assert numbers[row] == infos["final_info"]["game"][row]
                numbers[row] += games
                observation, _ = env.reset(seed=9, options={"game": numbers[row]})
            assert seen(observation) == seen(row_of(observations, row))
    assert ended > games


def test_final_observations_have_gymnasiums_form() -> None:
    envs = make_many(3)
    observations, _ = envs.reset(seed=1)
    actions = observations["action_mask"].argmax(axis=1)
    *_, infos = envs.step([ACTIONS, actions[1], ACTIONS])
    last = infos["final_obs"]
    assert [found is None for found in last] == [False, True, False]
    assert seen(last[-1]) == seen(last[2]) == seen(np.asarray(last)[2]) == seen(last[1:][1])
    assert seen(last[0]) != seen(last[2])
    with pytest.raises(IndexError):
        last[3]


def row_of(observations: dict[str, Any], row: int) -> dict[str, Any]:
    return {name: numbers[row] for name, numbers in observations.items()}


@pytest.mark.parametrize("action", [ACTIONS - 1, ACTIONS, -1, 10**6])
def test_an_illegal_action_forfeits_the_game(action: int) -> None:
    env, envs = make(), make_many(2)
    env.reset(seed=1)
    observation, reward, is_over, _, info = env.step(action)
    assert (reward, is_over, info) == (-1.0, True, {"score": 0, "is_illegal": True})
    assert not observation["action_mask"].any()
    first, _ = envs.reset(seed=1)
    _, rewards, ends, _, infos = envs.step([action, int(np.flatnonzero(first["action_mask"][1])[0])])
    assert (rewards.tolist(), ends.tolist()) == ([-1.0, 0.0], [True, False])
    assert infos["final_info"]["is_illegal"].tolist() == [True, False]
    assert seen(infos["final_obs"][0]) == seen(observation)


def test_steps_return_copies_unless_copy_is_false() -> None:
    for is_copied in (True, False):
        envs = make_many(3, copy=is_copied)
        first, _ = envs.reset(seed=1)
        before = first["observation"].copy()
        envs.step([109, 109, 109])
        assert np.array_equal(before, first["observation"]) == is_copied


def test_a_vector_environment_has_spaces_and_metadata() -> None:
    envs = make_many(3)
    assert isinstance(envs, OnlyChildVector)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, _ = envs.reset(seed=1)
    assert observations in envs.observation_space
    assert envs.action_space.shape == (3,)
    assert envs.pieces(observations["observation"])["seat_ready"].tolist() == [[3, 3]] * 3


def test_gymnasiums_vector_wrappers_work() -> None:
    envs: Any = gymnasium.wrappers.vector.RecordEpisodeStatistics(make_many(4))
    observations, _ = envs.reset(seed=3)
    rng, episodes = random.Random(1), 0
    for _ in range(60):
        actions = np.array([chosen(mask, rng) for mask in observations["action_mask"]])
        observations, _, ends, _, infos = envs.step(actions)
        if ends.any():
            episodes += int(ends.sum())
            scores = infos["final_info"]["score"][ends]
            assert infos["episode"]["r"][ends].tolist() == scores.tolist()
    assert episodes > 4


def test_a_copy_is_independent() -> None:
    env = make(collectors="random")
    observation, _ = env.reset(seed=4)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        before = env.render()
        action = int(np.flatnonzero(observation["action_mask"])[0])
        told = twin.step(action)
        assert env.render() == before
        assert seen(told[0]) == seen(copy.deepcopy(env).step(action)[0])


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_every_decision_can_be_rendered(mode: str) -> None:
    env = make(render_mode=mode, collectors="BBBBBB")
    observation, _ = env.reset(seed=2)
    rng, is_over = random.Random(1), False
    looked: list[Any] = []
    while not is_over:
        looked.append(env.render())
        observation, _, is_over, _, _ = env.step(chosen(observation["action_mask"], rng))
    if mode == "ansi":
        assert looked[0].startswith("Round 1 of 8, claim turn 1 of 3. Collectors BBBBBB.\n")
        assert "the game is over" in env.render()
    else:
        assert {(picture.shape, picture.dtype.name) for picture in looked} == {(looked[0].shape, "uint8")}
        assert not np.array_equal(looked[0], looked[-1])


def test_wrong_options_are_refused_with_the_valid_ones() -> None:
    with pytest.raises(Refusal, match="write six letters A or B"):
        OnlyChild(collectors="AAAAAX")
    with pytest.raises(ValueError, match="give one of 'ansi', 'rgb_array'"):
        OnlyChild(render_mode="human")
    with pytest.raises(ValueError, match="at least 1"):
        OnlyChildVector(0)
    with pytest.raises(Refusal, match="whole number from 0"):
        OnlyChild().reset(seed=-1)
    with pytest.raises(ResetNeeded, match="call reset"):
        OnlyChild().step(0)
    envs = OnlyChildVector(2)
    with pytest.raises(RuntimeError, match="call reset"):
        envs.step([0, 0])
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="one action a game"):
        envs.step([0])


def test_gymnasium_imports_the_package_named_in_the_id() -> None:
    """Heavy libraries are loaded only when an environment is made."""
    program = f"""
import sys
import gymnasium
import royalcrypt.envs
assert "numba" not in sys.modules
assert "{NAME}" in gymnasium.registry
gymnasium.make("royalcrypt.envs:{NAME}").reset(seed=1)
"""
    subprocess.run([sys.executable, "-c", program], check=True)
