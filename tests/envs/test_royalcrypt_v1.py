"""Two to four players for PettingZoo: its tests pass, and vector tables equal single tables."""

import copy
import random
from typing import Any

import numpy as np
import pettingzoo.test
import pytest

from royalcrypt import Refusal
from royalcrypt.envs import royalcrypt_v1
from royalcrypt.rules.actions import ACTIONS
from royalcrypt.search.playouts import random_games
from tests.envs.playing import SETTINGS, chosen

suite: Any = pettingzoo.test
# What PettingZoo says of every environment with a mask in its observations that is not one of its own.
ITS_TASTE = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


def tasteless(test: Any) -> Any:
    for mark in ITS_TASTE:
        test = mark(test)
    return test


def seen(observation: dict[str, Any]) -> tuple[list[int], list[int]]:
    return observation["observation"].tolist(), observation["action_mask"].tolist()


@tasteless
@pytest.mark.parametrize("make", [royalcrypt_v1.env, royalcrypt_v1.raw_env], ids=["env", "raw_env"])
@pytest.mark.parametrize(("players", "collectors"), SETTINGS)
def test_pettingzoos_api_test_passes(
    make: Any, players: int, collectors: str, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.api_test(make(players=players, collectors=collectors), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize(("players", "collectors"), SETTINGS)
def test_pettingzoos_seed_test_passes(players: int, collectors: str) -> None:
    suite.seed_test(lambda: royalcrypt_v1.env(players=players, collectors=collectors), num_cycles=40)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pettingzoos_render_test_passes(players: int) -> None:
    def make(render_mode: str) -> Any:
        """The test begins with the mode ``human``, which we do not have."""
        return royalcrypt_v1.env(
            players=players, render_mode="ansi" if render_mode == "human" else render_mode
        )

    suite.render_test(make)


def told(env: Any, rng: random.Random) -> list[Any]:
    """Everything that a game returns, until the last agent has left."""
    found: list[Any] = []
    for agent in env.agent_iter():
        observation, reward, is_over, is_cut_short, info = env.last()
        assert not is_cut_short
        found.append((agent, seen(observation), reward, is_over, info))
        env.step(None if is_over else chosen(observation["action_mask"], rng))
    return found


@pytest.mark.parametrize(("players", "collectors"), SETTINGS)
def test_the_same_seed_gives_the_same_games(players: int, collectors: str) -> None:
    envs = [royalcrypt_v1.raw_env(players=players, collectors=collectors, leader=None) for _ in range(3)]
    games: list[list[Any]] = []
    for env in envs[:2]:
        env.reset(seed=8)
        games.append(told(env, random.Random(1)))
        env.reset()
        games.append(told(env, random.Random(2)))
    assert games[:2] == games[2:]
    envs[2].reset(seed=8, options={"game": 1})
    assert told(envs[2], random.Random(2)) == games[1]
    leaders = [next(agent for agent, *_ in game) for game in games[:2]]
    assert leaders == ["player_0", "player_1"] or collectors != "AAAAAA"


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_rewards_come_at_the_end_and_win_rewards_sum_to_zero(players: int, reward: str) -> None:
    env = royalcrypt_v1.raw_env(players=players, reward=reward)
    for game in range(12):
        env.reset(seed=1 if game == 0 else None)
        *before, _ = (farewells := told(env, random.Random(game)))
        last = farewells[-players:]
        assert not any(gained for _, _, gained, is_over, _ in before if not is_over)
        rewards = {agent: gained for agent, _, gained, _, _ in last}
        scores = {agent: info["score"] for agent, _, _, _, info in last}
        if reward == "score":
            assert rewards == scores
        else:
            assert sum(rewards.values()) == pytest.approx(0, abs=1e-6)
            assert scores[max(rewards, key=lambda agent: rewards[agent])] == max(scores.values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_equal_those_of_simulations(players: int) -> None:
    """The same seed gives the same cards and dice, so the same choices give the same scores."""
    from royalcrypt.rules.chance import game_key, keyed_choice
    from royalcrypt.search.simulation import CHOICES, bots_seed

    found = random_games(players, 3, seed=6, leader=None)
    env: Any = royalcrypt_v1.raw_env(players=players, collectors="random", leader=None, reward="score")
    for game in range(3):
        env.reset(seed=6, options={"game": game})
        own, decisions = game_key(bots_seed(*game_key(6, game)), 0), 0
        while not any(env.terminations.values()):
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            env.step(legal[keyed_choice(*own, CHOICES + (decisions << 8), len(legal))])
            decisions += 1
        assert [*env.rewards.values()] == found.scores[game].tolist()


@pytest.mark.parametrize("action", [ACTIONS - 1, ACTIONS, -1, None, "1:1x1"])
def test_the_raw_environment_refuses_an_illegal_action_and_does_not_change(action: Any) -> None:
    env = royalcrypt_v1.raw_env(players=3)
    env.reset(seed=1)
    before = [seen(env.observe(agent)) for agent in env.agents]
    with pytest.raises(ValueError, match=r"legal.*: 1:1x1, 1:1x2, .*recover"):
        env.step(action)
    assert [seen(env.observe(agent)) for agent in env.agents] == before
    env.step(0)


@pytest.mark.filterwarnings("ignore:.*Illegal move made, game terminating:UserWarning")
def test_the_checked_environment_ends_the_game_at_an_illegal_action() -> None:
    env = royalcrypt_v1.env(players=3)
    env.reset(seed=1)
    env.last()
    env.step(ACTIONS - 1)
    assert all(env.terminations.values())
    assert env.rewards == {"player_0": -1.0, "player_1": 0, "player_2": 0}
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(ACTIONS)


def test_after_the_end_a_raw_environment_requires_reset() -> None:
    env = royalcrypt_v1.raw_env()
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(0)
    env.reset(seed=1)
    told(env, random.Random(1))
    assert env.agents == []
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(None)


def test_a_copy_is_independent() -> None:
    env = royalcrypt_v1.raw_env(players=4, collectors="random", render_mode="ansi")
    env.reset(seed=1)
    twin, again, before = copy.deepcopy(env), copy.deepcopy(env), env.render()
    told(twin, random.Random(1))
    assert env.render() == before
    assert told(env, random.Random(1)) == told(again, random.Random(1))


def test_an_agent_that_does_not_act_observes_with_an_empty_mask() -> None:
    env = royalcrypt_v1.raw_env(players=3, collectors="BBBBBB")
    env.reset(seed=3)
    for agent in env.agents[1:]:
        observation = env.observe(agent)
        assert not observation["action_mask"].any()
        pieces = env.pieces(observation["observation"])
        assert pieces["seat_acts"].tolist() == [int(left == 3 - env.agents.index(agent)) for left in range(3)]
        assert (pieces["slot_value"] == 0).tolist() == (pieces["slot_down"] == 1).tolist()


@pytest.mark.parametrize(("players", "collectors"), SETTINGS)
def test_vector_tables_equal_single_tables(players: int, collectors: str) -> None:
    """Compares actors, observations, rewards, ends and following games at every step."""
    count = 3
    tables = royalcrypt_v1.vector_env(count, players=players, collectors=collectors, leader=None)
    singles: list[Any] = [
        royalcrypt_v1.raw_env(players=players, collectors=collectors, leader=None) for _ in range(count)
    ]
    numbers, rng, ended = list(range(count)), random.Random(collectors), 0
    observations, infos = tables.reset(seed=2)
    for number, env in enumerate(singles):
        env.reset(seed=2, options={"game": number})
    for _ in range(130):
        for row, env in enumerate(singles):
            assert env.agent_selection == tables.possible_agents[infos["seat"][row]]
            assert seen(env.observe(env.agent_selection)) == seen(row_of(observations, row))
        actions = [chosen(mask, rng) for mask in observations["action_mask"]]
        observations, rewards, ends, cuts, infos = tables.step(actions)
        assert not cuts.any()
        for row, env in enumerate(singles):
            actor = env.agent_selection
            env.step(actions[row])
            assert [*env.rewards.values()] == rewards[row].tolist()
            assert [*env.terminations.values()] == [ends[row]] * players
            if ends[row]:
                ended += 1
                assert seen(env.observe(actor)) == seen(infos["final_obs"][row])
                assert infos["final_info"]["score"][row].tolist() == [
                    env.infos[agent]["score"] for agent in env.agents
                ]
                numbers[row] += count
                env.reset(seed=2, options={"game": numbers[row]})
    assert ended > 0


def row_of(observations: dict[str, Any], row: int) -> dict[str, Any]:
    return {name: numbers[row] for name, numbers in observations.items()}


def test_in_a_vector_only_the_seat_with_the_illegal_action_loses() -> None:
    tables = royalcrypt_v1.vector_env(2, players=4)
    tables.reset(seed=1)
    _, rewards, ends, _, infos = tables.step([ACTIONS - 1, 0])
    assert rewards.tolist() == [[-1, 0, 0, 0], [0, 0, 0, 0]]
    assert ends.tolist() == [True, False]
    assert infos["final_info"]["is_illegal"].tolist() == [True, False]


@pytest.mark.parametrize("make", [royalcrypt_v1.env, royalcrypt_v1.raw_env], ids=["env", "raw_env"])
def test_wrong_options_are_refused_with_the_valid_ones(make: Any) -> None:
    for players in (5, 0, "2", True):
        with pytest.raises(ValueError, match="2 to 4 can play here"):
            make(players=players)
    with pytest.raises(ValueError, match="RoyalCrypt/OnlyChild-v1"):
        make(players=1)
    with pytest.raises(Refusal, match="write six letters A or B"):
        make(collectors="AAAAAX")
    with pytest.raises(Refusal, match="Seat 2 cannot lead"):
        make(leader=2)
    with pytest.raises(ValueError, match="give one of 'win', 'score'"):
        make(reward="coins")
    with pytest.raises(ValueError, match="give one of 'ansi', 'rgb_array'"):
        make(render_mode="human")
    with pytest.raises(Refusal, match="whole number from 0"):
        make().reset(seed=-3)


def test_zero_environments_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        royalcrypt_v1.vector_env(0)
    with pytest.raises(ValueError, match="2 to 4 can play here"):
        royalcrypt_v1.vector_env(8, players=7)
