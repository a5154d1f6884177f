"""Whose time runs and how much is left; time in which no server ran counts for nobody."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables import commands
from royalcrypt.tables.clocks import Outage, credited, elapsed
from royalcrypt.tables.entries import TakenOver
from royalcrypt.tables.settings import DAY, SECOND
from royalcrypt.tables.table import Table
from tests.tables.leading import ADA, BO, CLEO, NOON, act, any_time_move, led_to, moved, started

LIVE: dict[str, Any] = {"clock": {"kind": "live", "move": 30, "bank": 60}}
BOT = [{"seat": 1, "level": "greedy"}]


def timed(*sitters: Any, **settings: Any) -> Table:
    return started(*(sitters or (ADA, BO)), **(LIVE | settings))


def banks(table: Table) -> list[int]:
    assert table.clock is not None
    return list(table.clock.banks)


def ran_out(table: Table) -> Table:
    assert table.deadline is not None
    entry = commands.run_out(table, now=table.deadline)
    assert entry is not None
    return table.after(entry)


def with_outages(table: Table, *outages: Outage) -> Table:
    """As a server finds it that was down in these times."""
    table.outages = outages
    return table


def test_without_a_clock_nobody_runs_out() -> None:
    table = started(ADA, BO)
    assert (table.clock, table.deadline) == (None, None)
    assert commands.run_out(table, now=NOON + 1000 * DAY) is None


def test_a_decision_has_its_time_and_the_bank() -> None:
    assert timed().deadline == NOON + 90 * SECOND


def test_turn_based_over_days_each_decision_has_whole_days() -> None:
    table = started(ADA, BO, clock={"kind": "days", "days": 3})
    assert table.deadline == NOON + 3 * DAY
    later = moved(table, seconds=2 * DAY / SECOND)
    assert later.deadline == NOON + 5 * DAY


def test_a_quick_decision_costs_nothing() -> None:
    assert banks(moved(timed(), seconds=30)) == [60_000, 60_000]


def test_what_a_decision_takes_beyond_its_time_comes_off_its_seats_bank() -> None:
    table = moved(timed(), seconds=42)
    assert banks(table) == [48_000, 60_000]
    assert table.deadline == table.updated + 90 * SECOND
    later = moved(table, seconds=31)
    assert banks(later) == [48_000, 59_000]
    assert later.deadline == later.updated + 78 * SECOND


def test_any_time_actions_out_of_turn_stop_no_clock() -> None:
    table = led_to(
        timed(collectors="AABAAA"), lambda table: table.actor == 0 and any_time_move(table, 1) is not None
    )
    move = any_time_move(table, 1)
    assert move is not None
    after = table.after(act(table, 1, move, seconds=20))
    assert (after.deadline, banks(after)) == (table.deadline, banks(table))


def test_any_time_actions_of_whoever_decides_stop_no_clock() -> None:
    table = led_to(
        timed(collectors="AABAAA"), lambda table: table.actor == 0 and any_time_move(table, 0) is not None
    )
    move = any_time_move(table, 0)
    assert move is not None
    after = table.after(act(table, 0, move, seconds=20))
    assert (after.deadline, banks(after)) == (table.deadline, banks(table))


def test_who_runs_out_is_played_by_a_bot_from_the_moment_on() -> None:
    table = timed()
    assert table.deadline is not None
    assert commands.run_out(table, now=table.deadline - 1) is None
    entry = commands.run_out(table, now=table.deadline)
    assert entry == TakenOver(table.deadline, (0,), "time")
    after = ran_out(table)
    assert after.seats[0].taken_over == "time"
    assert (after.deadline, banks(after)) == (None, [0, 60_000])


def test_bots_turns_cost_nobody_time() -> None:
    table = moved(timed(ADA, players=2, bots=BOT), seconds=10)
    assert table.actor == 1
    assert table.deadline is None
    after = moved(table, seconds=500)
    assert after.actor == 0
    assert (after.deadline, banks(after)) == (after.updated + 90 * SECOND, [60_000, 60_000])


def test_who_ran_out_and_comes_back_has_a_moves_time_again_but_no_bank() -> None:
    table = ran_out(timed())
    now = table.updated + 500
    back = table.after(commands.return_to(table, "ada", now=now))
    assert (back.deadline, banks(back)) == (now + 30 * SECOND, [0, 60_000])


def test_leaving_and_coming_back_gains_no_time() -> None:
    table = timed()
    for minute in range(3):
        now = NOON + 20 * SECOND * (minute + 1) + minute * DAY
        table = table.after(commands.leave(table, "ada", now=now))
        table = table.after(commands.return_to(table, "ada", now=now + DAY))
    assert table.deadline == NOON + 3 * DAY + 90 * SECOND
    after = table.after(act(table, 0, "recover", seconds=10))
    assert banks(after) == [60_000 - 40_000, 60_000]


def test_who_was_away_before_their_turn_has_all_their_time_when_they_come_back() -> None:
    table = timed(ADA, BO, CLEO)
    table = moved(table.after(commands.leave(table, "bo", now=NOON + 1)))
    assert (table.actor, table.deadline) == (1, None)
    back = table.after(commands.return_to(table, "bo", now=table.updated + 70 * SECOND))
    assert back.deadline == back.updated + 90 * SECOND


def test_coming_back_again_and_again_does_not_keep_the_others_waiting() -> None:
    once = ran_out(timed())
    back = once.after(commands.return_to(once, "ada", now=once.updated))
    twice = ran_out(back)
    with pytest.raises(Refusal) as refused:
        commands.return_to(twice, "ada", now=twice.updated)
    assert refused.value.reason is Reason.BOT_DECIDES
    decided = moved(twice)
    assert decided.after(commands.return_to(decided, "ada", now=decided.updated)).seats[0].taken_over is None


def test_alone_one_may_come_back_as_often_as_one_likes() -> None:
    table = timed(ADA, players=2, bots=BOT)
    for _ in range(4):
        table = ran_out(table)
        table = table.after(commands.return_to(table, "ada", now=table.updated))
    assert table.actor == 0


def test_time_without_a_server_is_credited() -> None:
    table = with_outages(timed(), (NOON + 10_000, NOON + DAY))
    assert table.deadline == NOON + DAY + 80 * SECOND
    after = moved(table, seconds=(DAY + 32 * SECOND) / SECOND)
    assert banks(after) == [60_000 - 12_000, 60_000]


def test_each_of_several_outages_is_credited_as_far_as_it_fell_into_the_decision() -> None:
    before = (NOON - DAY, NOON - 10)
    across = (NOON - 5_000, NOON + 5_000)
    within = (NOON + 20_000, NOON + 50_000)
    table = with_outages(timed(), before, across, within)
    assert table.deadline == NOON + (90 + 5 + 30) * SECOND
    after = moved(table, seconds=65)
    assert banks(after) == [60_000, 60_000]


def test_an_outage_while_somebody_was_away_is_not_credited_twice() -> None:
    table = timed()
    left = table.after(commands.leave(table, "ada", now=NOON + 10_000))
    back = with_outages(left, (NOON + 20_000, NOON + DAY))
    back = back.after(commands.return_to(back, "ada", now=NOON + DAY + 5_000))
    assert back.deadline == NOON + DAY + 5_000 + 80 * SECOND


@given(st.data())
def test_what_is_credited_and_what_has_elapsed_make_up_the_time_between(data: st.DataObject) -> None:
    moments = sorted(data.draw(st.lists(st.integers(0, 1000), min_size=0, max_size=8, unique=True)))
    outages = list(zip(moments[::2], moments[1::2], strict=False))
    since, until = sorted(data.draw(st.tuples(st.integers(0, 1000), st.integers(0, 1000))))
    naive = sum(any(begin <= moment < end for begin, end in outages) for moment in range(since, until))
    assert credited(since, until, outages) == naive
    assert elapsed(since, until, outages) == until - since - naive
