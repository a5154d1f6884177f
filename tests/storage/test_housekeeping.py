"""A server knows when it was away."""

import pytest

from royalcrypt.storage import Housekeeping, Outage, SqliteDatabase

pytestmark = pytest.mark.anyio


@pytest.fixture
def housekeeping(database: SqliteDatabase) -> Housekeeping:
    return Housekeeping(database)


async def test_settings_are_kept_as_json(housekeeping: Housekeeping) -> None:
    assert await housekeeping.get("invite_only") is None
    assert await housekeeping.get("invite_only", False) is False
    for value in (True, None, "Maintenance at ten", {"until": [1, 2.5]}):
        await housekeeping.set("notice", value)
        assert await housekeeping.get("notice", "default") == value


async def test_a_first_start_is_no_outage(housekeeping: Housekeeping) -> None:
    assert await housekeeping.note_outage(1_000_000, longest_gap=10) is None
    assert await housekeeping.outages() == []


async def test_a_long_silence_is_an_outage_noted_once(housekeeping: Housekeeping) -> None:
    await housekeeping.beat(100)
    assert await housekeeping.note_outage(500, longest_gap=30) == Outage(since=100, until=500)
    assert await housekeeping.note_outage(510, longest_gap=30) is None
    await housekeeping.beat(600)
    assert await housekeeping.note_outage(900, longest_gap=30) == Outage(since=600, until=900)
    assert await housekeeping.outages() == [Outage(100, 500), Outage(600, 900)]
    assert await housekeeping.outages(since=500) == [Outage(600, 900)]


async def test_a_short_silence_is_none(housekeeping: Housekeeping) -> None:
    await housekeeping.beat(100)
    assert await housekeeping.note_outage(130, longest_gap=30) is None


async def test_a_clock_that_went_back_makes_no_outage_twice(housekeeping: Housekeeping) -> None:
    await housekeeping.beat(100)
    await housekeeping.note_outage(500, longest_gap=30)
    assert await housekeeping.note_outage(90, longest_gap=30) is None
    assert await housekeeping.note_outage(520, longest_gap=30) is None
    assert await housekeeping.outages() == [Outage(100, 500)]
