"""Calibration: what is said is put beside what came."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from royalcrypt.cli import main
from royalcrypt.lab.calibration import Calibration, Predictions, sample
from royalcrypt.search.network import WEIGHTS, learned_weights


def positions(said: list[float], came: list[float]) -> Predictions:
    return Predictions(np.array(said, np.float32), np.array(came, np.float32))


def test_exact_predictions_have_no_error() -> None:
    found = Calibration.of(positions([0.25, 0.25, 0.25, 0.25, 1.0], [1, 0, 0, 0, 1]))
    assert found.error == 0
    assert found.positions == 5
    assert [one.positions for one in found.bins] == [0, 0, 4, 0, 0, 0, 0, 0, 0, 1]


def test_the_error_is_the_mean_over_positions_of_the_errors_of_tenths() -> None:
    found = Calibration.of(positions([0.05, 0.15, 0.55, 0.55], [0, 1, 0, 0]))
    assert found.error == pytest.approx((0.05 + 0.85 + 2 * 0.55) / 4)
    wrong = [abs(one.expected - one.happened) for one in found.bins if one.positions]
    assert wrong == pytest.approx([0.05, 0.85, 0.55])


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_one_position_of_each_game_the_same_for_the_same_seed(players: int) -> None:
    one, again = (sample(learned_weights(), players, 120, seed=3) for _ in range(2))
    assert len(one.predicted) == len(one.results) == 120
    assert np.array_equal(one.predicted, again.predicted)
    assert np.array_equal(one.results, again.results)
    assert not np.array_equal(one.results, sample(learned_weights(), players, 120, seed=4).results)
    shares = {0.0, 1.0} if players == 1 else {0.0, 0.25, 1 / 3, 0.5, 1.0}
    assert all(min(abs(came - share) for share in shares) < 1e-6 for came in one.results)


def test_a_network_without_weights_is_badly_calibrated() -> None:
    """Weights of nothing say one half of everything; of four players, one in four wins."""
    weights: Any = np.zeros(WEIGHTS, np.float32)
    found = Calibration.of(sample(weights, 4, 100, seed=1))
    assert found.bins[5].positions == 100
    assert 0.1 < found.error < 0.4


def test_the_command_prints_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "calibration.svg"
    assert main(["calibrate", "--games", "40", "--plot", str(picture), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["alone", "two", "three", "four", "all"]
    assert sum(one["positions"] for one in told["all"]["bins"]) == 40
    assert picture.read_text().count("<svg") == 1
    assert main(["calibrate", "--games", "40"]) == 0
    assert "All" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--games", "3"], "--games 3"),
        (["--seed", "x"], "x"),
        (["--plot", "picture.doc"], "picture.doc: a picture's name ends in .png, .svg."),
    ],
)
def test_bad_options_are_refused(options: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", *options]) == 2
    assert words in capsys.readouterr().err


def test_a_picture_that_cannot_be_written_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "--games", "4", "--plot", str(tmp_path / "no" / "where.svg")]) == 2
    assert "where.svg" in capsys.readouterr().err
