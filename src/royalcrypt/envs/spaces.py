"""Gymnasium's spaces of what these environments show and take."""

from typing import Any

import numpy as np
from gymnasium import spaces

from royalcrypt.envs.pieces import Layout
from royalcrypt.rules.actions import ACTIONS

OBSERVATION, ACTION_MASK = "observation", "action_mask"


def observation_space(layout: Layout) -> Any:
    """The row of numbers, and which actions are legal."""
    most = np.array(layout.most, np.int8)
    return spaces.Dict(
        {
            OBSERVATION: spaces.Box(np.zeros_like(most), most, dtype=np.int8),
            ACTION_MASK: spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


def action_space() -> Any:
    """The small decisions of ``royalcrypt.rules.actions``."""
    return spaces.Discrete(ACTIONS)
