"""What may be chosen for a table, and what of it is refused."""

from typing import Any

import msgspec
import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Opened
from royalcrypt.tables.settings import DaysClock, LiveClock, TableSettings
from royalcrypt.tables.table import Table
from tests.tables.leading import ADA, NOON, opened


def open_with(**settings: Any) -> Opened:
    return commands.open_table(msgspec.convert(settings, TableSettings), ADA.person, now=NOON)


def bot(seat: int, level: str = "greedy") -> dict[str, Any]:
    return {"seat": seat, "level": level}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"players": 2, "leader": 2}, Reason.WRONG_LEADER),
        ({"players": 1, "leader": 1}, Reason.WRONG_LEADER),
        ({"players": 2, "bots": [bot(2)]}, Reason.WRONG_SEAT),
        ({"players": 3, "bots": [bot(1), bot(1, "random")]}, Reason.WRONG_SEAT),
        ({"players": 2, "bots": [bot(1, "deep thought")]}, Reason.NO_SUCH_BOT),
        ({"players": 1, "bots": [bot(0)]}, Reason.BOTS_ONLY),
        ({"players": 3, "bots": [bot(0), bot(1), bot(2)]}, Reason.BOTS_ONLY),
    ],
)
def test_seats_leaders_and_bots_that_cannot_be_are_refused(settings: dict[str, Any], reason: Reason) -> None:
    with pytest.raises(Refusal) as refused:
        open_with(**settings)
    assert refused.value.reason is reason


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 0},
        {"players": 5},
        {"collectors": "AAAAA"},
        {"collectors": "AAAAAC"},
        {"leader": -1},
        {"leader": "nobody"},
        {"clock": {"kind": "live", "move": 4}},
        {"clock": {"kind": "live", "bank": 7201}},
        {"clock": {"kind": "days", "days": 0}},
        {"clock": {"kind": "sand"}},
        {"bots": [bot(0)] * 5},
        {"is_listed": "yes"},
        {"stakes": 100},
    ],
)
def test_types_and_bounds_refuse_the_rest(settings: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(settings, TableSettings)


def test_a_table_is_private_shows_spectators_remembers_and_has_no_clock_unless_one_says_otherwise() -> None:
    settings = TableSettings()
    assert (settings.is_listed, settings.spectators, settings.remembers) == (False, True, True)
    assert (settings.players, settings.collectors, settings.leader) == (2, "AAAAAA", "random")
    assert (settings.clock, settings.bots) == (None, ())


@pytest.mark.parametrize("clock", [None, LiveClock(30, 60), DaysClock(3)])
def test_settings_read_back_as_they_were_written(clock: LiveClock | DaysClock | None) -> None:
    entry = open_with(
        players=4, collectors="AB?AB?", leader=3, bots=[bot(1)], clock=msgspec.to_builtins(clock)
    )
    assert msgspec.json.decode(msgspec.json.encode(entry.settings), type=TableSettings) == entry.settings
    assert entry.settings.clock == clock


def test_every_table_has_a_secret_and_a_link_of_its_own() -> None:
    first, second = open_with(), open_with()
    assert first.secret != second.secret
    assert first.invite != second.invite
    assert len(bytes.fromhex(first.secret)) == 32
    assert Table("a").after(first).commitment != Table("b").after(second).commitment


def test_bots_sit_from_the_start() -> None:
    table = opened(players=3, bots=[bot(1), bot(2, "random")])
    assert [(place.level, place.person, place.is_free) for place in table.seats] == [
        (None, None, True),
        ("greedy", None, False),
        ("random", None, False),
    ]
