"""A server knows when it was away."""

import pytest

from royalcrypt.storage.server_state import ALIVE_AT, BEAT_INTERVAL, LEADER, ServerState
from royalcrypt.storage.sqlite.database import SqliteDatabase

pytestmark = pytest.mark.anyio


@pytest.fixture
def housekeeping(database: SqliteDatabase) -> ServerState:
    return ServerState(database)


async def test_settings_are_kept_as_json(housekeeping: ServerState) -> None:
    assert await housekeeping.get("invite_only") is None
    assert await housekeeping.get("invite_only", False) is False
    for value in (True, None, "Maintenance at ten", {"until": [1, 2.5]}):
        await housekeeping.set("notice", value)
        assert await housekeeping.get("notice", "default") == value


async def test_a_first_start_is_no_outage(housekeeping: ServerState) -> None:
    assert await housekeeping.store_outage(1_000_000, longest_gap=10) is None
    assert await housekeeping.outages() == []


async def test_a_long_silence_is_an_outage_noted_once(housekeeping: ServerState) -> None:
    await housekeeping.beat(100)
    assert await housekeeping.store_outage(500, longest_gap=30) == (100, 500)
    assert await housekeeping.store_outage(510, longest_gap=30) is None
    await housekeeping.beat(600)
    assert await housekeeping.store_outage(900, longest_gap=30) == (600, 900)
    assert await housekeeping.outages() == [(100, 500), (600, 900)]
    assert await housekeeping.outages(since=500) == [(600, 900)]


async def test_a_short_silence_is_none(housekeeping: ServerState) -> None:
    await housekeeping.beat(100)
    assert await housekeeping.store_outage(130, longest_gap=30) is None


async def test_a_clock_that_went_back_makes_no_outage_twice(housekeeping: ServerState) -> None:
    await housekeeping.beat(100)
    await housekeeping.store_outage(500, longest_gap=30)
    assert await housekeeping.store_outage(90, longest_gap=30) is None
    assert await housekeeping.store_outage(520, longest_gap=30) is None
    assert await housekeeping.outages() == [(100, 500)]


async def test_one_process_leads_and_others_note_nothing_as_long_as_it_says_so(
    housekeeping: ServerState,
) -> None:
    beat = await housekeeping.beat_with_others("first", 10_000, until=18_000)
    assert (beat.leads, beat.highest) == (True, 10_000)
    assert not (await housekeeping.beat_with_others("second", 10_000 + BEAT_INTERVAL, until=20_000)).leads
    assert await housekeeping.get(ALIVE_AT) == 10_000
    assert not (await housekeeping.beat_with_others("second", 10_001 + BEAT_INTERVAL, until=20_000)).leads
    assert await housekeeping.get(ALIVE_AT) == 10_001 + BEAT_INTERVAL, "others beat if the leader is late"
    await housekeeping.beat_with_others("second", 17_500, until=25_500)
    assert (await housekeeping.beat_with_others("second", 18_000, until=26_000)).leads
    assert not (await housekeeping.beat_with_others("first", 18_001, until=26_001)).leads
    assert await housekeeping.get(LEADER) == ["second", 26_000]


async def test_whoever_does_not_lead_learns_of_outages_too(housekeeping: ServerState) -> None:
    await housekeeping.beat_with_others("first", 10_000, until=18_000)
    await housekeeping.store_outage(50_000, longest_gap=30)
    await housekeeping.beat_with_others("first", 50_000, until=58_000)
    beat = await housekeeping.beat_with_others("second", 50_001, until=58_001)
    assert not beat.leads
    assert beat.outages == [(10_000, 50_000)]


async def test_no_process_takes_the_stored_time_back(housekeeping: ServerState) -> None:
    await housekeeping.beat_with_others("first", 10_000, until=18_000)
    late = await housekeeping.beat_with_others("first", 9_000, until=17_000)
    other = await housekeeping.beat_with_others("second", 9_000, until=17_000)
    await housekeeping.beat(8_000)
    assert (late.highest, other.highest) == (10_000, 10_000)
    assert await housekeeping.get(ALIVE_AT) == 10_000
