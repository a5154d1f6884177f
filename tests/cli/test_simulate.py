"""``royalcrypt simulate``, as people and scripts use it."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from royalcrypt.cli import main
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay

COMMAND = [sys.executable, "-m", "royalcrypt", "simulate"]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments], check=False, capture_output=True, env=os.environ | environment, timeout=120
    )


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("players", ["1", "2", "3", "4"])
def test_a_summary_comes_as_one_json_object(players: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--players", players, "--games", "5", "--seed", "3", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    found = json.loads(out)
    assert (found["games"], found["players"], found["seed"]) == (5, int(players), 3)
    assert found["mode"] == ("solo" if players == "1" else "standard")
    assert found["collectors"] == "AAAAAA"
    assert len(found["seats"]) == int(players)
    assert found["rounds"]["mean"] == (9 if players == "3" else 8)
    if players == "1":
        assert sum(rank["games"] for rank in found["ranks"].values()) == 5
    else:
        assert sum(seat["wins"] for seat in found["seats"]) == pytest.approx(5, abs=0.001)


def test_people_get_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--bots", "greedy,random", "--games", "3", "--collectors", "random"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "3 games, seed 0, Collectors random" in out
    assert "0 (greedy)" in out
    assert "1 (random)" in out
    assert "A game takes 8 rounds" in out


def test_alone_the_ranks_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--solo", "--games", "2"]) == 0
    out = capsys.readouterr().out
    assert "The Magnificent (50 and more)" in out
    assert "Wins" not in out


def test_records_are_written_one_a_line_and_can_be_replayed(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ["--players", "3", "--bots", "greedy,random,random", "--games", "4", "--collectors", "random"]
    assert main(["simulate", *arguments, "--seed", "8", "--records", str(file)]) == 0
    lines = file.read_text("utf-8").splitlines()
    assert len(lines) == 4
    for number, line in enumerate(lines):
        record = Record.parse(line)
        assert record.id == f"8-{number}"
        assert record.created is None
        assert [(seat.name, seat.kind) for seat in record.seats] == [
            ("greedy", "bot:greedy"),
            ("random", "bot:random"),
            ("random", "bot:random"),
        ]
        assert replay(record).is_over


@pytest.mark.parametrize("bots", ["random", "greedy,random"])
def test_the_same_seed_gives_the_same_bytes_in_any_process(bots: str, tmp_path: Path) -> None:
    written: set[tuple[bytes, bytes]] = set()
    ways = (("0", ()), ("1", ("--jobs", "2")), ("77", ("--carrier", "compiled")))
    for number, (hashes, more) in enumerate(ways):
        file = tmp_path / f"{number}.jsonl"
        arguments = ("--bots", bots, "--games", "20", "--collectors", "random", "--seed", "5", "--json")
        done = run(*arguments, "--records", str(file), *more, PYTHONHASHSEED=hashes)
        assert done.returncode == 0, done.stderr
        written.add((done.stdout, file.read_bytes()))
    assert len(written) == 1


def test_the_summary_does_not_depend_on_the_carrier_nor_on_writing_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "simulate",
        "--players",
        "4",
        "--games",
        "25",
        "--collectors",
        "random",
        "--seed",
        "1",
        "--json",
    ]
    summaries: list[dict[str, object]] = []
    for more in (
        [],
        ["--carrier", "plain"],
        ["--carrier", "compiled"],
        ["--records", str(tmp_path / "games.jsonl")],
        ["--jobs", "2"],
    ):
        assert main(arguments + more) == 0
        summaries.append(told(capsys))
    assert all(summary == summaries[0] for summary in summaries)


def test_seats_can_be_swapped_and_the_lead_passed_on(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--players", "3", "--bots", "greedy,random,random", "--games", "6", "--json"]
    assert main(["simulate", *arguments, "--swap", "--leader", "rotate"]) == 0
    found = told(capsys)
    assert (found["swap"], found["leader"]) == (True, "rotate")


def test_bots_that_search_are_told_how_hard_to_think(capsys: pytest.CaptureFixture[str]) -> None:
    def played(simulations: str) -> str:
        arguments = ["--bots", "seer,greedy", "--games", "2", "--simulations", simulations, "--json"]
        assert main(["simulate", *arguments]) == 0
        return capsys.readouterr().out

    assert played("30") == played("30")
    assert played("30") != played("31")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--players", "7"], "--players 7: give a whole number from 1 to 4."),
        (["--players", "two"], "--players two: give a whole number from 1 to 4."),
        (["--players", "٢"], "from 1 to 4"),
        (["--games", "0"], "--games 0: give a whole number from 1 to 1000000000."),
        (["--games=-1"], "--games -1: give a whole number from 1 to 1000000000."),
        (["--bots", "oracle"], 'There is no bot "oracle". There are: random, novice, greedy'),
        (["--bots", ""], 'There is no bot ""'),
        (["--bots", "random,random,random"], "3 bots cannot fill the seats"),
        (["--collectors", "AX"], '"AX" does not set the Collectors'),
        (["--seed", "lucky"], "lucky is not a seed"),
        (["--seed", "9" * 50], "is not a seed"),
        (["--leader", "2"], "Seat 2 cannot lead"),
        (["--solo", "--players", "3"], "--solo is for one player against the Ghost, not for 3."),
        (["--carrier", "pigeon"], 'There is no carrier "pigeon". There are: plain, compiled.'),
        (["--milliseconds", "0"], "--milliseconds 0: give a whole number from 1 to 600000."),
        (["--simulations", "0"], "--simulations 0: give a whole number from 1 to 10000000."),
        (["--jobs", "0"], "--jobs 0: give a whole number from 1 to"),
        (["--records", "/nowhere/games.jsonl"], "/nowhere/games.jsonl cannot be written: No such file"),
        (["--records", "/"], "/ cannot be written: Is a directory."),
    ],
)
def test_bad_input_gets_one_clear_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_a_full_disk_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--games", "2", "--records", "/dev/full"]) == 2
    assert "/dev/full cannot be written: No space left on device." in capsys.readouterr().err


def test_without_numba_the_compiled_carrier_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("royalcrypt.lab.backends.can_compile", lambda: False)
    assert main(["simulate", "--carrier", "compiled"]) == 2
    assert "royalcrypt[fast]" in capsys.readouterr().err
    assert main(["simulate", "--games", "2"]) == 0


def test_a_first_compile_is_announced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def must_compile(*, step_by_step: bool) -> bool:
        return True

    monkeypatch.setattr("royalcrypt.lab.backends.must_compile", must_compile)
    assert main(["simulate", "--games", "2", "--carrier", "compiled", "--json"]) == 0
    out, err = capsys.readouterr()
    assert "Compiling the rules" in err
    json.loads(out)


def test_a_plain_simulation_needs_neither_numpy_nor_numba() -> None:
    code = (
        "import sys; from royalcrypt.cli import main; main(['simulate', '--games', '2', '--bots=greedy']); "
        "sys.exit(any(name.split('.')[0] in ('numpy', 'numba') for name in sys.modules))"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, check=False, capture_output=True, timeout=60).returncode == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_leaves_whole_lines_and_says_so(jobs: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ["--games", "1000000", "--records", str(file), "--jobs", jobs]
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while (not file.exists() or file.stat().st_size < 50_000) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    lines = file.read_bytes().split(b"\n")
    assert err.decode() == f"Stopped after {len(lines) - 1} games.\n"
    assert lines.pop() == b""
    for line in lines:
        json.loads(line)


def test_on_a_terminal_a_bar_shows_the_progress_and_the_summary_stays_clean() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "--games", "300", "--json"], stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:
            pass  # the terminal is gone with the process
        assert process.stdout is not None
        assert json.loads(process.stdout.read())["games"] == 300
    os.close(ours)
    assert b"Playing" in shown
