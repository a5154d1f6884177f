"""The Pottery Collector (R8.4)."""

import pytest

from royalcrypt import IllegalAction, Reason
from royalcrypt.notation.events import Idols, Take
from tests.rules.tables import UNEQUAL, bonuses, can, cards, holders, table, told, treasures

TAKING = "AAABAA"


@pytest.mark.parametrize(
    ("cards", "coins"),
    [("", 0), ("P4", 0), ("P1 P2", 2), ("P1 P2 P3", 4), ("P1 P2 P3 P4", 8), ("P1! P2!", 2)],
)
def test_two_score_2_three_4_and_four_8(cards: str, coins: int) -> None:
    """R8.4A."""
    game = table(sides="ABBAAB", collections=(cards, "T4 T3"), last_round=True, luck=UNEQUAL)
    assert bonuses(game, "pottery")[0] == coins


@pytest.mark.parametrize("extra", ["P1", "P1 P2", "P1 P2 P3", "P1 P2 P3 P4"])
def test_more_than_four_score_8(extra: str) -> None:
    """R8.4A: with four players a type has eight cards."""
    collection = f"P1 P2 P3 P4 {extra}"
    game = table(players=4, sides="ABBAAB", collections=(collection,), last_round=True)
    assert bonuses(game, "pottery") == [8, 0, 0, 0]


def test_side_b_pays_no_coins() -> None:
    """R8.4."""
    game = table(sides="ABBBAB", collections=("P1 P2 P3 P4", "T4"), phase="pottery", last_round=True)
    assert bonuses(game, "pottery")[0] == 0


def test_two_pottery_take_a_face_down_card_before_the_first_claim() -> None:
    """R5.1, R8.4B."""
    game = table(sides=TAKING, row="J4 T3 vM2", collections=("P1 P3?",), phase="pottery")
    assert {str(move) for move in game.view(0).moves()} == {"decline", "take 3 P1 P3"}
    events = game.play("take 3 P1 P3")
    assert events == [Take(0, 2, treasures("P1", "P3"))]
    assert cards(game, 0) == ["P1", "P3", "M2"]
    assert (game.phase, game.actor) == ("claim", 0)


def test_a_take_shows_slot_type_and_flips_to_all_but_the_value_to_its_taker_alone() -> None:
    """R8.4B, R11.4."""
    game = table(sides=TAKING, row="J4 T3 vM2", collections=("P1 P3?",), phase="pottery")
    events = game.play("take 3 P1 P3")
    for viewer in (None, 1):
        assert game.events_for(viewer, events) == [Take(0, 2, treasures("P1", "P3"))]
        assert [str(card) for card in game.view(viewer).seats[0].cards] == ["P1", "P3", "M?"]
    assert game.view().row[2].card is None


def test_a_taken_card_cannot_be_claimed_and_the_slots_keep_their_numbers() -> None:
    """R8.4B."""
    game = table(players=4, sides=TAKING, row="J4 T3 I1 R1 vM2 vM3", collections=("P1 P3",), phase="pottery")
    game.play("take 5")
    with pytest.raises(IllegalAction) as refused:
        game.play("5:1x1")
    assert refused.value.reason is Reason.CARD_GONE
    game.play("6:1x1")
    assert holders(game) == ["", "", "", "", "", "a1x1"]


def test_in_turn_order_each_player_takes_as_often_as_they_can_then_the_next() -> None:
    """R8.4B."""
    game = table(
        players=4,
        sides=TAKING,
        leader=2,
        row="J4 T3 I1 R1 vM2 vM3",
        phase="pottery",
        collections=("P1 P2", "P4 P3", "J1", "P1 P2 P3 P4"),
    )
    assert game.actor == 3
    game.play("take 6 P1 P2")
    assert (game.phase, game.actor) == ("pottery", 3)
    game.play("decline")
    assert game.actor == 0
    game.play("decline")
    assert game.actor == 1
    game.play("take 5")
    assert (game.phase, game.actor) == ("claim", 2)
    assert cards(game, 3)[-1] == "M3"
    assert cards(game, 1)[-1] == "M2"


def test_one_player_can_take_both_face_down_cards() -> None:
    """R8.4B."""
    game = table(
        players=4,
        sides=TAKING,
        row="J4 T3 I1 R1 vM2 vM3",
        phase="pottery",
        collections=("P1 P2 P3 P4", "P1 P2"),
    )
    game.play("take 5 P1 P4")
    game.play("take 6")
    assert cards(game, 0)[-2:] == ["M2", "M3"]
    assert (game.phase, game.actor) == ("claim", 0)


def test_the_window_opens_only_for_those_who_can_pay() -> None:
    """R8.4B: two unflipped Pottery."""
    game = table(sides=TAKING, leader=1, phase="pottery", collections=("P1 P2", "P3 P4!"))
    assert game.actor == 0
    game.play("decline")
    assert (game.phase, game.actor) == ("claim", 1)


def test_pottery_taken_by_a_take_can_pay_for_another() -> None:
    """R8.4B: as often as you can pay."""
    game = table(
        players=4, sides=TAKING, row="J4 T3 I1 R1 vP3 vM3", phase="pottery", collections=("P1 P2 P4",)
    )
    game.play("take 5 P1 P2")
    assert game.phase == "pottery"
    game.play("take 6 P3 P4")
    assert cards(game, 0) == ["P1", "P2", "P4", "P3", "M3"]


def test_a_face_up_card_cannot_be_taken() -> None:
    """R8.4B."""
    game = table(sides=TAKING, phase="pottery", collections=("P1 P2",))
    with pytest.raises(IllegalAction) as refused:
        game.play("take 1")
    assert refused.value.reason is Reason.NOT_FACE_DOWN


def test_once_claims_have_begun_nothing_can_be_taken() -> None:
    """R8.4B."""
    game = table(sides=TAKING, phase="pottery", collections=("P1 P2",))
    game.play("decline")
    assert not can(game, 0, "take 3 P1 P2")
    with pytest.raises(IllegalAction) as refused:
        game.play("take 3")
    assert refused.value.reason is Reason.NOT_NOW


def test_taking_a_second_idol_counts_at_once() -> None:
    """R8.1B, R8.4B: before the other player collects a second one in the same round."""
    game = table(sides="BAABAA", row="I3 T3 vI2", phase="pottery", collections=("P1 P2 I1?", "I4"), luck=(6,))
    events = game.play("take 3")
    assert [event.type for event in events] == ["take", "idols"]
    assert told(events, "idols") == [Idols({0: treasures("I1", "I2")})]
    assert game.view().seats[0].won_idols
    assert cards(game, 0, viewer=1) == ["P1", "P2", "I1", "I2"]
    game.play("recover")
    game.play("1:1x1")
    events = game.play("recover")
    assert told(events, "idols") == []
    assert not game.view().seats[1].won_idols


def test_all_who_own_two_when_a_take_is_checked_are_first() -> None:
    """R8.1B: a check looks at all players."""
    game = table(sides="BAABAA", row="J1 T3 vI2", phase="pottery", collections=("P1 P2 I1", "I3 I4"))
    assert told(game.play("take 3"), "idols") == [Idols({0: treasures("I1", "I2"), 1: treasures("I3", "I4")})]


def test_taking_a_first_idol_flips_nothing() -> None:
    """R8.4B."""
    game = table(sides="BAABAA", row="I3 T3 vI2", phase="pottery", collections=("P1 P2",))
    assert told(game.play("take 3"), "idols") == []


def test_side_a_takes_nothing() -> None:
    """R8.4."""
    assert not any("take" in str(move) for move in table(collections=("P1 P2 P3",)).view(0).moves())
