"""``royalcrypt dataset``: makes, resumes, checks; and refuses with one sentence."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from royalcrypt.cli import main
from royalcrypt.lab.dataset.folder import DatasetFolder

MADE = ("--games", "6", "--shard", "4", "--seed", "2")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "set"
    assert main(["dataset", "--out", str(folder), *MADE]) == 0
    return folder


def test_it_writes_and_checks_and_tells_records_that_follow_the_rules(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = tmp_path / "games.jsonl"
    assert main(["dataset", "--check", str(made), "--records", str(records)]) == 0
    assert "6 games are sound" in capsys.readouterr().err
    assert len(records.read_text("utf-8").splitlines()) == 6
    assert main(["check", str(records)]) == 0


def test_the_folder_alone_is_enough_to_go_on(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", "--out", str(made)]) == 0
    assert "Game 6 of 6, seed 2." in capsys.readouterr().err


def test_a_spoiled_data_set_is_told_with_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "set"
    assert main(["dataset", "--out", str(folder), "--games", "1"]) == 0
    file = folder / "games" / "part-00000.parquet"
    file.write_bytes(file.read_bytes() + b"!")
    assert main(["dataset", "--check", str(folder)]) == 1
    assert "games/part-00000.parquet is not what was written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--bot", "nobody"], 'There is no bot "nobody"'),
        (["--bot", "heir,greedy"], "There is no bot"),
        (["--players", "5"], "--players 5: give one of 1, 2, 3, 4, all"),
        (["--games", "0"], "--games 0"),
        (["--shard", "0"], "--shard 0"),
        (["--jobs", "0"], "--jobs 0"),
        (["--ray", "nonsense"], '"nonsense" is no address of a Ray cluster'),
        (["--seed", "-1"], "seed"),
        (["--collectors", "ABC"], '"ABC" does not set the Collectors'),
        (["--format", "csv"], "--format csv: give one of parquet"),
        (["--records", "games.jsonl"], "--records is of use only together with --check"),
        (["--check", "nowhere"], "cannot be read"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dataset", "--out", str(tmp_path / "set"), *options]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize(
    "other", [["--games", "7"], ["--players", "all"], ["--seed", "3"], ["--collectors", "AAAAAA"]]
)
def test_another_plan_is_refused(made: Path, other: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", "--out", str(made), *other]) == 2
    assert f"was begun with {other[0]}" in capsys.readouterr().err


def test_a_file_in_the_place_of_the_folder_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("mine", "utf-8")
    assert main(["dataset", "--out", str(file), *MADE]) == 2
    assert f"{file} cannot be written" in capsys.readouterr().err
    assert file.read_text("utf-8") == "mine"


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.tex").write_text("mine", "utf-8")
    assert main(["dataset", "--out", str(tmp_path), *MADE]) == 2
    assert "nothing is overwritten" in capsys.readouterr().err
    assert [found.name for found in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("", "is missing or damaged"),
        ("[]", "is missing or damaged"),
        ("{}", "is missing or damaged"),
        ('{"format": "royalcrypt-dataset", "version": 2, "rules": "1.0"}', "for another version"),
    ],
    ids=["nothing", "a list", "an empty one", "a newer one"],
)
def test_a_broken_head_is_refused(
    head: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dataset.json").write_text(head, "utf-8")
    for options in (["--out", str(tmp_path)], ["--check", str(tmp_path)]):
        assert main(["dataset", *options]) == 2
        assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    "change", [{"games": "many"}, {"players": 7}, {"shard": 0}, {"collectors": "ABC"}, {"dice": 3}], ids=str
)
def test_a_plan_that_is_none_is_refused(
    change: dict[str, Any], made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = json.loads((made / "dataset.json").read_text("utf-8"))
    head["plan"] |= change
    (tmp_path / "dataset.json").write_text(json.dumps(head), "utf-8")
    assert main(["dataset", "--out", str(tmp_path)]) == 2
    assert "holds no data set" in capsys.readouterr().err


def test_a_full_disk_is_told_in_a_sentence_and_leaves_nothing_half(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    folder = tmp_path / "set"
    monkeypatch.setattr(DatasetFolder, "write", full)
    assert main(["dataset", "--out", str(folder), *MADE]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert not list(folder.rglob("*.parquet"))


def test_without_pyarrow_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(_: str) -> None:
        return None

    monkeypatch.setattr("royalcrypt.lab.frames.find_spec", nothing)
    assert main(["dataset", "--out", str(tmp_path / "set"), *MADE]) == 2
    assert "install royalcrypt[data]" in capsys.readouterr().err


def test_whoever_presses_ctrl_c_is_told_how_to_go_on(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    options = ["--out", str(folder), "--games", "1000000", "--shard", "100"]
    with subprocess.Popen(
        [sys.executable, "-m", "royalcrypt", "dataset", *options], stderr=subprocess.PIPE, text=True
    ) as process:
        while not (folder / "games" / "part-00000.parquet").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert f"royalcrypt dataset --out {folder} goes on with them" in said
    assert "Traceback" not in said
    assert not list(folder.rglob("*.part"))
