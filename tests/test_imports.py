"""A plain game needs neither NumPy nor Numba, and live tables use no threads or files."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIVE = ROOT / "src" / "royalcrypt" / "live"
SERVERS_ONLY = {"to_thread", "run_in_executor", "create_subprocess_exec", "open_connection", "start_server"}
"""Of asyncio, whose import no contract forbids; Pyodide has no threads, processes or sockets."""

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


@pytest.mark.parametrize("path", sorted(LIVE.rglob("*.py")), ids=lambda path: str(path.relative_to(LIVE)))
def test_live_tables_use_no_threads_and_open_no_files_so_that_they_run_in_a_browser(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    imported = {name.name for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    called = {getattr(node.func, "id", "") for node in nodes if isinstance(node, ast.Call)}
    assert not (imported | attributes) & SERVERS_ONLY
    assert "open" not in called
