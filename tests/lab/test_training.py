"""Training: the same plan gives the same weights, interrupted or not, and bad files are refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from royalcrypt.cli import main
from royalcrypt.lab import training
from royalcrypt.lab.training import CAREFUL, QUICK, THREADS, Training, TrainingPlan
from royalcrypt.notation.reasons import Reason, Refusal

ROUND = THREADS * QUICK.games
CAREFUL_ROUND = THREADS * CAREFUL.games
PLAN = TrainingPlan(seed=5, games=2 * ROUND, careful=2 * CAREFUL_ROUND)


class Stop(Exception):  # noqa: N818 (it is no error)
    """Somebody pulls the plug."""


def ran(training: Training) -> Training:
    training.run(lambda: None)
    return training


def stop() -> None:
    raise Stop


@pytest.fixture(scope="module", autouse=True)
def few_deals() -> Iterator[None]:
    """That milestones are measured matters here, not how well."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "DEALS", 8)
        yield


@pytest.fixture(scope="module")
def whole() -> Training:
    return ran(Training(PLAN))


def test_the_same_plan_gives_the_same_weights(whole: Training) -> None:
    again = ran(Training(PLAN))
    assert np.array_equal(whole.learner.weights, again.learner.weights)
    assert whole.curve == again.curve
    other = ran(Training(TrainingPlan(seed=6, games=ROUND, careful=0)))
    assert not np.array_equal(other.learner.weights, whole.learner.weights)


def test_whoever_is_interrupted_goes_on_as_if_nothing_had_been(whole: Training, tmp_path: Path) -> None:
    file = tmp_path / "training"
    begun = Training(PLAN)
    while begun.games < PLAN.all_games:
        with pytest.raises(Stop):
            begun.run(stop)
        begun.save(file)
        begun = Training.resumed(file)
    assert np.array_equal(begun.learner.weights, whole.learner.weights)
    assert begun.curve == whole.curve
    quick = 2 * ROUND
    assert [one.games for one in begun.curve] == [
        ROUND, quick, quick + CAREFUL_ROUND, quick + 2 * CAREFUL_ROUND
    ]  # fmt: skip


def test_it_learns(whole: Training) -> None:
    first, *_, last = ran(Training(TrainingPlan(seed=1, games=8 * ROUND, careful=0))).curve
    assert last.losses.score < first.losses.score / 2
    assert all(0 <= share <= 1 for milestone in whole.curve for share in milestone.shares)


def damaged(path: Path, **parts: Any) -> Path:
    np.savez(path, **(Training(PLAN).state() | parts))
    return path.with_name(path.name + ".npz")


@pytest.mark.parametrize(
    "parts",
    [
        {"weights": np.zeros(3, np.float32)},
        {"pace": np.zeros(3, np.float64)},
        {"plan": np.array("{}x")},
        {"plan": np.array('{"colour": 3}')},
        {"games": np.array("many")},
    ],
)
def test_what_is_no_training_is_refused(tmp_path: Path, parts: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        Training.resumed(damaged(tmp_path / "training", **parts))
    assert refused.value.reason is Reason.NOT_A_TRAINING


@pytest.mark.parametrize("content", [b"", b"not a training", b"PK\x03\x04 cut off"])
def test_any_other_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    assert main(["train", str(file)]) == 2
    assert file.read_bytes() == content


def test_the_command_trains_goes_on_and_writes_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, weights = tmp_path / "training", tmp_path / "value.npy"
    command = ["train", str(file), "--games", str(ROUND), "--careful", "0", "--seed", "5"]
    command += ["--weights", str(weights)]
    assert main(command) == 0
    assert f"{ROUND} games: errors" in capsys.readouterr().err
    made = np.load(weights)
    assert np.array_equal(made, Training.resumed(file).learner.weights)
    weights.unlink()
    assert main(command) == 0, "it is done already, and says so"
    assert np.array_equal(np.load(weights), made)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--seed", "6"], "was begun with --seed 5"),
        (["--games", "9999999"], f"was begun with --games {PLAN.games}"),
        (["--careful", "1"], f"was begun with --careful {PLAN.careful}"),
        (["--games", "none"], "none"),
        (["--careful", "many"], "many"),
        (["--games", "0"], "0"),
    ],
)
def test_bad_options_are_refused(
    tmp_path: Path, options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "training"
    Training(PLAN).save(file)
    assert main(["train", str(file), *options]) == 2
    assert words in capsys.readouterr().err


def test_where_nothing_can_be_kept_it_is_said_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", str(tmp_path / "no" / "such" / "folder"), "--games", str(ROUND)]) == 2
    assert "folder" in capsys.readouterr().err
