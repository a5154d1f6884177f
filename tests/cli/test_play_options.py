"""Wrong options of ``royalcrypt play`` give one clear line and exit code 2."""

import subprocess
from pathlib import Path

import pytest

from royalcrypt.cli import main
from tests.cli.terminals import command, environment


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--players", "5"], "One to four can play, not 5."),
        (["--players", "0"], "One to four can play, not 0."),
        (["--players", "two"], '--players takes a whole number, not "two".'),
        (["--bots", "nobody"], 'There is no bot "nobody".'),
        (["--players", "2", "--bots", "greedy,random"], "2 bots and 2 players leave no seat for you"),
        (["--players", "1", "--bots", "greedy"], "The bot leaves no seat for you"),
        (["--collectors", "AAX"], '"AAX" does not set the Collectors'),
        (["--names", "Ada,Bo"], "You gave 2 names, but the number of players is 1."),
        (["--names", "a:b"], '"a:b" will not do as a name'),
        (["--names", "7"], '"7" will not do as a name'),
        (["--names", "Ada,ada", "--players", "2"], "Give every player a different name."),
        (["--leader", "3", "--players", "2"], "Player 3 cannot lead"),
        (["--leader", "2"], "Alone, you lead the first round"),
        (["--seed", "soon"], '--seed takes a whole number, not "soon".'),
        (["--seed", "-1"], "-1 is not a seed"),
        (["--resume", "--seed", "3"], "leave out --seed"),
        (["--resume"], "There is no saved game."),
        (["--terminal"], "This game needs a terminal"),
    ],
)
def test_wrong_options_are_refused_in_one_line(
    options: list[str],
    reason: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ROYALCRYPT_DATA", str(tmp_path))
    assert main(["play", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("royalcrypt: ")
    assert reason in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", "{}", '{"format":"royalcrypt-record","version":1}', "\x00\xff"],
)
def test_a_broken_save_is_refused_in_one_line(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROYALCRYPT_DATA", str(tmp_path))
    (tmp_path / "save.json").write_text(text, "latin-1")
    assert main(["play", "--resume"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "save.json" in err


def test_without_a_terminal_it_says_so_and_exits_2(tmp_path: Path) -> None:
    done = subprocess.run(
        command("--terminal"),
        input="recover\n",
        capture_output=True,
        check=False,
        text=True,
        env=environment(tmp_path),
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
