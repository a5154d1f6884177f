"""``CheckedEnv`` behaves like PettingZoo's three usual wrappers, for legal and illegal use."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pettingzoo.utils
import pytest

from royalcrypt.envs import royalcrypt_v1
from royalcrypt.rules.actions import ACTIONS
from tests.envs.playing import chosen

wrappers: Any = vars(pettingzoo.utils)["wrappers"]


def usual(**options: Any) -> Any:
    guarded = wrappers.TerminateIllegalWrapper(royalcrypt_v1.raw_env(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


def shown(env: Any) -> list[Any]:
    """Everything that an environment returns now."""
    if not env.agents:
        return []
    observation, *rest = env.last()
    seen = [numbers.tolist() for numbers in observation.values()]
    told = [env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards]
    return [seen, rest, env.agents, env.agent_selection, env.num_agents, *map(dict, told)]


def both(envs: Sequence[Any], deed: Callable[[Any], None]) -> str:
    """Run it on both environments; return the error message, which must be the same."""
    went: list[str] = []
    for env in envs:
        try:
            deed(env)
            went.append("")
        except (AssertionError, AttributeError, ValueError) as problem:
            went.append(f"{type(problem).__name__}: {problem}")
    assert went[0] == went[1]
    return went[0]


@pytest.mark.parametrize("wrong", [None, 0, 5, 12], ids=["lawful", "at once", "soon", "later"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_checked_environment_equals_pettingzoos_three_wrappers(
    players: int, wrong: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    envs: list[Any] = [make(players=players, collectors="BABBAB") for make in (royalcrypt_v1.env, usual)]
    for env in envs:
        env.reset(seed=4)
    rng, step = random.Random(1), 0
    while envs[0].agents:
        assert shown(envs[0]) == shown(envs[1])
        observation, _, is_over, _, _ = envs[0].last()
        action = None if is_over else chosen(observation["action_mask"], rng)
        if step == wrong:
            assert "action is not in action space" in both(envs, lambda env: env.step(ACTIONS))
            action = ACTIONS - 1
        for env in envs:
            env.step(action)
        step += 1
    assert envs[1].agents == []
    assert not both(envs, lambda env: env.step(None))
    said = [record.message for record in caplog.records]
    assert said[::2] == said[1::2]
    assert len(said) == (2 if wrong is None else 4)
    assert "Should reset() first" in said[-1]


def ask(env: Any, name: str) -> None:
    found = getattr(env, name)
    if callable(found):
        found(*{"step": [0], "observe": ["player_0"]}.get(name, []))


@pytest.mark.parametrize(
    "name", ["step", "last", "observe", "render", "agent_iter", "agents", "agent_selection", "rewards"]
)
def test_every_access_before_reset_is_an_error(name: str) -> None:
    envs = royalcrypt_v1.env(render_mode="ansi"), usual(render_mode="ansi")
    assert "reset" in both(envs, lambda env: ask(env, name))


def test_agent_iter_requires_a_step_between_agents() -> None:
    def twice(env: Any) -> None:
        env.reset(seed=1)
        agents = iter(env.agent_iter())
        next(agents)
        next(agents)

    assert "need to call step() or reset()" in both([royalcrypt_v1.env(), usual()], twice)
