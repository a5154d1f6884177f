"""Golden records: the engine still plays them as it did, and those who share no code with it accept them."""

import json

import pytest

from royalcrypt import Game
from royalcrypt.notation.events import KINDS
from tests.golden.games import GAMES, Golden, readable
from tests.oracle.referee import recompute, referee

golden = pytest.mark.parametrize("golden", GAMES, ids=lambda game: f"{game.players} players")


@golden
def test_the_engine_gives_the_same_bytes_as_ever(golden: Golden) -> None:
    """If this is meant to change, run ``make golden`` and read the diff."""
    assert golden.text() == golden.path.read_text("utf-8")


@golden
def test_the_referee_accepts_a_golden_record(golden: Golden) -> None:
    record = json.loads(golden.path.read_text("utf-8"))
    referee(record)
    recompute(record)


@golden
def test_a_golden_record_is_read_and_written_again(golden: Golden) -> None:
    text = golden.path.read_text("utf-8")
    assert readable(Game.from_record(text).record().to_dict()) == text


def test_golden_records_hold_every_kind_of_event() -> None:
    found = {
        event["type"] for golden in GAMES for event in json.loads(golden.path.read_text("utf-8"))["events"]
    }
    assert found == set(KINDS)
