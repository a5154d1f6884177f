"""Bots, which choose moves from a view of the game alone.

>>> from royalcrypt import Game
>>> from royalcrypt.bots import Budget, bot_named
>>> game = Game.new(players=2, seed=7)
>>> move = bot_named("greedy").choose(game.view(seat=0), Budget(seed=1))
>>> events = game.play(move)
"""

from royalcrypt.bots.protocol import Bot, Budget
from royalcrypt.bots.registry import bot_named, bot_names

__all__ = ["Bot", "Budget", "bot_named", "bot_names"]
