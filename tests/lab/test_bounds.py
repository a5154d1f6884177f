"""Deals laid open: whoever sees less makes less of them."""

import json

import pytest

from royalcrypt.cli import main
from royalcrypt.lab.backends import backend_named
from royalcrypt.lab.bounds import best_scores
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.tables import Setting


@pytest.mark.parametrize("collectors", ["AAAAAA", "BBBBBB", None])
def test_who_sees_less_makes_less_of_a_deal(collectors: str | None) -> None:
    setting = Setting(players=1, bots=("greedy",), seed=3, collectors=collectors)
    honest = [outcome.scores[0] for outcome in simulate(setting, 8, backend_named("plain"))]
    found = list(best_scores(8, 3, collectors, breadth=8))
    missed = [score for best, score in zip(found, honest, strict=True) if best < score]
    assert len(missed) <= 1, "a beam may miss a lucky deal"
    assert sum(found) > sum(honest) + 24


def test_a_wider_look_finds_more_on_the_whole_whatever_the_jobs() -> None:
    narrow, wide, again = (
        list(best_scores(12, 5, "AAAAAA", breadth, jobs)) for breadth, jobs in ((1, 1), (8, 1), (8, 2))
    )
    assert sum(wide) > sum(narrow)
    assert wide == again


def test_the_command_tells_the_mean_and_the_titles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bound", "--games", "3", "--breadth", "1", "--seed", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    scores = list(best_scores(3, 3, "AAAAAA", breadth=1))
    assert told["mean"] == pytest.approx(sum(scores) / 3)
    assert (told["least"], told["most"]) == (min(scores), max(scores))
    assert sum(told["titles"].values()) == 3
    assert main(["bound", "--games", "3", "--breadth", "1", "--seed", "3"]) == 0
    assert "Of 3 deals" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--games", "0"], "--games 0"),
        (["--breadth", "0"], "--breadth 0"),
        (["--collectors", "ABC"], "ABC"),
        (["--seed", "-1"], "-1"),
    ],
)
def test_bad_options_are_refused(options: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bound", *options]) == 2
    assert words in capsys.readouterr().err
