"""A plain game needs neither NumPy nor Numba."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

WHOLE_GAME = """
import sys
from royalcrypt import Game

for players in (1, 2, 3, 4):
    game = Game.new(players=players, collectors="BABBAB", seed=1)
    while not game.is_over:
        game.view(game.actor).to_dict()
        game.play("recover" if game.phase == "claim" else "decline")
    assert Game.from_record(game.record().to_json()).result() == game.result()
    assert repr(Game.from_position(game.position())) == repr(game)
found = {"numpy", "numba"} & set(sys.modules)
assert not found, found
"""


def test_importing_and_playing_whole_games_plainly_imports_neither_numpy_nor_numba() -> None:
    subprocess.run([sys.executable, "-c", WHOLE_GAME], check=True, cwd=ROOT / "src")
