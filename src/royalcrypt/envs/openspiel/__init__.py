"""OpenSpiel's game ``python_royal_crypt``, for two to four players (``pip install royalcrypt[openspiel]``).

Importing this package registers the game for ``pyspiel.load_game("python_royal_crypt")``.
"""

from typing import Any

import pyspiel

from royalcrypt.envs.openspiel.game import GAME_TYPE, RoyalCrypt, RoyalCryptState

__all__ = ["GAME_TYPE", "RoyalCrypt", "RoyalCryptState"]

spiel: Any = pyspiel
spiel.register_game(GAME_TYPE, RoyalCrypt)
