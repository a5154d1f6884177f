"""Games of any bots for studies that need no more than how they ended."""

import numpy as np

from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.studies.playing import Array, desk, scores_of, wins_of
from royalcrypt.lab.tables import Setting, play_game


def ended(bot: str, scripts: Array, seed: int) -> tuple[Array, Array]:
    """Scores and parts of the win by game and seat; the same bot sits in all seats."""
    players = int(scripts["players"][0])
    if bot == BOT:
        tales = desk().play(scripts, seed).tales
        return scores_of(tales, players), wins_of(tales, players)
    scores, wins = np.zeros((len(scripts), players), np.int64), np.zeros((len(scripts), players))
    carrier = plain_backend()
    for row, script in enumerate(scripts):
        sides = "".join("AB"[side] for side in script["sides"])
        setting = Setting(players, (bot,) * players, seed, sides, int(script["leader"]))
        outcome = play_game(setting, int(script["number"]), carrier, is_recorded=False)
        scores[row] = outcome.scores
        wins[row, list(outcome.winners)] = 1 / len(outcome.winners)
    return scores, wins
