"""Claim (R5)."""

import pytest

from royalcrypt import Game, IllegalAction, Placement, Reason
from royalcrypt.notation.events import Claim, Recover
from tests.rules.tables import can, cards, dice, holders, table


def refusal(game: Game, move: str, seat: int | None = None) -> Reason:
    with pytest.raises(IllegalAction) as refused:
        game.play(move, seat=seat)
    return refused.value.reason


def test_a_turn_is_one_claim_or_one_recover() -> None:
    """R5.2."""
    game = table(players=3)
    game.play("1:1x1")
    assert game.actor == 1
    game.play("recover")
    assert game.actor == 2
    assert refusal(game, "1:1x2; recover") is Reason.TURN_HAS_ENDED


def test_every_split_of_ready_dice_over_cards_and_efforts_can_be_claimed() -> None:
    """R5.3: 1 to 3 dice on one card, 1+1, 1+2 or 2+1 on two, one each on three; or recover."""
    one = 3 * 3 * 6
    two = 3 * (6 * 6 + 2 * 6 * 6)
    three = 6**3
    moves = list(map(str, table().view(0).moves()))
    assert len(moves) == len(set(moves)) == one + two + three + 1


def test_dice_on_different_cards_may_have_different_efforts() -> None:
    """R5.3."""
    game = table()
    (claim,) = game.play("1:2x3 3:1x5")
    assert isinstance(claim, Claim)
    assert holders(game) == ["a2x3", "", "a1x5"]
    assert [slot.total for slot in game.view().row] == [6, 0, 5]
    assert dice(game, 0) == (0, 0)


@pytest.mark.parametrize("effort", [1, 2, 3, 4, 5, 6])
def test_an_effort_is_a_face_of_the_die(effort: int) -> None:
    """R5.3."""
    assert can(table(), 0, f"1:1x{effort}")


@pytest.mark.parametrize("effort", [0, 7])
def test_no_effort_lies_outside_the_die(effort: int) -> None:
    """R5.3."""
    assert refusal(table(), f"1:1x{effort}") is Reason.WRONG_EFFORT


def test_only_ready_dice_are_placed() -> None:
    """R5.3."""
    game = table(exhausted=(1,))
    assert refusal(game, "1:3x1") is Reason.TOO_FEW_DICE
    assert refusal(game, "1:2x1 2:1x1") is Reason.TOO_FEW_DICE
    game.play("1:1x1 2:1x1")
    assert dice(game, 0) == (0, 1)


def test_an_opponents_card_takes_a_strictly_higher_total() -> None:
    """R5.4."""
    game = table(row="J4=b2x3 T3 vM2", turn=2, luck=(6, 6))
    assert refusal(game, "1:3x2") is Reason.EFFORT_TOO_LOW
    assert refusal(game, "1:1x6") is Reason.EFFORT_TOO_LOW
    game.play("1:2x4")
    assert cards(game, 0) == ["J4"]


def test_the_least_total_that_claims_a_held_card_is_one_more() -> None:
    """R5.4."""
    game = table(players=3, row="J4=a2x3 T3=a1x6 I1 vM2", turn=1)
    claim = game.view(1).form
    assert claim is not None
    assert claim.least == (7, 7, 1, 1)
    assert not can(game, 1, "1:1x6")
    assert not can(game, 1, "1:2x3")
    assert not can(game, 1, "1:3x2")
    assert can(game, 1, "1:2x4")
    assert can(game, 1, "1:3x3")


def test_a_pushed_out_servant_comes_home_ready() -> None:
    """R5.4: all the opponent's dice on that card, and no others."""
    game = table(players=3, row="J4=a2x3 T3=a1x6 I1 vM2", turn=1)
    game.play("1:2x4")
    assert holders(game) == ["b2x4", "a1x6", "", ""]
    assert dice(game, 0) == (2, 0)
    assert dice(game, 1) == (1, 0)


def test_a_pushed_out_servant_does_not_bring_exhausted_ones_home() -> None:
    """R5.4."""
    game = table(players=3, row="J4=a2x3 T3 I1 vM2", exhausted=(1,), turn=1)
    game.play("1:2x4")
    assert dice(game, 0) == (2, 1)


def test_two_opponents_can_be_pushed_out_in_one_claim() -> None:
    """R5.3, R5.4."""
    game = table(players=3, row="J4=a1x3 T3=b1x2 I1 vM2", turn=2)
    assert can(game, 2, "1:1x4")
    assert not can(game, 2, "1:1x4 2:1x3")
    game = table(players=4, row="J4=a1x3 T3=b1x2 I1 R1 vM2 vP1", turn=2)
    game.play("1:1x4 2:2x2")
    assert holders(game)[:2] == ["c1x4", "c2x2"]
    assert dice(game, 0) == dice(game, 1) == (3, 0)


def test_you_may_not_add_to_or_replace_your_own_dice() -> None:
    """R5.4, section 12."""
    game = table(row="J4=a1x1 T3 vM2", turn=2)
    for move in ("1:1x1", "1:2x6"):
        assert refusal(game, move) is Reason.OWN_CARD
    assert not any("1:" in str(move) for move in game.view(0).moves())


def test_recover_brings_all_exhausted_dice_home_ready() -> None:
    """R5.5."""
    game = table(exhausted=(2,))
    (recover,) = game.play("recover")
    assert recover == Recover(seat=0, dice=2)
    assert dice(game, 0) == (3, 0)


def test_recover_with_nothing_exhausted_is_a_pass() -> None:
    """R5.5, section 12: also with all dice placed."""
    game = table(row="J4=a3x1 T3 vM2", turn=2, luck=())
    assert [str(move) for move in game.view(0).moves()] == ["recover"]
    assert game.play("recover")[0] == Recover(seat=0, dice=0)


def test_recover_leaves_dice_on_cards_where_they_are() -> None:
    """R5.5."""
    game = table(players=3, row="J4=a1x2 T3 I1 vM2", exhausted=(0, 1), turn=1)
    game.play("recover")
    assert holders(game) == ["a1x2", "", "", ""]


def test_on_the_last_turn_dice_go_on_one_card_only() -> None:
    """R5.6."""
    game = table(players=3, turn=2)
    assert game.view(2).is_last_turn
    assert refusal(game, "1:1x1 2:1x1") is Reason.ONE_CARD_ONLY
    assert not any(" " in str(move) for move in game.view(2).moves())
    (claim, *_) = game.play("1:2x1")
    assert isinstance(claim, Claim)
    assert claim.last


@pytest.mark.parametrize("turn", [0, 1])
def test_earlier_turns_may_claim_several_cards(turn: int) -> None:
    """R5.6."""
    game = table(players=3, turn=turn)
    (claim,) = game.play("1:1x1 2:1x1")
    assert isinstance(claim, Claim)
    assert not claim.last


def test_with_two_players_the_leader_has_the_first_and_the_last_turn() -> None:
    """R5.6: three turns a round."""
    game = table(leader=1, luck=())
    actors: list[int | None] = []
    for move in ("1:1x1 2:1x1", "3:1x1", "recover"):
        actors.append(game.actor)
        game.play(move)
    assert actors == [1, 0, 1]
    assert game.view().leader == 0


def test_on_the_second_turn_the_leader_may_claim_one_card_more() -> None:
    """R5.6."""
    game = table(luck=())
    game.play("1:1x1")
    game.play("recover")
    assert refusal(game, "2:1x1 3:1x1") is Reason.ONE_CARD_ONLY
    claim, *_ = game.play("3:1x1")
    assert claim == Claim(seat=0, place=(Placement(2, 1, 1),), last=True)


def test_dice_pushed_out_before_your_turn_are_ready_for_it() -> None:
    """R5.7: here for the Leader's second turn."""
    game = table(luck=(6, 6, 6))
    game.play("1:3x1")
    game.play("1:1x4")
    assert dice(game, 0) == (3, 0)
    assert can(game, 0, "2:3x6")


def test_a_claim_ends_by_itself_when_no_die_is_left() -> None:
    """R5.3."""
    game = table()
    game.play("1:3x2")
    assert game.actor == 1


def test_nobody_can_push_out_the_last_turn() -> None:
    """R5.6: Collect follows at once."""
    game = table(row="J4=b1x6 T3 vM2", turn=2, luck=(6, 6, 6))
    events = game.play("1:3x3")
    assert [event.type for event in events] == ["claim", "roll", "collect", "reveal"]
    assert cards(game, 0) == ["J4"]
