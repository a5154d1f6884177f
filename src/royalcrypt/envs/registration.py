"""Registers ``RoyalCrypt/OnlyChild-v1`` with Gymnasium; the environment is imported on first use."""

from typing import Any

import gymnasium.envs.registration

registration: Any = gymnasium.envs.registration
ONLY_CHILD = "RoyalCrypt/OnlyChild-v1"


def register_environments() -> None:
    if ONLY_CHILD not in registration.registry:
        registration.register(
            id=ONLY_CHILD,
            entry_point="royalcrypt.envs.only_child:OnlyChild",
            vector_entry_point="royalcrypt.envs.only_child:OnlyChildVector",
        )
