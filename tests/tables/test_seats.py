"""Before the start: sitting down, getting up, bots, kept seats, and whose table it is."""

import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Closed, Freed, Left, Seated
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import SeatInfo, seat_info
from royalcrypt.tables.table import Table
from tests.tables.leading import ADA, BO, CLEO, NOON, opened, sat, seated, started

KEPT = (ADA, BO)


def refusal(action: object, *arguments: object, **named: object) -> Refusal:
    assert callable(action)
    with pytest.raises(Refusal) as refused:
        action(*arguments, **({"now": NOON} | named))
    return refused.value


def people(table: Table) -> list[str | None]:
    return [place.person for place in table.seats]


def test_a_free_seat_is_taken_by_whoever_sits_down() -> None:
    table = sat(opened(), BO, 1)
    assert people(table) == [None, "bo"]
    assert seat_info(table.seats[1], None) == SeatInfo("person", name="Bo", person="bo")
    assert seat_info(table.seats[0], None) == SeatInfo("free")


def test_one_person_may_hold_several_seats() -> None:
    table = seated(ADA, ADA, BO)
    assert table.seats_of("ada") == [0, 1]


def test_sitting_down_again_changes_name_and_entropy_only() -> None:
    table = sat(sat(opened(), ADA, 0, "one"), ADA._replace(name="Ada L."), 0, "two")
    assert (table.seats[0].name, table.seats[0].entropy) == ("Ada L.", "two")


@pytest.mark.parametrize("seat", [-1, 2, 3])
def test_there_is_no_sitting_beside_the_table(seat: int) -> None:
    refused = refusal(commands.sit, opened(players=2), ADA, seat, "")
    assert (refused.reason, refused.details) == (Reason.WRONG_SEAT, {"seat": seat + 1, "seats": 2})


def test_a_taken_seat_is_refused_with_the_name_of_who_has_it() -> None:
    refused = refusal(commands.sit, seated(ADA, BO), CLEO, 1, "")
    assert (refused.reason, refused.details) == (Reason.SEAT_TAKEN, {"seat": 2, "name": "Bo"})
    with_bot = opened(bots=[{"seat": 1, "level": "greedy"}])
    assert refusal(commands.sit, with_bot, CLEO, 1, "").details == {"seat": 2, "name": "greedy"}


def test_a_kept_seat_is_for_its_person_alone() -> None:
    table = opened(reserved=KEPT)
    refused = refusal(commands.sit, table, CLEO, 1, "")
    assert (refused.reason, refused.details) == (Reason.SEAT_KEPT, {"seat": 2, "name": "Bo"})
    assert seat_info(table.seats[1], None) == SeatInfo("kept", name="Bo", person="bo")
    assert refusal(commands.sit, table, ADA, 1, "").reason is Reason.SEAT_KEPT
    assert sat(table, BO, 1).seats[1].reserved_for is None


def test_a_kept_seat_can_be_cleared_or_given_to_a_bot_by_the_owner() -> None:
    table = opened(reserved=KEPT)
    freed = table.after(commands.free_seat(table, "ada", 1, now=NOON))
    assert people(sat(freed, CLEO, 1)) == [None, "cleo"]
    given = table.after(commands.seat_bot(table, "ada", 1, "random", now=NOON))
    assert (given.seats[1].level, given.seats[1].reserved_for) == ("random", None)


def test_whoever_gets_up_leaves_a_free_seat() -> None:
    table = seated(ADA, BO)
    entry = commands.free_seat(table, "bo", 1, now=NOON)
    assert entry == Freed(NOON, 1)
    assert table.after(entry).seats[1].is_free


def test_only_the_owner_clears_the_seats_of_others() -> None:
    table = seated(ADA, BO, CLEO)
    assert refusal(commands.free_seat, table, "bo", 2).reason is Reason.NOT_OWNER
    assert table.after(commands.free_seat(table, "ada", 2, now=NOON)).seats[2].is_free
    assert refusal(commands.free_seat, table, "ada", 3).reason is Reason.WRONG_SEAT


def test_the_owner_gives_seats_to_bots() -> None:
    table = sat(opened(players=2), ADA, 0)
    entry = commands.seat_bot(table, "ada", 1, "greedy", now=NOON)
    assert entry == Seated(NOON, 1, "greedy")
    after = table.after(entry)
    assert seat_info(after.seats[1], None) == SeatInfo("bot", name="greedy", level="greedy")
    weaker = after.after(commands.seat_bot(after, "ada", 1, "random", now=NOON))
    assert weaker.seats[1].level == "random"


def test_bots_are_refused_where_they_cannot_sit() -> None:
    table = sat(opened(players=2), BO, 1)
    assert refusal(commands.seat_bot, table, "bo", 0, "greedy").reason is Reason.NOT_OWNER
    assert refusal(commands.seat_bot, table, "ada", 0, "deep thought").reason is Reason.NO_SUCH_BOT
    assert refusal(commands.seat_bot, table, "ada", 2, "greedy").reason is Reason.WRONG_SEAT
    assert refusal(commands.seat_bot, table, "ada", 1, "greedy").details == {"seat": 2, "name": "Bo"}


def test_one_seat_at_least_is_for_people() -> None:
    table = opened(players=2, bots=[{"seat": 0, "level": "greedy"}])
    assert refusal(commands.seat_bot, table, "ada", 1, "greedy").reason is Reason.BOTS_ONLY
    assert table.after(commands.seat_bot(table, "ada", 0, "random", now=NOON)).seats[0].level == "random"


def test_who_leaves_gives_up_all_their_seats() -> None:
    table = seated(ADA, BO, BO)
    entry = commands.leave(table, "bo", now=NOON)
    assert entry == Left(NOON, "bo")
    assert people(table.after(entry)) == ["ada", None, None]


def test_who_is_expected_may_leave_too() -> None:
    table = sat(opened(reserved=KEPT), ADA, 0)
    assert table.after(commands.leave(table, "bo", now=NOON)).seats[1].reserved_for is None


def test_when_the_owner_leaves_the_table_passes_to_the_next_who_sits() -> None:
    table = seated(ADA, BO, CLEO)
    after = table.after(commands.leave(table, "ada", now=NOON))
    assert after.owner == "bo"
    again = after.after(commands.leave(after, "bo", now=NOON))
    assert (again.owner, people(again)) == ("cleo", [None, None, "cleo"])


def test_an_owner_without_a_seat_passes_the_table_on_too() -> None:
    table = sat(opened(ADA), BO, 1)
    assert table.after(commands.leave(table, "ada", now=NOON)).owner == "bo"


def test_the_last_to_leave_closes_the_table() -> None:
    table = seated(ADA, BO)
    after = table.after(commands.leave(table, "ada", now=NOON))
    entry = commands.leave(after, "bo", now=NOON)
    assert entry == Closed(NOON, "empty")
    assert after.after(entry).status is Status.CLOSED
    assert commands.leave(opened(ADA), "ada", now=NOON) == Closed(NOON, "empty")


def test_who_has_nothing_there_cannot_leave() -> None:
    assert refusal(commands.leave, seated(ADA, BO), "cleo").reason is Reason.NOT_SEATED


def test_the_owner_may_close_the_table_before_the_start() -> None:
    table = seated(ADA, BO)
    assert commands.close_as_owner(table, "ada", now=NOON) == Closed(NOON, "owner")
    assert refusal(commands.close_as_owner, table, "bo").reason is Reason.NOT_OWNER
    assert refusal(commands.close_as_owner, started(ADA, BO), "ada").reason is Reason.ALREADY_STARTED


CLOSED = opened(ADA).after(Closed(NOON, "host"))


@pytest.mark.parametrize(
    ("table", "reason"),
    [(started(ADA, BO), Reason.ALREADY_STARTED), (CLOSED, Reason.TABLE_CLOSED)],
)
def test_seats_are_settled_before_the_start_only(table: Table, reason: Reason) -> None:
    assert refusal(commands.sit, table, ADA, 0, "").reason is reason
    assert refusal(commands.free_seat, table, "ada", 0).reason is reason
    assert refusal(commands.seat_bot, table, "ada", 0, "greedy").reason is reason
    assert refusal(commands.start, table, "ada").reason is reason


def test_a_table_is_closed_once() -> None:
    assert refusal(commands.close, CLOSED, why="host").reason is Reason.TABLE_CLOSED
    assert CLOSED.why_closed == "host"
