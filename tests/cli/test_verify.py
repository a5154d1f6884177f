"""``royalcrypt verify`` reports for each record whether its chance outcomes match its secret."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.cli import main
from royalcrypt.play.chance import CommittedChance, SeededChance


@cache
def record(*, is_seeded: bool = False) -> str:
    chance = SeededChance(7) if is_seeded else CommittedChance(bytes(range(32)), ("ada", "bo"))
    game = Game.new(players=2, chance=chance)
    game.id = "g1"
    while not game.is_over:
        game.play(bot_named("random").choose(game.view(game.actor), Budget(seed=len(game.moves))))
    return game.record().to_json()


def unfair() -> str:
    found = json.loads(record())
    roll = next(event for event in found["events"] if event["type"] == "roll" and event["rolled"])
    roll["rolled"][0] = roll["rolled"][0] % 6 + 1
    return json.dumps(found)


def write(path: Path, *lines: str) -> str:
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    return str(path)


FAIR = "fair: every card and die is what the secret gives that was committed to, and the rules were followed."


def test_a_fair_record_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "game.json", record())
    assert main(["verify", file]) == 0
    assert capsys.readouterr().out == f"{file}:1: game g1: {FAIR}\n"


def test_a_record_may_be_spread_over_many_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "game.json", json.dumps(json.loads(record()), indent=2))
    for command in ("verify", "check"):
        assert main([command, file]) == 0
    assert capsys.readouterr().out == f"{file}:1: game g1: {FAIR}\n1 record follows the rules.\n"


def test_each_of_many_lines_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "games.jsonl", record(), "", unfair(), record(is_seeded=True), "{}")
    assert main(["verify", file]) == 1
    fair, changed, seeded, broken, total = capsys.readouterr().out.splitlines()
    assert fair.endswith(FAIR)
    assert changed.startswith(f"{file}:3: game g1: unfair: event ")
    assert "its seed 7" in seeded
    assert broken.startswith(f"{file}:5: game without an id: broken: This is not a game record")
    assert total == "2 of 4 records verified."


def test_a_first_line_cut_short_does_not_hide_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "games.jsonl", record()[:500], record(), record())
    assert main(["verify", file]) == 1
    broken, fair, _, total = capsys.readouterr().out.splitlines()
    assert "broken" in broken
    assert fair == f"{file}:2: game g1: {FAIR}"
    assert total == "2 of 3 records verified."


def test_an_unverifiable_record_is_not_reported_as_fair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game.new(players=2)
    unproven = json.loads(record())
    del unproven["fairness"]
    lines = (game.record().to_json(), game.record_for(0).to_json(), json.dumps(unproven))
    for line, words in zip(
        lines, ("not over", "one viewer's record", "does not hold the secret"), strict=True
    ):
        assert main(["verify", write(tmp_path / "game.json", line)]) == 1
        assert words in capsys.readouterr().out


def test_an_unreadable_file_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(tmp_path / "none"), write(tmp_path / "game.json", record())]) == 2
    out, err = capsys.readouterr()
    assert out.endswith(FAIR + "\n")
    assert err == f"royalcrypt: {tmp_path / 'none'} cannot be read: No such file or directory.\n"


def test_no_file_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["verify"])
    assert ended.value.code == 2


@pytest.mark.parametrize("indent", [None, 1])
def test_standard_input_is_read(indent: int | None) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "royalcrypt", "verify", "-"],
        check=False,
        input=json.dumps(json.loads(record()), indent=indent).encode(),
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"standard input:1: game g1: {FAIR}\n"


@pytest.mark.parametrize(
    "text", [b"", b"\xff", b"{", b"{\n" * 9999, b"[" * 100_000, b'{"a":' * 100_000, b"\0"], ids=len
)
def test_garbage_is_reported_as_broken(
    tmp_path: Path, text: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "junk").write_bytes(text)
    assert main(["verify", str(tmp_path / "junk")]) == (1 if text else 0)
    assert "Traceback" not in capsys.readouterr().err
