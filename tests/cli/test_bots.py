"""``royalcrypt bots``: the list of bots and their ratings."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from royalcrypt import Move, View
from royalcrypt.bots import Budget, bot_names, ratings, registry
from royalcrypt.cli import main


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ratings file for each test, only quick bots, and a wide terminal."""
    quick = {name: registry.LADDER[name] for name in ("random", "novice", "greedy")}
    monkeypatch.setattr(registry, "LADDER", quick)
    monkeypatch.setattr(ratings, "FILE", tmp_path / "ratings.json")
    monkeypatch.setenv("COLUMNS", "250")
    return tmp_path / "ratings.json"


def rows(out: str) -> dict[str, list[str]]:
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines() if "│" in line]
    return {row[0]: row[1:] for row in cells}


def test_bots_are_listed_with_descriptions(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    assert main(["bots"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    listed = rows(out)
    assert list(listed) == list(bot_names())
    assert listed["novice"] == [
        "Squire",
        "–",
        "–",
        "–",
        "no",
        "Grabs what glitters and dares too much. A child can win.",
    ]
    assert "random stands at 1000" in out
    assert not file.exists()


def test_known_ratings_are_shown_with_their_games_and_date(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    match = {"bots": ["random", "novice"], "games": 40, "wins": 4, "date": "2026-02-03", "command": "c"}
    solo = {"score": 36.66, "games": 1, "date": "2026-02-03", "command": "c"}
    known = {"ratings": {"novice": {"rating": 1388, "games": 40}}, "matches": [match]}
    later = {**match, "date": "2026-03-04"}
    four = {"matches": [match, later]}
    file.write_text(json.dumps({"two": known, "four": four, "solo": {"novice": solo}}))
    assert main(["bots"]) == 0
    out = capsys.readouterr().out
    assert rows(out)["novice"][1:4] == ["1388", "–", "36.7"]
    assert "Two: 40 games, 2026-02-03\n" in out
    assert "Four: 80 games, 2026-02-03 – 2026-03-04\n" in out
    assert "Alone: 1 game, 2026-02-03\n" in out


def test_measuring_plays_every_pair_and_saves_the_ratings(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    arguments = ["bots", "--measure", "--bots", "novice", "--games", "5"]
    assert main(arguments) == 0
    first = file.read_bytes()
    shown = rows(capsys.readouterr().out)
    found: dict[str, Any] = json.loads(first)
    others = [name for name in bot_names() if name != "novice"]
    assert {frozenset(match["bots"]) for match in found["two"]["matches"]} == {
        frozenset(("novice", other)) for other in others
    }
    assert {match["games"] for match in found["two"]["matches"]} == {6}, "whole deals"
    assert {match["games"] for match in found["four"]["matches"]} == {8}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", match["date"]) for match in found["four"]["matches"])
    assert set(found["solo"]) == {"novice"}
    assert shown["random"][1:4] == ["1000", "1000", "–"]
    assert shown["novice"][1] == str(found["two"]["ratings"]["novice"]["rating"])
    assert list(file.parent.iterdir()) == [file]


def test_one_kind_of_table_can_be_measured_and_the_rest_is_kept(file: Path) -> None:
    assert main(["bots", "--measure", "--bots", "novice", "--games", "2", "--players", "1"]) == 0
    assert (
        main(["bots", "--measure", "--bots", "novice", "--games", "2", "--players", "2", "--jobs", "2"]) == 0
    )
    found = json.loads(file.read_bytes())
    assert found["solo"]
    assert found["two"]["matches"]
    assert not found["four"]["matches"]


def test_the_number_of_processes_changes_no_rating(file: Path) -> None:
    written: set[bytes] = set()
    for jobs in ("1", "2"):
        file.unlink(missing_ok=True)
        arguments = ["--bots", "novice", "--games", "4", "--players", "2", "--jobs", jobs]
        assert main(["bots", "--measure", *arguments]) == 0
        written.add(re.sub(rb'"date": "[^"]*"', b"", file.read_bytes()))
    assert len(written) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--games", "5"], "--games is of use only together with --measure."),
        (["--jobs", "2"], "--jobs is of use only together with --measure."),
        (["--bots", "greedy"], "--bots is of use only together with --measure."),
        (["--measure", "--players", "3"], "--players 3: give one of 2, 4, 1."),
        (["--measure", "--players", ""], "--players : give one of 2, 4, 1."),
        (["--measure", "--games", "0"], "--games 0: give a whole number from 1 to 1000000000."),
        (["--measure", "--games", ""], "--games : give a whole number from 1 to 1000000000."),
        (["--measure", "--jobs", "many"], "--jobs many: give a whole number from 1 to 64."),
        (["--measure", "--bots", "oracle"], 'There is no bot "oracle". There are: random, novice, greedy'),
    ],
)
def test_bad_input_gets_one_clear_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    assert main(["bots", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1
    assert not file.exists()


def test_ratings_that_cannot_be_read_are_no_ratings(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text('{"two": 7}')
    assert main(["bots"]) == 2
    assert re.search(r"ratings\.json cannot be read: Expected `object`", capsys.readouterr().err)
    file.unlink()
    file.mkdir()
    assert main(["bots"]) == 2
    assert "ratings.json cannot be read: Is a directory." in capsys.readouterr().err


def test_no_game_is_played_if_ratings_cannot_be_saved(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "FILE", Path("/nowhere/ratings.json"))
    monkeypatch.setattr("royalcrypt.lab.rating.simulate", None)
    assert main(["bots", "--measure"]) == 2
    assert "/nowhere/ratings.json cannot be written: No such file or directory." in capsys.readouterr().err


class Guest:
    name = "guest"
    needs_compiler = True

    def choose(self, view: View, budget: Budget) -> Move:
        return next(view.moves())


class Offer:
    def __init__(self, name: str) -> None:
        self.name = name

    def load(self) -> Any:
        if self.name == "wreck":
            raise ImportError("No module named 'gone'")
        return Guest


@pytest.fixture
def guests(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(*, group: str, name: str | None = None) -> list[Offer]:
        return [Offer(offered) for offered in ("guest", "wreck") if name in (None, offered)]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    monkeypatch.setattr(registry, "_loaded", {})


@pytest.mark.usefixtures("guests")
def test_bots_of_other_packages_are_listed_whether_they_load_or_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bots"]) == 0
    listed = rows(capsys.readouterr().out)
    assert listed["guest"] == ["–", "–", "–", "–", "needed", "–"]
    assert listed["wreck"][4:] == [
        "–",
        "The bot wreck cannot be loaded: No module named 'gone'.",
    ]


@pytest.mark.usefixtures("guests")
def test_bots_of_other_packages_are_measured_and_broken_ones_left_out(file: Path) -> None:
    assert main(["bots", "--measure", "--bots", "guest", "--games", "2", "--players", "2"]) == 0
    met = {name for match in json.loads(file.read_bytes())["two"]["matches"] for name in match["bots"]}
    assert met == {*registry.LADDER, "guest"}


@pytest.mark.usefixtures("guests")
def test_a_broken_bot_that_was_asked_for_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots", "--measure", "--bots", "wreck"]) == 2
    assert "The bot wreck cannot be loaded" in capsys.readouterr().err
