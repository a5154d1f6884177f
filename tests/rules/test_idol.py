"""The Idol Collector (R8.1)."""

import pytest

from royalcrypt import IllegalAction, Reason
from royalcrypt.notation.events import Idols, Reroll
from tests.rules.tables import UNEQUAL, bonuses, can, cards, dice, table, told, treasures

IDOL_B = "BBBAAB"


# Side A.


def test_an_idol_rerolls_a_die_that_failed() -> None:
    """R8.1A."""
    game = table(row="J4=a2x4 T3 vM2", collections=("I3",), turn=2, luck=(1, 4, 4))
    game.play("recover")
    assert (game.phase, game.actor) == ("idol", 0)
    events = game.play("reroll 1 I3")
    assert told(events, "reroll") == [Reroll(0, 0, 4, treasures("I3"), 4)]
    assert dice(game, 0) == (3, 0)
    assert [card.is_flipped for card in game.view(0).seats[0].cards] == [True, False]


def test_the_new_roll_stands() -> None:
    """R8.1A: it fails again, and there is no other Idol."""
    game = table(row="J4=a2x4 T3 vM2", collections=("I3",), turn=2, luck=(1, 4, 2))
    game.play("recover")
    game.play("reroll 1")
    assert game.phase == "claim"
    assert dice(game, 0) == (2, 1)


def test_a_failed_reroll_may_be_rerolled_with_another_idol() -> None:
    """R8.1A."""
    game = table(row="J4=a1x4 T3 vM2", collections=("I3 I1",), turn=2, luck=(1, 2, 4))
    game.play("recover")
    game.play("reroll 1 I1")
    assert (game.phase, game.actor) == ("idol", 0)
    game.play("reroll 1")
    assert dice(game, 0) == (3, 0)


def test_an_idol_taken_this_round_may_be_used() -> None:
    """R6.5, R8.1A."""
    game = table(row="I4=a1x6 T3 vM2", turn=2, luck=(1, 6))
    game.play("recover")
    assert can(game, 0, "reroll 1 I4")
    game.play("reroll 1 I4")
    assert dice(game, 0) == (3, 0)


def test_a_face_down_idol_taken_this_round_may_be_used_and_becomes_public() -> None:
    """R6.5, section 8."""
    game = table(row="J4 T3 vI2=a1x6", turn=2, luck=(1, 6))
    game.play("recover")
    assert cards(game, 0, viewer=1) == ["I?"]
    game.play("reroll 3 I2")
    assert cards(game, 0, viewer=1) == ["I2"]


def test_only_dice_that_failed_in_this_collect_are_rerolled() -> None:
    """R8.1A, section 12: neither one that did not fail, nor one exhausted earlier."""
    game = table(
        players=3, row="J4=a1x4 T3=a1x2 R1 vM2", collections=("I3",), exhausted=(1,), turn=2, luck=(1, 2)
    )
    game.play("recover")
    assert {str(move) for move in game.view(0).moves()} == {"decline", "reroll 1 I3"}
    with pytest.raises(IllegalAction) as refused:
        game.play("reroll 2 I3")
    assert refused.value.reason is Reason.NO_FAILED_DIE


def test_without_a_failed_die_there_is_no_offer() -> None:
    """R8.1A."""
    game = table(row="J4=a1x4 T3 vM2", collections=("I3",), turn=2, luck=(4,))
    game.play("recover")
    assert game.phase == "claim"


def test_a_flipped_idol_pays_for_nothing() -> None:
    """Section 8."""
    game = table(row="J4=a1x4 T3 vM2", collections=("I3!",), turn=2, luck=(1,))
    game.play("recover")
    assert game.phase == "claim"
    assert dice(game, 0) == (2, 1)


def test_dice_on_several_cards_are_rerolled_one_by_one() -> None:
    """R8.1A: one Idol a die."""
    game = table(row="J4=a2x4 T3=a1x5 vM2", collections=("I3 I1 I2",), turn=2, luck=(1, 1, 1, 6, 6, 1))
    game.play("recover")
    game.play("reroll 2 I3")
    game.play("reroll 1 I1")
    assert {str(move) for move in game.view(0).moves()} == {"decline", "reroll 1 I2"}
    game.play("reroll 1 I2")
    assert dice(game, 0) == (2, 1)


def test_an_offer_may_be_declined() -> None:
    """R8.1A."""
    game = table(row="J4=a1x4 T3 vM2", collections=("I3",), turn=2, luck=(1,))
    game.play("recover")
    game.play("decline")
    assert dice(game, 0) == (2, 1)
    assert game.phase == "claim"


def test_side_b_rerolls_nothing() -> None:
    """R8.1."""
    game = table(sides="BAAAAA", row="J4=a1x4 T3 vM2", collections=("I3",), turn=2, luck=(1,))
    game.play("recover")
    assert game.phase == "claim"


def test_of_equal_idols_the_one_known_to_all_is_flipped() -> None:
    """Section 12."""
    game = table(players=4, row="J4=a1x4 T3 R1 R2 vM2 vM1", collections=("I3? I3",), turn=3, luck=(1, 4))
    game.play("recover")
    game.play("reroll 1 I3")
    assert [card.is_flipped for card in game.view(0).seats[0].cards] == [False, True, False]
    assert cards(game, 0, viewer=1) == ["I?", "I3", "J4"]


def test_side_a_pays_no_coins() -> None:
    """R8.1."""
    game = table(sides="ABBBAB", collections=("I1 I2 I3 I4", "J4 J3 J2"), last_round=True, luck=UNEQUAL)
    assert bonuses(game, "idol") == [0, 0]


# Side B.


@pytest.mark.parametrize(
    ("idols", "coins"), [("", 0), ("I1", 0), ("I1 I2", 5), ("I1 I2 I3", 5), ("I1 I2 I3 I4", 5)]
)
def test_the_first_to_two_idols_scores_5(idols: str, coins: int) -> None:
    """R8.1B."""
    game = table(sides=IDOL_B, collections=(idols, "J4 J3 J2 J1"), last_round=True, luck=UNEQUAL)
    assert bonuses(game, "idol") == [coins, 0]


def test_the_first_to_two_idols_flips_two_of_them() -> None:
    """R8.1B."""
    game = table(sides=IDOL_B, row="I4=a1x1 T3 vM2", collections=("I1",), turn=2)
    events = game.play("recover")
    assert told(events, "idols") == [Idols({0: treasures("I1", "I4")})]
    assert all(card.is_flipped for card in game.view(0).seats[0].cards)


def test_all_who_reach_two_in_the_same_check_score_5() -> None:
    """R6.7, R8.1B."""
    game = table(
        players=4,
        sides=IDOL_B,
        row="I4=a1x1 I3=b1x1 I2=c1x1 R1 vM2 vP1",
        collections=("I1", "I2", "I3", "I4"),
        turn=3,
        last_round=True,
        luck=UNEQUAL,
    )
    events = game.play("recover")
    assert told(events, "idols") == [
        Idols({0: treasures("I1", "I4"), 1: treasures("I2", "I3"), 2: treasures("I3", "I2")})
    ]
    assert bonuses(game, "idol") == [5, 5, 5, 0]


def test_later_owners_of_two_score_2() -> None:
    """R8.1B."""
    game = table(
        players=4,
        sides=IDOL_B,
        collections=("I1! I2!", "I3 I4", "I3", "I1 I2 I4"),
        first_idols=(0,),
        last_round=True,
        luck=UNEQUAL,
    )
    assert bonuses(game, "idol") == [5, 2, 0, 2]


def test_the_race_is_run_only_once() -> None:
    """R8.1B: afterwards nobody flips."""
    game = table(sides=IDOL_B, row="I4=b1x1 T3 vM2", collections=("I1! I2!", "I3"), first_idols=(0,), turn=2)
    events = game.play("recover")
    assert told(events, "idols") == []
    assert not any(card.is_flipped for card in game.view(1).seats[1].cards)


def test_the_winner_of_the_race_scores_5_once_however_many_idols_come_later() -> None:
    """R8.1B."""
    game = table(sides=IDOL_B, collections=("I1! I2! I3 I4", "J4"), first_idols=(0,), last_round=True)
    assert bonuses(game, "idol") == [5, 0]


def test_cards_known_to_all_are_flipped_first_then_in_the_order_taken() -> None:
    """R8.1B, section 12: the choice itself tells nothing."""
    game = table(players=4, sides=IDOL_B, collections=("I1? I2? I3 I4",), turn=3)
    assert told(game.play("recover"), "idols") == [Idols({0: treasures("I3", "I4")})]
    game = table(players=4, sides=IDOL_B, collections=("I1? I2? I3",), turn=3)
    assert told(game.play("recover"), "idols") == [Idols({0: treasures("I3", "I1")})]
    game = table(players=4, sides=IDOL_B, collections=("I2? I1? I3?",), turn=3)
    assert told(game.play("recover"), "idols") == [Idols({0: treasures("I2", "I1")})]
    assert cards(game, 0, viewer=1) == ["I2", "I1", "I?"]


def test_two_idols_taken_in_one_round_are_flipped_by_slot() -> None:
    """R8.1B, section 12."""
    game = table(players=4, sides=IDOL_B, row="I4=a1x1 I3 I1=a1x1 R1 vM2 vI2=a1x1", turn=3)
    assert told(game.play("recover"), "idols") == [Idols({0: treasures("I4", "I1")})]
    game = table(players=4, sides=IDOL_B, row="J4 I3 I1 R1 vI3=a1x1 vI2=a1x1", turn=3)
    assert told(game.play("recover"), "idols") == [Idols({0: treasures("I3", "I2")})]


def test_side_a_runs_no_race() -> None:
    """R8.1."""
    game = table(row="I4=a1x1 T3 vM2", collections=("I1",), turn=2)
    assert told(game.play("recover"), "idols") == []
