"""Short runs of the training examples improve play."""

import importlib
import subprocess
import sys
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tests.examples.running import FOLDER


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module


def test_training_improves_only_child(example: Any) -> None:
    curve = list(example("train_gymnasium").train(10, games=96, seed=1))
    assert mean(curve[-2:]) > curve[0] + 2


def test_training_improves_the_game_for_two(example: Any) -> None:
    trained = example("train_pettingzoo")
    *_, learner = trained.train(2, 12, tables=64, seed=1)
    assert trained.share_of_wins(learner, 2, 60) > 0.6


@pytest.mark.parametrize(
    "arguments", [["train_gymnasium.py", "--games", "8"], ["train_pettingzoo.py", "--tables", "8"]]
)
def test_an_example_draws_its_curve(arguments: list[str], tmp_path: Path) -> None:
    picture = tmp_path / "curve.png"
    script, *options = arguments
    if script == "train_pettingzoo.py":
        options += ["--players", "3", "--matches", "6"]
    program = [sys.executable, str(FOLDER / script), "--updates", "2", "--plot", str(picture), *options]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [["update", "1"], ["update", "2"]]
    assert picture.read_bytes().startswith(b"\x89PNG")
