"""Two to four players for PettingZoo: ``env()``, ``raw_env()``, and ``vector_env()`` for thousands of games.

Agents are called ``player_0`` to ``player_3``, by seat, and act one at a time (AEC). The environment plays
chance by itself, from the seed of ``reset``.
"""

from typing import Any

from royalcrypt.envs.company import Company
from royalcrypt.envs.company_vector import CompanyVector
from royalcrypt.envs.guarding import Guard
from royalcrypt.envs.setting import Setting, check_company, check_render_mode


def env(**options: Any) -> Guard:
    """With a guard: an illegal action ends the game, and whoever did it gets -1."""
    return Guard(raw_env(**options))


def raw_env(
    *,
    players: int = 2,
    collectors: str = "AAAAAA",
    leader: int | None = 0,
    reward: str = "win",
    render_mode: str | None = None,
) -> Company:
    """Without a guard: an illegal action is refused, and the game is as it was."""
    check_company(players)
    check_render_mode(render_mode)
    return Company(Setting(players, collectors, leader, reward), render_mode)


def vector_env(
    num_envs: int,
    *,
    players: int = 2,
    collectors: str = "AAAAAA",
    leader: int | None = 0,
    reward: str = "win",
    copy: bool = True,
) -> CompanyVector:
    """Many games at once, each with the observation of whoever must act in it."""
    check_company(players)
    return CompanyVector(Setting(players, collectors, leader, reward), num_envs, is_copied=copy)
