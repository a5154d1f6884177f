"""OpenSpiel's game ``python_royal_crypt``, for two to four players (``pip install royalcrypt[openspiel]``).

To import this room registers the game; afterwards ``pyspiel.load_game("python_royal_crypt")`` finds it.
"""

from typing import Any

import pyspiel

from royalcrypt.envs.openspiel.game import GAME_TYPE, RoyalCrypt, RoyalCryptState

__all__ = ["GAME_TYPE", "RoyalCrypt", "RoyalCryptState"]

spiel: Any = pyspiel
spiel.register_game(GAME_TYPE, RoyalCrypt)
