"""The OpenSpiel training example, run for a short time."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.examples.running import FOLDER

TRAIN = [sys.executable, str(FOLDER / "train_openspiel.py")]


def train(*arguments: str) -> "subprocess.CompletedProcess[str]":
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run([*TRAIN, *arguments], capture_output=True, text=True, check=False, env=alone)


def test_training_improves_play_within_some_hundred_games(tmp_path: Path) -> None:
    file = tmp_path / "curve.json"
    done = train(
        "--games", "500", "--batch", "10", "--every", "500", "--against", "200", "--json", str(file)
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (begun, first), (ended, last) = json.loads(file.read_text("utf-8"))
    assert (begun, ended) == (0, 500)
    assert 0.35 < first < 0.65
    assert last > first + 0.1
    assert done.stdout.count("against random players") == 2


def test_wrong_options_are_explained() -> None:
    done = train("--every", "70")
    assert done.returncode == 2
    assert "measure after whole batches" in done.stderr
