"""Leaving a running game, bots that play on, and coming back."""

from collections.abc import Callable

import pytest

from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Returned, TakenOver
from royalcrypt.tables.listings import SeatInfo, table_info
from royalcrypt.tables.table import Table
from tests.tables.leading import ADA, BO, CLEO, NOON, act, actor_of, ended, game_of, moved, opened, started

NOBODY = (False, False, False)


def why_not(action: Callable[[], object]) -> Reason:
    with pytest.raises(Refusal) as refused:
        action()
    return refused.value.reason


def left(table: Table, person: str) -> Table:
    return table.after(commands.leave(table, person, now=table.updated + 1))


def test_a_bot_plays_for_who_leaves_and_the_seat_stays_theirs() -> None:
    table = left(started(ADA, BO), "ada")
    seat = table_info(table).seats[0]
    assert seat == SeatInfo("person", name="Ada", person="ada", taken_over="left")
    assert table.seats_of("ada") == [0]
    assert why_not(lambda: act(table, 0, "recover")) is Reason.SEAT_WITH_BOT


def test_all_seats_of_who_leaves_are_taken_over_at_once() -> None:
    table = started(ADA, BO, ADA)
    entry = commands.leave(table, "ada", now=NOON)
    assert entry == TakenOver(NOON, (0, 2), "left")


def test_whoever_is_sent_away_is_marked_as_such() -> None:
    table = started(ADA, BO)
    assert commands.leave(table, "bo", now=NOON, why="kicked") == TakenOver(NOON, (1,), "kicked")


def test_one_leaves_once_and_only_a_seat_one_has() -> None:
    table = left(started(ADA, BO), "ada")
    assert why_not(lambda: commands.leave(table, "ada", now=NOON)) is Reason.ALREADY_AWAY
    assert why_not(lambda: commands.leave(table, "cleo", now=NOON)) is Reason.NOT_SEATED
    over = ended(started(ADA, BO))
    assert why_not(lambda: commands.leave(over, "ada", now=NOON)) is Reason.GAME_OVER


def test_who_comes_back_has_their_seat_again_and_knows_since_when_they_were_away() -> None:
    table = moved(started(ADA, BO))
    away = left(table, "bo")
    assert away.seats[1].away_since == len(game_of(table).events)
    on = moved(moved(away))
    entry = commands.return_to(on, "bo", now=on.updated)
    assert entry == Returned(on.updated, (1,))
    back = on.after(entry)
    assert (back.seats[1].taken_over, back.seats[1].away_since) == (None, None)
    assert on.seats[1].away_since == len(game_of(table).events)


def test_only_seats_that_a_bot_plays_are_taken_back() -> None:
    table = started(ADA, BO, ADA, clock={"kind": "live"})
    assert table.deadline is not None
    entry = commands.run_out(table, now=table.deadline)
    assert entry is not None
    away = table.after(entry)
    assert commands.return_to(away, "ada", now=NOON) == Returned(NOON, (0,))


def test_there_is_no_coming_back_without_having_left() -> None:
    table = started(ADA, BO)
    assert why_not(lambda: commands.return_to(table, "ada", now=NOON)) is Reason.NOT_AWAY
    assert why_not(lambda: commands.return_to(table, "cleo", now=NOON)) is Reason.NOT_SEATED
    assert why_not(lambda: commands.return_to(opened(ADA), "ada", now=NOON)) is Reason.NOT_STARTED
    over = ended(left(table, "ada"))
    assert why_not(lambda: commands.return_to(over, "ada", now=NOON)) is Reason.GAME_OVER


def test_while_a_person_plays_bots_move_and_when_none_does_they_wait() -> None:
    table = started(ADA, BO, players=3, bots=[{"seat": 2, "level": "greedy"}])
    assert table.is_attended
    alone = left(table, "ada")
    assert alone.is_attended
    nobody = left(alone, "bo")
    assert not nobody.is_attended
    assert nobody.after(commands.return_to(nobody, "bo", now=NOON)).is_attended


def test_the_owner_hands_over_the_seat_of_somebody_who_is_gone() -> None:
    table = started(ADA, BO, CLEO)
    entry = commands.hand_over(table, "ada", 1, present=(True, False, True), now=NOON)
    assert entry == TakenOver(NOON, (1,), "left")


def test_while_the_owner_is_there_nobody_else_hands_over_a_seat() -> None:
    table = started(ADA, BO, CLEO)
    there = (True, False, True)
    assert why_not(lambda: commands.hand_over(table, "cleo", 1, present=there, now=NOON)) is Reason.NOT_OWNER


def test_when_the_owner_is_gone_those_who_play_hand_over_their_seat_too() -> None:
    table = started(ADA, BO, CLEO)
    gone = (False, True, False)
    assert commands.hand_over(table, "bo", 0, present=gone, now=NOON) == TakenOver(NOON, (0,), "left")
    assert commands.hand_over(table, "bo", 2, present=gone, now=NOON) == TakenOver(NOON, (2,), "left")
    assert why_not(lambda: commands.hand_over(table, "dan", 0, present=gone, now=NOON)) is Reason.NOT_OWNER


def test_a_seat_is_not_handed_over_while_its_person_is_there_or_a_clock_decides() -> None:
    table, timed = started(ADA, BO, CLEO), started(ADA, BO, CLEO, clock={"kind": "days"})
    for where, present in ((table, (True, True, True)), (timed, (True, False, False))):

        def try_it(where: Table = where, present: tuple[bool, ...] = present) -> object:
            return commands.hand_over(where, "ada", 1, present=present, now=NOON)

        with pytest.raises(Refusal) as refused:
            try_it()
        assert (refused.value.reason, refused.value.details) == (Reason.STILL_THERE, {"name": "Bo"})


def test_only_a_persons_seat_is_handed_over_and_only_once() -> None:
    table = started(ADA, BO, players=3, bots=[{"seat": 2, "level": "greedy"}])
    assert why_not(lambda: commands.hand_over(table, "ada", 2, present=NOBODY, now=NOON)) is Reason.NOT_SEATED
    assert why_not(lambda: commands.hand_over(table, "ada", 3, present=NOBODY, now=NOON)) is Reason.WRONG_SEAT
    away = left(table, "bo")
    assert (
        why_not(lambda: commands.hand_over(away, "ada", 1, present=NOBODY, now=NOON)) is Reason.ALREADY_AWAY
    )
    early = opened(ADA)
    assert (
        why_not(lambda: commands.hand_over(early, "ada", 0, present=NOBODY, now=NOON)) is Reason.NOT_STARTED
    )


def test_a_game_that_all_have_left_can_be_finished_by_who_comes_back() -> None:
    table = left(left(started(ADA, BO), "ada"), "bo")
    back = table.after(commands.return_to(table, "bo", now=NOON))
    over = ended(back)
    assert game_of(over).result() is not None


def test_a_bots_move_in_anothers_stead_is_marked_and_the_record_still_says_human() -> None:
    table = left(started(ADA, BO), "ada")
    seat = actor_of(table)
    entry = commands.act_for(table, seat, Move.parse("recover"), now=NOON)
    assert getattr(entry, "is_bots", False)
    assert [seat.kind for seat in game_of(table.after(entry)).record().seats] == ["human", "human"]
