"""``royalcrypt analyze`` reports what decisions cost, and refuses wrong input in one sentence."""

import io
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.cli import main
from royalcrypt.lab import backends
from royalcrypt.locales import say

Capture = pytest.CaptureFixture[str]
QUICK = ("--simulations", "16")


@cache
def played(players: int, seed: int = 5, moves: int = 1000) -> Game:
    game = Game.new(players=players, seed=seed, collectors="ABABAB")
    while game.actor is not None and len(game.moves) < moves:
        game.play(bot_named("novice").choose(game.view(game.actor), Budget()))
    return game


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "game.json"
    found.write_text(played(2, moves=9).record().to_json(), "utf-8")
    return found


def answer(capsys: Capture, *arguments: str) -> list[dict[str, Any]]:
    assert main(["analyze", *arguments, *QUICK, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def refusal(capsys: Capture, *arguments: str) -> str:
    assert main(["analyze", *arguments]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.startswith("royalcrypt: ")
    assert found.err.count("\n") == 1
    return found.err


def test_an_analysis_has_rounds_mistakes_and_a_split(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(played(2).record().to_json(), "utf-8")
    assert main(["analyze", str(file), *QUICK]) == 0
    out = capsys.readouterr().out
    for number in range(1, 9):
        assert say("analyze.round", round=number) in out
    assert say("analyze.grade.blunder") in out
    assert say("analyze.better") in out
    assert say("analyze.split.coins") in out
    assert "−" in out
    assert "2 Player 2" in out


def test_a_solo_analysis_counts_coins(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(played(1, moves=4).record().to_json(), "utf-8")
    assert main(["analyze", str(file), *QUICK]) == 0
    out = capsys.readouterr().out
    assert say("analyze.column.score") in out
    assert say("analyze.split.titles") in out
    assert say("analyze.column.wins") not in out


def test_an_unfinished_record_is_analysed_and_marked(capsys: Capture, file: Path) -> None:
    assert main(["analyze", str(file), *QUICK]) == 0
    assert say("analyze.unfinished", round=played(2, moves=9).round) in capsys.readouterr().out
    assert not answer(capsys, str(file))[0]["is_over"]


def test_a_record_may_come_from_the_input(
    capsys: Capture, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    assert len(answer(capsys, "-")[0]["decisions"]) == 9


def test_all_games_of_a_file_or_one_of_them_are_analysed(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    games = [played(2, moves=3), played(3, moves=2)]
    file.write_text("".join(game.record().to_json() + "\n" for game in games), "utf-8")
    assert [found["players"] for found in answer(capsys, str(file))] == [2, 3]
    assert [found["players"] for found in answer(capsys, str(file), "--game", "2")] == [3]
    assert "--game 3" in refusal(capsys, str(file), "--game", "3")
    assert "--plot" in refusal(capsys, str(file), "--plot", str(tmp_path / "games.png"))


def test_one_player_can_be_analysed_in_another_language(capsys: Capture, file: Path) -> None:
    found = answer(capsys, str(file), "--seat", "2", "--language", "pl")[0]
    assert found["seats"] == [1]
    assert {decision["seat"] for decision in found["decisions"]} == {1}
    assert main(["analyze", str(file), "--seat", "2", "--language", "pl", *QUICK]) == 0
    assert "1 Player 1" not in capsys.readouterr().out


@pytest.mark.parametrize(("ending", "begin"), [("png", b"\x89PNG"), ("svg", b"<?xml")], ids=["png", "svg"])
def test_a_picture_is_drawn(capsys: Capture, file: Path, tmp_path: Path, ending: str, begin: bytes) -> None:
    picture = tmp_path / f"game.{ending}"
    answer(capsys, str(file), "--plot", str(picture))
    assert picture.read_bytes().startswith(begin)


def test_control_characters_in_names_are_escaped(capsys: Capture, tmp_path: Path) -> None:
    told = played(2, moves=2).record().to_dict()
    told["game"]["seats"][0]["name"] = "[red]\x1b[2J$x$王" + "y" * 300
    file = tmp_path / "game.json"
    file.write_text(json.dumps(told), "utf-8")
    assert main(["analyze", str(file), *QUICK, "--plot", str(tmp_path / "game.svg")]) == 0
    out = capsys.readouterr().out
    assert "\x1b[2J" not in out
    assert "[red]" in out


def test_bad_input_is_refused_in_one_sentence(capsys: Capture, tmp_path: Path, file: Path) -> None:
    record = json.loads(file.read_text("utf-8"))
    bad = tmp_path / "bad.json"

    def refused(found: Any, *arguments: str) -> str:
        bad.write_text(found if isinstance(found, str) else json.dumps(found), "utf-8")
        return refusal(capsys, str(bad), *arguments)

    assert str(tmp_path / "nowhere") in refusal(capsys, str(tmp_path / "nowhere"))
    assert str(tmp_path) in refusal(capsys, str(tmp_path))
    assert "not a game record" in refused("")
    assert "not a game record" in refused("hello")
    assert "version 2" in refused(record | {"version": 2})
    assert "viewer" in refused(played(2, moves=9).record_for(1).to_dict())
    two = f"{json.dumps(record)}\n{json.dumps(record | {'version': 2})}\n"
    assert f"{bad}:2" in refused(two)


def test_a_broken_record_is_refused_with_the_event_and_the_rule(capsys: Capture, tmp_path: Path) -> None:
    told = played(2).record().to_dict()
    n = next(n for n, event in enumerate(told["events"]) if event["type"] == "claim")
    told["events"][n]["place"][0]["dice"] = 3
    told["events"][n]["place"].append({"slot": 2, "dice": 1, "effort": 1})
    file = tmp_path / "game.json"
    file.write_text(json.dumps(told), "utf-8")
    assert f"Event {n} breaks a rule" in refusal(capsys, str(file))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--seat", "3"),
        ("--seat", "0"),
        ("--game", "2"),
        ("--simulations", "1"),
        ("--language", "xx"),
        ("--jobs", "0"),
        ("--plot", "game.gif"),
    ],
)
def test_options_out_of_bounds_are_refused(capsys: Capture, file: Path, option: str, value: str) -> None:
    assert value in refusal(capsys, str(file), option, value)


def test_a_picture_that_cannot_be_written_is_refused(capsys: Capture, file: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "game.png"
    assert main(["analyze", str(file), *QUICK, "--plot", str(nowhere)]) == 2
    assert str(nowhere) in capsys.readouterr().err


def test_without_a_compiler_it_says_what_to_install(
    capsys: Capture, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backends, "can_compile", lambda: False)
    assert say("analyze.needs") in refusal(capsys, str(file))
