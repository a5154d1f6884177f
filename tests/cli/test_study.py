"""``royalcrypt study``: what it writes, and what it refuses."""

from pathlib import Path

import pytest

from royalcrypt.cli import main
from royalcrypt.lab.studies.questions import NAMES


def test_the_questions_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(NAMES)
    assert main(["study"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(NAMES)


def test_a_report_and_its_figures_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "folder"
    given = ["study", "seats", "effort", "--games", "4", "--players", "2", "--seed", "3", "--out", str(out)]
    assert main(given) == 0
    told = capsys.readouterr()
    assert "Does it matter where one sits?" in told.out
    assert str(out / "report.html") in told.err
    assert {file.name for file in out.iterdir()} == {
        "report.html", "seats-seats.csv", "effort-rounds.csv", "effort-cards.csv", "effort-turns.csv",
        "effort-totals.csv",
    }  # fmt: skip
    assert "Seed</dt><dd>3" in (out / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["weather"], 'no study "weather". There are: collectors'),
        (["seats", "--players", "7"], "--players 7"),
        (["seats", "--players", "1"], "--players 1"),
        (["solo", "--players", "2"], "--players 2"),
        (["seats", "--players", "two"], "--players two"),
        (["seats", "--games", "1"], "--games 1"),
        (["seats", "--seed", "x"], "x"),
        (["seats", "--jobs", "0"], "--jobs 0"),
        (["seats", "--bot", "nobody"], 'no bot "nobody"'),
        (["effort", "--bot", "greedy"], "--bot greedy"),
    ],
    ids=[
        "study",
        "seven",
        "alone at a table",
        "two alone",
        "word",
        "one game",
        "seed",
        "jobs",
        "bot",
        "slow bot",
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    given: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", *given, "--out", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("name", ["effort", "recover"])
def test_some_questions_may_be_asked_alone(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["study", name, "--games", "30", "--players", "1", "--out", str(tmp_path)]
    assert main(given) == 0
    assert "\n- Alone, " in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    assert main(["study", "seats", "--games", "1000000", "--out", str(file / "folder")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_an_interrupted_study_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("royalcrypt.lab.studies.questions.study", stop)
    assert main(["study", "seats", "--out", str(tmp_path)]) == 130
    assert "nothing was written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
