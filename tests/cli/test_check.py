"""``royalcrypt check`` accepts records that follow the rules, reports others, and never crashes."""

import copy
import json
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.cli import main
from royalcrypt.cli.check import CheckResult, check_record, check_text
from royalcrypt.cli.records import MAX_BYTES, as_text
from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.tables import Setting
from tests.oracle.referee import Disagreement, referee

Json = dict[str, Any]


@cache
def good_lines() -> tuple[str, ...]:
    found: list[str] = []
    for players in (1, 2, 3, 4):
        for collectors in ("AAAAAA", "BBBBBB", None):
            setting = Setting(players, ("random",) * players, seed=3, collectors=collectors)
            found += [told.line or "" for told in simulate(setting, 2, plain_backend(), is_recorded=True)]
    return tuple(found)


def running() -> Game:
    game = Game.new(players=2, seed=1)
    for _ in range(4):
        assert game.actor is not None
        game.play(bot_named("random").choose(game.view(game.actor), Budget(seed=2)))
    return game


def check_line(line: bytes) -> tuple[CheckResult, dict[str, str]]:
    return check_text(as_text("games", 1, line))


def check(tmp_path: Path, *lines: str | bytes) -> int:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))
    return main(["check", str(file)])


def test_sound_records_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, *good_lines(), "", "  ") == 0
    assert capsys.readouterr().out == f"{len(good_lines())} records follow the rules.\n"


def test_a_broken_record_is_reported_with_file_line_game_event_and_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads(good_lines()[6])
    claim = next(event for event in record["events"] if event["type"] == "claim")
    claim["place"][0]["effort"] = 9
    assert check(tmp_path, good_lines()[0], "", json.dumps(record)) == 1
    reported, total = capsys.readouterr().out.splitlines()
    words = "breaks a rule: Effort 9 cannot be: a die shows 1 to 6."
    assert reported == f"{tmp_path / 'games.jsonl'}:3: game 3-0: Event {claim['n']} {words}"
    assert total == "1 record follows the rules; broken: 1, viewers' records: 0, unfinished: 0."


def test_a_viewers_record_and_an_unfinished_one_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = running()
    assert check(tmp_path, game.record_for(0).to_json(), game.record().to_json()) == 0
    viewers, unfinished, total = capsys.readouterr().out.splitlines()
    assert "one viewer's record" in viewers
    assert "is not finished" in unfinished
    assert total == "0 records follow the rules; broken: 0, viewers' records: 1, unfinished: 1."


def test_a_record_cut_short_is_unfinished_or_contradicts_its_result() -> None:
    record = json.loads(good_lines()[6])
    del record["events"][-1]
    assert check_record(json.dumps(record))[0] is CheckResult.BROKEN
    del record["result"]
    assert check_record(json.dumps(record))[0] is CheckResult.BROKEN, "what must follow at once is missing"
    del record["events"][1:]
    assert check_record(json.dumps(record))[0] is CheckResult.UNFINISHED


def test_a_finished_game_without_its_result_is_broken() -> None:
    record = json.loads(good_lines()[6])
    del record["result"]
    assert check_record(json.dumps(record)) == (
        CheckResult.BROKEN,
        "The game is over, but the record has no result.",
    )


def test_an_unreadable_file_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "good.jsonl"
    good.write_text(good_lines()[0] + "\n", "utf-8")
    assert main(["check", str(tmp_path / "none"), str(tmp_path), str(good)]) == 2
    out, err = capsys.readouterr()
    assert out == "1 record follows the rules.\n"
    assert [line.rpartition(": ")[2] for line in err.splitlines()] == [
        "No such file or directory.",
        "Is a directory.",
    ]


def piped(given: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "royalcrypt", "check", *arguments]
    return subprocess.run(command, check=False, input=given, capture_output=True, timeout=60)


def test_standard_input_is_read() -> None:
    done = piped(good_lines()[0].encode() + b"\n\xff\n", "-")
    assert done.returncode == 1
    assert b"standard input:2: game without an id: This is not text in UTF-8." in done.stdout
    assert done.stderr == b""


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text("{}\n" * 3000, "utf-8")
    command = f"{sys.executable} -m royalcrypt check {file} | head -1"
    done = subprocess.run(["/bin/sh", "-c", command], check=False, capture_output=True, timeout=60)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


def test_control_characters_are_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(good_lines()[0])
    record["game"]["id"] = "\x1b[31m\ud800\n" + "x" * 5000
    record["game"]["players"] = 9
    assert check(tmp_path, json.dumps(record)) == 1
    reported, _ = capsys.readouterr().out.splitlines()
    assert "\\x1b[31m\\ud800\\n" in reported
    assert len(reported) < 1100


def test_an_endless_line_is_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, b"[" * (MAX_BYTES + 10), good_lines()[0]) == 1
    out = capsys.readouterr().out
    assert "too long" in out
    assert "1 record follows the rules; broken: 1" in out


# Whatever is changed in a record must be noticed, unless the rules allow that as well: a die that failed may
# have shown another low face, a card nobody took another value. What they allow, the referee says.


def places_in(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = []
    if isinstance(found, dict):
        inner = list(cast("Json", found).items())
    elif isinstance(found, list):
        inner = list(enumerate(cast("list[Any]", found)))
    return [path, *(place for key, value in inner for place in places_in(value, (*path, key)))]


def at(record: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        record = record[key]
    return record


def another(value: Any, rng: random.Random) -> Any:
    """A similar but different value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, value + 7, str(value), None])
    if isinstance(value, str):
        if len(value) == 2 and value[1] in "1234":
            return rng.choice(
                [value[0] + str(int(value[1]) % 4 + 1), "IJMPRT"["JMPRTI".index(value[0])] + value[1]]
            )
        return rng.choice([value + "A", value[::-1] + "B", "", 0])
    others: list[Any] = [None, [], {"9": []}]
    if isinstance(value, list):
        row = cast("list[Any]", value)
        others = [[*row, 1], [row], row[:-1] if row else [0], None]
    return rng.choice(others)


def follows_the_rules(record: Json) -> bool:
    try:
        referee(record)
    except Disagreement:
        return False
    return True


@settings(max_examples=500)
@given(st.randoms(use_true_random=False))
def test_a_changed_value_is_detected_if_it_matters(rng: random.Random) -> None:
    record = json.loads(rng.choice(good_lines()))
    for event in record["events"]:
        event.pop("top", None)  # The referee does not know it.
    path = rng.choice([path for path in places_in(record) if path and path[0] in ("events", "result")])
    before = at(record, path)
    changed = at(record, path[:-1])[path[-1]] = another(before, rng)
    expected = CheckResult.SOUND if follows_the_rules(record) else CheckResult.BROKEN
    assert check_record(json.dumps(record))[0] is expected, (path, before, changed)


@pytest.mark.parametrize("line", good_lines()[::2])
def test_a_changed_set_up_is_detected(line: str) -> None:
    rng = random.Random(1)
    for field in ("format", "version", "players", "mode", "collectors", "leader", "seats"):
        record = json.loads(line)
        part = record if field in record else record["game"]
        for value in {str(another(part[field], rng)): another(part[field], rng) for _ in range(9)}.values():
            part[field] = value
            assert check_record(json.dumps(record))[0] is CheckResult.BROKEN, (field, value)


def test_a_wrong_type_of_the_top_card_is_detected() -> None:
    for line in good_lines()[
        6:
    ]:  # Alone, the row is ordered, so that either face-up card may have been first.
        for n, event in enumerate(json.loads(line)["events"]):
            record = json.loads(line)
            if event["type"] == "reveal":
                record["events"][n]["top"] = "T" if event["top"] != "T" else "I"
                assert check_record(json.dumps(record))[0] is CheckResult.BROKEN
                del record["events"][n]["top"]
                assert check_record(json.dumps(record))[0] is CheckResult.SOUND, (
                    "RECORD.md does not ask for it"
                )


@settings(max_examples=200)
@given(st.randoms(use_true_random=False))
def test_a_missing_doubled_or_moved_event_is_detected_if_it_matters(rng: random.Random) -> None:
    record = json.loads(rng.choice(good_lines()))
    events: list[Json] = record["events"]
    for event in events:
        event.pop("top", None)
    n = rng.randrange(len(events) - 1)
    match rng.randrange(3):
        case 0:
            del events[n]
        case 1:
            events.insert(n, copy.deepcopy(events[n]))
        case _:
            events[n], events[n + 1] = events[n + 1], events[n]
    if rng.random() < 0.7:
        for number, event in enumerate(events):
            event["n"] = number
    expected = CheckResult.SOUND if follows_the_rules(record) else CheckResult.BROKEN
    assert check_record(json.dumps(record))[0] is expected, n


# Whatever is in a file, the answer is a finding.

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**4299)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["I1", "T?", "claim", "reveal", "AABBAB", "solo", "royalcrypt-record"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=500)
@given(st.randoms(use_true_random=False), st.lists(anything, min_size=1, max_size=3))
def test_any_value_anywhere_gets_a_result(rng: random.Random, values: list[Any]) -> None:
    record = json.loads(rng.choice((*good_lines(), running().record().to_json())))
    for value in values:
        path = rng.choice(places_in(record)[1:])
        at(record, path[:-1])[path[-1]] = value
    assert isinstance(check_record(json.dumps(record))[0], CheckResult)


@pytest.mark.parametrize(
    "field", ["viewer", "fairness", "chance", "secret", "moves", "result", "events", "game"]
)
@settings(max_examples=25)
@given(value=anything)
def test_any_value_of_a_main_field_gets_a_result(field: str, value: Any) -> None:
    for line in (good_lines()[0], running().record().to_json()):
        record = json.loads(line)
        record.pop("result", None) if field == "moves" else None
        record[field] = value
        assert isinstance(check_record(json.dumps(record))[0], CheckResult)


@settings(max_examples=200)
@given(st.randoms(use_true_random=False), st.binary(max_size=8))
def test_any_bytes_get_a_result(rng: random.Random, junk: bytes) -> None:
    line = good_lines()[0].encode()
    cut = rng.randrange(len(line))
    assert check_line(line[:cut])[0] is CheckResult.BROKEN
    assert isinstance(check_line(line[:cut] + junk + line[cut:])[0], CheckResult)


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"format":"royalcrypt-record","version":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"format":"royalcrypt-record","version":' + b"9" * 5000 + b"}",
        b"NaN",
        b"null",
        b'"\\ud800"',
        b"\x00",
        b"\xef\xbb\xbf{}",
    ],
    ids=["lists", "objects", "version", "digits", "nan", "null", "surrogate", "zero", "mark"],
)
def test_garbage_is_broken(line: bytes) -> None:
    assert check_line(line)[0] is CheckResult.BROKEN


def test_a_result_nested_deeply_is_broken() -> None:
    for depth in range(100, 1000, 20):
        line = (
            good_lines()[0].replace(
                '"result":{', '"result":{"scores":' + "[" * depth + "]" * depth + ',"x":{', 1
            )
            + "}"
        )
        assert check_record(line)[0] is CheckResult.BROKEN


def test_many_reveals_are_checked_in_time() -> None:
    record = json.loads(good_lines()[6])
    reveal = record["events"][0]
    record["events"] = [{**reveal, "n": n} for n in range(20_000)]
    assert check_record(json.dumps(record))[0] is CheckResult.BROKEN
