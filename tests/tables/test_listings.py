"""What lists and the sweeper are told of a table."""

from royalcrypt.tables import commands
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import OPEN_TIMEOUT, Pace, decode_info, due_at, listing_of, table_info
from royalcrypt.tables.settings import DAY, SECOND
from royalcrypt.tables.table import Table
from tests.tables.leading import ADA, BO, NOON, ended, game_of, moved, opened, sat, started

HOUR = 3600 * SECOND
PACE = Pace(bot_pause=900, abandoned_after=30 * DAY)
BOT = [{"seat": 1, "level": "greedy"}]


def left(table: Table, person: str) -> Table:
    return table.after(commands.leave(table, person, now=table.updated + 1))


def test_a_table_that_nobody_starts_is_due_after_a_day_without_any_change() -> None:
    table = opened(ADA)
    assert due_at(table, PACE) == NOON + OPEN_TIMEOUT == NOON + DAY
    table.updated += 1000
    assert due_at(sat(table, ADA, 0), PACE) == NOON + 1000 + DAY


def test_a_running_table_is_due_when_a_bot_is_to_move() -> None:
    table = moved(started(ADA, players=2, bots=BOT))
    assert (table.actor, due_at(table, PACE)) == (1, table.updated + 900)


def test_a_running_table_is_due_when_time_runs_out() -> None:
    table = started(ADA, BO, clock={"kind": "live", "move": 30, "bank": 60})
    assert due_at(table, PACE) == table.deadline == NOON + 90 * SECOND


def test_a_running_table_without_a_clock_is_due_when_patience_ends() -> None:
    assert due_at(started(ADA, BO), PACE) == NOON + 30 * DAY


def test_a_table_without_people_waits_until_patience_ends() -> None:
    for table in (
        left(started(ADA, players=2, bots=BOT), "ada"),
        left(moved(started(ADA, players=2, bots=BOT, clock={"kind": "live"})), "ada"),
    ):
        assert due_at(table, PACE) == up_to_an_hour(table.updated + 30 * DAY)


def test_moves_within_an_hour_do_not_change_when_a_table_without_a_clock_is_due() -> None:
    table = moved(started(ADA, BO))
    assert table.updated % HOUR > 0
    assert due_at(table, PACE) == due_at(moved(table), PACE) == NOON + HOUR + 30 * DAY


def test_finished_and_closed_tables_need_the_server_no_more() -> None:
    over = ended(started(ADA, BO))
    closed = opened(ADA).after(commands.close(opened(ADA), why="host", now=NOON))
    assert (due_at(over, PACE), due_at(closed, PACE)) == (None, None)


def test_time_without_a_server_tries_nobodys_patience() -> None:
    for table in (opened(ADA), started(ADA, BO)):
        before = due_at(table, PACE)
        table.outages = [(NOON - DAY, NOON - 1), (NOON + SECOND, NOON + 5 * DAY)]
        assert before is not None
        lost = 5 * DAY - SECOND
        expected = before + lost if table.game is None else up_to_an_hour(NOON + 30 * DAY + lost)
        assert due_at(table, PACE) == expected


def up_to_an_hour(moment: int) -> int:
    return -(-moment // HOUR) * HOUR


def test_a_listing_names_people_by_seat_and_tells_what_the_lobby_shows() -> None:
    table = started(ADA, BO, is_listed=True)
    listing = listing_of(table, PACE)
    assert (listing.table, listing.status, listing.is_listed) == ("table", Status.RUNNING, True)
    assert (listing.people, listing.actor) == (("ada", "bo"), 0)
    assert listing.updated == table.updated
    assert decode_info(listing.info) == table_info(table)


def test_a_listing_names_those_for_whom_a_seat_is_kept() -> None:
    assert listing_of(opened(ADA, reserved=(ADA, None)), PACE).people == ("ada", None)


def test_a_listing_names_an_owner_without_a_seat_after_the_seats() -> None:
    assert listing_of(opened(ADA), PACE).people == (None, None, "ada")
    assert listing_of(sat(opened(ADA), ADA, 1), PACE).people == (None, "ada")


def test_what_everybody_may_see_of_a_table_holds_no_secret() -> None:
    table = started(ADA, BO, clock={"kind": "live", "move": 30, "bank": 60})
    told = listing_of(table, PACE).info.decode()
    assert table.secret.hex() not in told
    assert table.invite not in told
    info = table_info(table)
    assert (info.commitment, info.collectors) == (table.commitment, game_of(table).collectors)
    assert (info.round, info.actor, info.deadline) == (1, 0, table.deadline)
    assert [seat.bank for seat in info.seats] == [60_000, 60_000]
