"""``royalcrypt tournament``, as people and scripts use it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from royalcrypt.cli import main

COMMAND = ["tournament", "--bots", "random,novice", "--deals", "9"]


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main([*COMMAND, "--json", "-", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_people_get_ratings_and_encounters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "--deals", "8", "--seed", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "8 deals, 48 games of 2 players, seed 1, Collectors random" in out
    for words in ("greedy", "novice", "random", "1000", "95 %", "Wins", "won against the column's"):
        assert words in out


def test_bots_come_by_their_path_and_few_deals_have_no_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    bots = "greedy,tests.lab.entrants:Hasty"
    assert main(["tournament", "--bots", bots, "--games", "7", "--players", "3"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "2 deals, 12 games of 3 players" in out, "a deal that is begun is played to its end"
    assert "the mean of all is 1500" in out
    assert "Intervals need 8 deals at least." in out


def test_the_same_figures_come_from_one_process_or_several(capsys: pytest.CaptureFixture[str]) -> None:
    alone = told(capsys)
    assert told(capsys, "--jobs", "2") == alone
    assert told(capsys, "--seed", "1") != alone
    assert alone["games"] == 18


def test_what_was_kept_is_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, kept = tmp_path / "games.jsonl", ["--keep", str(tmp_path / "games.jsonl")]
    whole = told(capsys, *kept)
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) == 19
    file.write_bytes(b"".join(lines[:6]) + lines[6][:9])
    assert main(["tournament", *kept, "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == whole, "the file knows what is played"
    assert "holds 5 games; 18 are wanted." in err
    assert file.read_bytes() == b"".join(lines)


def test_figures_and_pictures_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: tmp_path / name for name in ("a.json", "a.png", "a.svg")}
    kept = ["--keep", str(tmp_path / "games"), "--json", str(files["a.json"])]
    for picture in ("a.png", "a.svg"):
        assert main([*COMMAND, *kept, "--plot", str(files[picture])]) == 0
    out, err = capsys.readouterr()
    assert "Rating" in out
    assert f"Written: {files['a.json']}" in err
    assert json.loads(files["a.json"].read_text())["standings"][0]["bot"] == "novice"
    assert files["a.png"].read_bytes().startswith(b"\x89PNG")
    assert "<svg" in files["a.svg"].read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bots", "oracle,random"], 'There is no bot "oracle". There are: random, novice, greedy'),
        (
            ["--bots", "tests.lab.entrants:Nobody,random"],
            "The bot tests.lab.entrants:Nobody cannot be loaded",
        ),
        (["--bots", "random"], "A tournament needs two bots at least: --bots random names one."),
        (["--bots", "random,greedy,random"], "random is named twice"),
        (["--bots", ""], 'There is no bot ""'),
        (["--players", "5"], "--players 5: give a whole number from 2 to 4."),
        (["--players", "1"], "--players 1: give a whole number from 2 to 4."),
        (["--deals", "0"], "--deals 0: give a whole number from 1 to"),
        (["--games", "few"], "--games few: give a whole number from 1 to"),
        (["--collectors", "AX"], '"AX" does not set the Collectors'),
        (["--seed", "lucky"], "lucky is not a seed"),
        (["--simulations", "0"], "--simulations 0: give a whole number"),
        (["--milliseconds", "0"], "--milliseconds 0: give a whole number"),
        (["--jobs", "0"], "--jobs 0: give a whole number from 1 to"),
        (["--ray", "nonsense"], "is no address of a Ray cluster"),
        (["--plot", "picture.txt"], "a picture's name ends in .png, .svg"),
        (["--plot", "/nowhere/a.png"], "/nowhere/a.png cannot be written: No such file"),
        (["--json", "/"], "/ cannot be written: Is a directory."),
        (["--keep", "/nowhere/games"], "/nowhere/games cannot be written: No such file"),
        (["--keep", "/"], "/ cannot be read: Is a directory."),
        (["--bots", "random,tests.lab.entrants:Cheat"], "is not a move"),
    ],
)
def test_bad_input_gets_one_clear_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--seed", "6"], "was begun with --seed 0"),
        (["--bots", "random,greedy"], "was begun with --bots random,novice"),
        (["--players", "3"], "was begun with --players 2"),
        (["--collectors", "AAAAAA"], "was begun with --collectors random"),
        (["--milliseconds", "5"], "was begun with --milliseconds never"),
    ],
)
def test_a_file_of_another_plan_is_refused_and_left_alone(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games"
    assert main(["tournament", "--bots", "random,novice", "--deals", "1", "--keep", str(file)]) == 0
    content = file.read_bytes()
    capsys.readouterr()
    assert main(["tournament", "--keep", str(file), *options]) == 2
    assert words in capsys.readouterr().err
    assert file.read_bytes() == content


def test_any_other_file_is_refused_and_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Dear diary,\n", encoding="utf-8")
    assert main([*COMMAND, "--keep", str(file)]) == 2
    assert "notes.txt holds no tournament that can be gone on with" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "Dear diary,\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_was_played(jobs: str, tmp_path: Path) -> None:
    file = tmp_path / "games"
    command = [sys.executable, "-m", "royalcrypt", *COMMAND[:-1], "1000000", "--keep", str(file)]
    process = subprocess.Popen([*command, "--jobs", jobs], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while (not file.exists() or file.stat().st_size < 5_000) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    games = len(file.read_bytes().splitlines()) - 1
    assert err.decode() == f"Stopped after {games} games; {file} has all that is needed to go on.\n"
