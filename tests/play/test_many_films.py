"""The page's own test of a thousand replays, for ten times as many and with far more of them drawn."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
SCALE = float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1"))


@pytest.mark.faults
def test_ten_thousand_random_games_are_told_and_drawn_without_a_gap() -> None:
    node = shutil.which("node")
    assert node, "Node.js is needed: see CONTRIBUTING.md"
    many = {
        "PYTHON": sys.executable,
        "ROYALCRYPT_FILMS": str(round(10_000 * SCALE)),
        "ROYALCRYPT_DRAWN": str(round(300 * SCALE)),
        "ROYALCRYPT_SEED": "1000",
    }
    done = subprocess.run(
        (node, "node_modules/vitest/vitest.mjs", "run", "tests/films.test.ts"),
        cwd=WEB, env=os.environ | many, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
