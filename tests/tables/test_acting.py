"""Moves answer to a ply: what is stale, repeated, ahead, out of turn or illegal changes nothing."""

from collections.abc import Callable

import pytest

from royalcrypt.notation.moves import Move, Verb
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Closed, Moved
from royalcrypt.tables.table import RECENT, Table
from tests.tables.leading import (
    ADA,
    BO,
    CLEO,
    NOON,
    act,
    actor_of,
    any_time_move,
    ended,
    facts,
    game_of,
    led_to,
    moved,
    started,
)

MANUSCRIPT_B = "AABAAA"
"""Manuscript B to peek with, Remains A to mend with: both at any time (R9.1)."""


def why_not(action: Callable[[], object]) -> Reason:
    with pytest.raises(Refusal) as refused:
        action()
    return refused.value.reason


def at_any_time() -> tuple[Table, Move]:
    """Seat 0 decides, and seat 1 can do something out of turn."""
    table = led_to(
        started(ADA, BO, collectors=MANUSCRIPT_B),
        lambda table: table.actor == 0 and any_time_move(table, 1) is not None,
    )
    move = any_time_move(table, 1)
    assert move is not None
    return table, move


def test_a_move_in_answer_to_the_ply_is_made() -> None:
    table = started(ADA, BO)
    entry = act(table, 0, "recover")
    assert entry == Moved(NOON + 1000, 0, "recover")
    assert table.after(entry).ply == table.ply + 1
    assert table.after(entry).actor == 1


def test_a_move_in_answer_to_an_earlier_ply_is_stale() -> None:
    table = started(ADA, BO)
    later = moved(moved(table))
    assert later.actor == 0
    with pytest.raises(Refusal) as refused:
        act(later, 0, "1:1x1", ply=table.ply)
    assert refused.value.reason is Reason.STALE
    assert refused.value.details == {"ply": table.ply, "now": later.ply}


def test_a_move_from_before_the_start_is_stale() -> None:
    table = started(ADA, BO)
    assert why_not(lambda: act(table, 0, "recover", ply=table.ply - 1)) is Reason.STALE


def test_a_move_from_long_ago_is_stale() -> None:
    table = started(ADA, BO)
    while table.ply <= RECENT + 4:
        table = table.after(commands.leave(table, "bo", now=NOON))
        table = table.after(commands.return_to(table, "bo", now=NOON))
    assert why_not(lambda: act(table, 0, "recover", ply=3)) is Reason.STALE


def test_a_move_that_is_sent_twice_is_made_once() -> None:
    table = started(ADA, BO)
    after = table.after(act(table, 0, "recover"))
    assert why_not(lambda: act(after, 0, "recover", ply=table.ply)) is Reason.ALREADY_DONE
    later = moved(after)
    assert why_not(lambda: act(later, 0, "recover", ply=table.ply)) is Reason.ALREADY_DONE


def test_a_move_in_answer_to_a_ply_to_come_is_ahead() -> None:
    table = started(ADA, BO)
    with pytest.raises(Refusal) as refused:
        act(table, 0, "recover", ply=table.ply + 1)
    assert refused.value.reason is Reason.PLY_AHEAD
    assert refused.value.details == {"ply": table.ply + 1, "now": table.ply}


def test_nobody_moves_for_anothers_seat_or_for_none() -> None:
    table = started(ADA, BO)
    recover = Move.parse("recover")
    for person, seat, reason in (
        ("bo", 0, Reason.NOT_YOUR_SEAT),
        ("cleo", 0, Reason.NOT_YOUR_SEAT),
        ("ada", 2, Reason.WRONG_SEAT),
        ("ada", -1, Reason.WRONG_SEAT),
    ):

        def try_it(person: str = person, seat: int = seat) -> object:
            return commands.act(table, person, seat, table.ply, recover, now=NOON)

        assert why_not(try_it) is reason


def test_out_of_turn_and_illegal_moves_are_refused_by_the_rules() -> None:
    table = started(ADA, BO)
    before = facts(table)
    assert why_not(lambda: table.after(act(table, 1, "recover"))) is Reason.NOT_YOUR_TURN
    assert why_not(lambda: table.after(act(table, 0, "decline"))) is Reason.NOT_NOW
    assert why_not(lambda: table.after(act(table, 0, "9:1x1"))) is Reason.NO_SUCH_CARD
    assert facts(table) == before


def test_moves_wait_for_the_start_and_end_with_the_game() -> None:
    over = ended(started(ADA, BO))
    closed = started(ADA, BO).after(Closed(NOON, "host"))
    recover = Move.parse("recover")
    assert why_not(lambda: commands.act(over, "ada", 0, over.ply, recover, now=NOON)) is Reason.GAME_OVER
    assert (
        why_not(lambda: commands.act(closed, "ada", 0, closed.ply, recover, now=NOON)) is Reason.TABLE_CLOSED
    )
    assert over.actor is None
    assert closed.actor is None


def test_any_time_actions_out_of_turn_leave_the_decision_at_hand() -> None:
    table, move = at_any_time()
    after = table.after(act(table, 1, move))
    assert after.actor == 0
    assert len(game_of(after).events) == len(game_of(table).events) + 1


def test_a_move_behind_by_anothers_any_time_action_is_made() -> None:
    table, move = at_any_time()
    after = table.after(act(table, 1, move))
    made = after.after(act(after, 0, "recover", ply=table.ply))
    assert made.ply == table.ply + 2


def test_an_any_time_action_behind_by_one_of_whoever_decides_is_made() -> None:
    table = led_to(
        started(ADA, BO, collectors=MANUSCRIPT_B),
        lambda table: table.actor == 0 and None not in (any_time_move(table, 0), any_time_move(table, 1)),
    )
    own, other = any_time_move(table, 0), any_time_move(table, 1)
    assert own is not None
    assert other is not None
    after = table.after(act(table, 0, own))
    assert after.actor == 0
    assert after.after(act(after, 1, other, ply=table.ply)).ply == table.ply + 2


def test_a_move_behind_by_ones_own_any_time_action_is_stale() -> None:
    table, move = at_any_time()
    after = table.after(act(table, 1, move))
    other = Move.parse("mend R1 R2" if move.actions[0].verb is Verb.PEEK else "peek M1")
    assert why_not(lambda: act(after, 1, other, ply=table.ply)) is Reason.STALE
    assert why_not(lambda: act(after, 1, move, ply=table.ply)) is Reason.ALREADY_DONE


def test_a_move_that_anothers_any_time_action_made_illegal_is_refused() -> None:
    table, move = at_any_time()
    after = table.after(act(table, 1, move))
    assert why_not(lambda: after.after(act(after, 0, "9:1x1", ply=table.ply))) is Reason.NO_SUCH_CARD


def test_a_move_behind_by_somebody_who_left_or_came_back_is_made() -> None:
    table = started(ADA, BO, CLEO)
    left = table.after(commands.leave(table, "cleo", now=NOON))
    back = left.after(commands.return_to(left, "cleo", now=NOON))
    assert back.after(act(back, 0, "recover", ply=table.ply)).actor == 1


def test_several_actions_of_one_move_happen_all_or_none() -> None:
    table = led_to(
        started(ADA, BO, collectors=MANUSCRIPT_B),
        lambda table: game_of(table).phase == "claim" and any_time_move(table, actor_of(table)) is not None,
    )
    seat = actor_of(table)
    first = any_time_move(table, seat)
    assert first is not None
    before = facts(table)
    assert why_not(lambda: table.after(act(table, seat, f"{first}; 9:1x1"))) is Reason.NO_SUCH_CARD
    assert facts(table) == before
    both = table.after(act(table, seat, f"{first}; recover"))
    told = game_of(both).events[len(game_of(table).events) :]
    assert [event.type for event in told[:2]] == [first.actions[0].verb, "recover"]


def test_a_bot_moves_for_itself_and_for_those_who_are_away_at_their_turn_only() -> None:
    table = started(ADA, BO, players=3, bots=[{"seat": 2, "level": "greedy"}])
    recover = Move.parse("recover")
    assert why_not(lambda: commands.act_for(table, 0, recover, now=NOON)) is Reason.NOT_YOUR_TURN
    assert why_not(lambda: commands.act_for(table, 2, recover, now=NOON)) is Reason.NOT_YOUR_TURN
    away = table.after(commands.leave(table, "ada", now=NOON))
    entry = commands.act_for(away, 0, recover, now=NOON)
    assert entry == Moved(NOON, 0, "recover", is_bots=True)
    assert away.after(entry).actor == 1
