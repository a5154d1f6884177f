"""Manuscript B and Remains A at any time (R9)."""

import pytest

from royalcrypt import Game, IllegalAction, Reason
from royalcrypt.notation.events import Mend, Peek
from royalcrypt.rules.actions import placement
from royalcrypt.rules.layout import State, no_options
from royalcrypt.rules.turns import apply, list_any_time
from tests.rules.tables import can, dice, table, told, treasures

BOTH = "AABAAA"


def refusal(game: Game, move: str, seat: int) -> Reason:
    before = game.position()
    with pytest.raises(IllegalAction) as refused:
        game.play(move, seat=seat)
    assert game.position() == before
    return refused.value.reason


def any_time(state: State, seat: int) -> int:
    return list_any_time(state, seat, no_options(), 0)


def test_another_player_peeks_and_mends_out_of_turn() -> None:
    """R9.1."""
    game = table(sides=BOTH, collections=("", "M1 R1 R2"), exhausted=(0, 2))
    assert game.actor == 0
    assert {str(move) for move in game.view(1).moves()} == {"peek M1", "mend R1 R2"}
    assert game.play("peek", seat=1) == [Peek(1, treasures("M1"))]
    assert game.play("mend", seat=1) == [Mend(1, treasures("R1", "R2"))]
    assert game.actor == 0
    assert dice(game, 1) == (2, 1)


def test_out_of_turn_also_before_the_last_claim_turn() -> None:
    """R9.1: until the last claim turn has been taken."""
    game = table(sides=BOTH, collections=("M1", "M2"), turn=2)
    game.play("peek", seat=1)
    game.play("peek", seat=0)
    assert game.actor == 0


def test_out_of_turn_also_while_another_player_may_take_with_pottery() -> None:
    """R9.1: from the end of Reveal."""
    game = table(sides="AABBAA", phase="pottery", collections=("P1 P2", "M1 R1 R2"), exhausted=(0, 1))
    game.play("peek", seat=1)
    game.play("mend", seat=1)
    assert (game.phase, game.actor) == ("pottery", 0)


def test_the_actor_of_the_pottery_window_may_peek_first_and_take_then() -> None:
    """R9.1."""
    game = table(
        sides="AABBAA", row="I1 J1 vT4", phase="pottery", collections=("P1 P2 M1 R1 R2",), exhausted=(1,)
    )
    assert {"peek M1", "mend R1 R2", "take 3 P1 P2", "decline"} == {
        str(move) for move in game.view(0).moves()
    }
    game.play("peek; take 3")
    assert game.phase == "claim"


def test_a_player_who_has_had_their_turn_may_still_use_them() -> None:
    """R9.1."""
    game = table(players=3, sides=BOTH, collections=("M1 R1 R2",), exhausted=(1,), turn=1)
    assert can(game, 0, "peek M1")
    assert can(game, 0, "mend R1 R2")
    assert not can(game, 2, "peek M1")


def test_a_claim_once_begun_is_completed_first() -> None:
    """R9.1."""
    game = table(sides=BOTH, collections=("M1", "M2"))
    state = game.state
    assert (any_time(state, 0), any_time(state, 1)) == (1, 1)
    apply(state, 0, placement(0, 1, 1))
    assert (any_time(state, 0), any_time(state, 1)) == (0, 0)


def test_a_reward_being_paid_for_is_completed_first() -> None:
    """R9.1."""
    from royalcrypt.rules.actions import MEND

    game = table(sides=BOTH, collections=("R1 R2", "M2"), exhausted=(1,))
    state = game.state
    apply(state, 0, MEND)
    assert any_time(state, 1) == 0


def test_collect_is_never_interrupted() -> None:
    """R9.1: not even where a player decides about a re-roll."""
    game = table(
        players=3,
        sides=BOTH,
        row="I4=a1x6 T3 J1 vM2",
        collections=("R1 R2 M1", "R3 R4 M3"),
        exhausted=(1, 1),
        turn=2,
        luck=(1,),
    )
    game.play("recover")
    assert (game.phase, game.actor) == ("idol", 0)
    assert {str(move) for move in game.view(0).moves()} == {"reroll 1 I4", "decline"}
    assert list(game.view(1).moves()) == []
    assert refusal(game, "mend", 1) is Reason.NOT_YOUR_TURN
    assert refusal(game, "mend", 0) is Reason.NOT_NOW


def test_claims_and_recovers_are_never_made_out_of_turn() -> None:
    """R5.2, R9.1."""
    game = table(exhausted=(0, 1))
    assert refusal(game, "1:1x1", 1) is Reason.NOT_YOUR_TURN
    assert refusal(game, "recover", 1) is Reason.NOT_YOUR_TURN


def test_nobody_peeks_twice_in_a_round_also_out_of_turn() -> None:
    """Section 12."""
    game = table(sides=BOTH, collections=("", "M1 M2"), peeked=(1,))
    assert refusal(game, "peek", 1) is Reason.ALREADY_PEEKED


def test_a_die_mended_out_of_turn_can_be_placed_in_the_turn_that_follows() -> None:
    """R9.1."""
    game = table(collections=("", "R1 R2"), exhausted=(0, 3))
    game.play("mend", seat=1)
    game.play("recover")
    assert can(game, 1, "1:1x6")


# The last chance.


def test_after_the_last_collect_each_player_in_turn_order_may_mend() -> None:
    """R9.2: in the turn order of the last round."""
    game = table(
        players=3,
        leader=1,
        collections=("R1 R2", "J1", "R3 R4"),
        row="J4=a1x6 T3=c1x6 I1 vM2",
        turn=2,
        last_round=True,
        luck=(1, 1),
    )
    game.play("recover", seat=0)
    assert (game.phase, game.actor) == ("remains", 2)
    assert {str(move) for move in game.view(2).moves()} == {"mend R3 R4", "decline"}
    assert list(game.view(0).moves()) == []
    assert refusal(game, "mend", 0) is Reason.NOT_YOUR_TURN
    game.play("mend")
    assert game.actor == 0
    game.play("decline")
    assert game.is_over
    assert [seat.ready for seat in game.view().seats] == [2, 3, 3]


def test_the_last_chance_may_be_used_as_often_as_one_can_pay() -> None:
    """R9.2."""
    game = table(
        collections=("R1 R2 R3 R4", "J1"), row="J4=a3x6 T3 vM2", turn=2, last_round=True, luck=(1, 1, 1)
    )
    game.play("recover")
    game.play("mend R1 R2")
    assert (game.phase, game.actor) == ("remains", 0)
    game.play("mend")
    assert game.is_over
    assert dice(game, 0) == (2, 1)


def test_remains_taken_in_the_last_collect_count_for_the_last_chance() -> None:
    """R9.2."""
    game = table(collections=("R1",), row="R4=a3x6 T3 vM2", turn=2, last_round=True, luck=(1, 1, 1))
    game.play("recover")
    game.play("mend R1 R4")
    assert dice(game, 0) == (1, 2)
    result = game.result()
    assert result is not None
    assert result["breakdown"][0]["servants"] == 1


def test_without_side_a_there_is_no_last_chance() -> None:
    """R9.2."""
    game = table(
        sides="AAAABA", collections=("R1 R2",), row="J4=a3x6 T3 vM2", turn=2, last_round=True, luck=(1, 1, 1)
    )
    game.play("recover")
    assert game.is_over


def test_between_rounds_there_is_no_chance_to_mend() -> None:
    """R9.2, section 12: only after the last Collect."""
    game = table(collections=("R1 R2",), row="J4=a3x6 T3 vM2", turn=2, luck=(1, 1, 1))
    events = game.play("recover")
    assert game.phase == "claim"
    assert len(told(events, "reveal")) == 1
