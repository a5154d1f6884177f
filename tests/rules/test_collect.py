"""Collect (R6)."""

from royalcrypt.notation.events import Collect, Rally, Roll
from tests.rules.tables import cards, dice, table, told, treasures


def test_unclaimed_cards_are_discarded_and_a_face_down_one_stays_unknown() -> None:
    """R6.1, R11.3."""
    game = table(row="J4 T3 vM2", turn=2)
    game.play("recover")
    for viewer in (None, 0, 1):
        assert [str(card) for card in game.view(viewer).discards] == ["J4", "T3", "M?"]


def test_a_player_pushed_out_of_everything_rallies() -> None:
    """R6.2: all exhausted dice come home."""
    game = table(players=3, row="J4=a1x1 T3 I1 vM2", exhausted=(2,), turn=2, luck=(6,))
    events = game.play("1:1x2")
    assert told(events, "rally") == [Rally(seat=0, dice=2)]
    assert dice(game, 0) == (3, 0)


def test_who_recovered_has_nothing_to_rally() -> None:
    """R6.2: the Leader placed, was pushed out, and recovered on the second turn."""
    game = table(exhausted=(2,), luck=(6,))
    game.play("1:1x1")
    game.play("1:1x2")
    events = game.play("recover")
    assert told(events, "rally") == []
    assert dice(game, 0) == (3, 0)


def test_nobody_rallies_with_a_die_left_on_a_card() -> None:
    """R6.2."""
    game = table(players=3, row="J4=a1x1 T3=a1x1 I1 vM2", exhausted=(1,), turn=2, luck=(6,))
    events = game.play("1:1x2")
    assert told(events, "rally") == []
    assert dice(game, 0) == (2, 1)


def test_nobody_rallies_who_placed_nothing() -> None:
    """R6.2."""
    game = table(players=3, exhausted=(2, 1), turn=2)
    events = game.play("recover")
    assert told(events, "rally") == []
    assert dice(game, 0) == (1, 2)
    assert dice(game, 1) == (2, 1)


def test_a_rally_with_nothing_exhausted_is_not_told() -> None:
    """R6.2: nothing is written for nothing."""
    game = table(players=3, row="J4=a1x1 T3 I1 vM2", turn=2, luck=(6,))
    assert told(game.play("1:1x2"), "rally") == []
    assert dice(game, 0) == (3, 0)


def test_placing_again_and_keeping_it_is_no_rally() -> None:
    """R6.2: pushed out early, but a later die stays."""
    game = table(exhausted=(2,), luck=(6,))
    game.play("1:1x1")
    game.play("1:1x2 2:1x1")
    events = game.play("3:1x1")
    assert told(events, "rally") == []
    assert dice(game, 0) == (1, 2)


def test_rallies_go_in_turn_order_and_before_all_rolls() -> None:
    """R6.2, section 12."""
    game = table(
        players=4,
        leader=1,
        row="J4=a1x5 T3=a1x5 I1 R1 vM2 vP1",
        exhausted=(0, 1, 2, 3),
        placed=(1, 2),
        turn=3,
        luck=(5, 5),
    )
    events = game.play("recover")
    assert [event.type for event in events[:5]] == ["recover", "rally", "rally", "roll", "roll"]
    assert told(events, "rally") == [Rally(1, 1), Rally(2, 2)]
    assert dice(game, 3) == (0, 3)


def test_a_die_below_its_effort_is_exhausted_and_one_that_meets_it_comes_home() -> None:
    """R6.3."""
    game = table(row="J4=a3x4 T3 vM2", turn=2, luck=(3, 4, 5))
    events = game.play("recover")
    assert told(events, "roll") == [Roll(seat=0, slot=0, effort=4, rolled=(3, 4, 5))]
    assert dice(game, 0) == (2, 1)


def test_effort_1_cannot_fail_and_is_not_rolled() -> None:
    """R6.3."""
    game = table(row="J4=a2x1 T3=b1x1 vM2", turn=2)
    events = game.play("recover")
    assert told(events, "roll") == [Roll(0, 0, 1, ()), Roll(1, 1, 1, ())]
    assert dice(game, 0) == dice(game, 1) == (3, 0)


def test_effort_6_is_exhausted_by_everything_but_a_6() -> None:
    """R6.3."""
    game = table(row="J4=a3x6 T3=b3x6 vM2", turn=2, luck=(1, 5, 6, 6, 6, 6))
    game.play("recover")
    assert dice(game, 0) == (1, 2)
    assert dice(game, 1) == (3, 0)


def test_players_roll_in_turn_order_and_by_slot() -> None:
    """R6.3."""
    game = table(players=3, leader=1, row="J4=a1x2 T3=c1x3 I1=b1x4 vM2=a1x5", turn=2, luck=(4, 3, 2, 5))
    events = game.play("recover")
    assert told(events, "roll") == [
        Roll(seat=1, slot=2, effort=4, rolled=(4,)),
        Roll(seat=2, slot=1, effort=3, rolled=(3,)),
        Roll(seat=0, slot=0, effort=2, rolled=(2,)),
        Roll(seat=0, slot=3, effort=5, rolled=(5,)),
    ]
    assert [event.type for event in events] == [
        "recover",
        "roll",
        "collect",
        "roll",
        "collect",
        "roll",
        "roll",
        "collect",
        "reveal",
    ]


def test_cards_are_taken_whatever_the_rolls() -> None:
    """R6.4."""
    game = table(row="J4=a2x6 T3=a1x6 vM2", turn=2, luck=(1, 1, 1))
    game.play("recover")
    assert cards(game, 0) == ["J4", "T3"]
    assert dice(game, 0) == (0, 3)


def test_a_card_taken_face_down_is_seen_by_its_owner_alone() -> None:
    """R6.4."""
    game = table(row="J4=a1x1 T3 vM2=a1x1", turn=2)
    events = game.play("recover")
    assert cards(game, 0, viewer=0) == ["J4", "M2"]
    assert cards(game, 0, viewer=1) == ["J4", "M?"]
    assert [str(card) for card in game.view().seats[0].cards] == ["J4", "M?"]
    assert told(game.events_for(1, events), "collect") == [Collect(0, treasures("J4", "M?"))]
    assert told(game.events_for(0, events), "collect") == [Collect(0, treasures("J4", "M2"))]


def test_a_card_that_was_face_up_stays_known_to_all_in_a_collection() -> None:
    """R6.4, R6.6."""
    game = table(row="J4=a1x1 T3 vM2", turn=2)
    game.play("recover")
    (card,) = game.view().seats[0].cards
    assert (str(card), card.is_public, card.is_flipped) == ("J4", True, False)


def test_how_many_cards_of_each_type_a_player_has_is_public() -> None:
    """R6.6."""
    game = table(collections=("I1? I2? J1", "T1? T2 T3!"))
    for viewer in (None, 0, 1):
        assert game.view(viewer).seats[0].held == (2, 1, 0, 0, 0, 0)
        assert game.view(viewer).seats[1].held == (0, 0, 0, 0, 0, 3)
        assert game.view(viewer).seats[1].unflipped == (0, 0, 0, 0, 0, 2)


def test_cards_are_collected_by_slot() -> None:
    """R6.4."""
    game = table(players=4, row="J4=a1x1 T3 I1=a1x1 R1 vM2 vP1=a1x1", turn=3)
    assert told(game.play("recover"), "collect") == [Collect(0, treasures("J4", "I1", "P1"))]


def test_an_idol_taken_by_a_later_player_does_not_reroll_an_earlier_players_die() -> None:
    """R6.5: re-rolls come directly after one's own rolls, before the next player's."""
    game = table(row="J4=a1x6 I1=b1x6 vM2", turn=2, luck=(1, 1))
    events = game.play("recover")
    assert [event.type for event in events] == ["recover", "roll", "collect", "roll"]
    assert game.actor == 1
    assert game.phase == "idol"


def test_idol_b_is_checked_when_all_have_collected() -> None:
    """R6.7: both reach two in the same round, whatever the turn order."""
    game = table(
        players=4, sides="BAAAAA", row="I4=a1x1 I3=b1x1 J1 R1 vM2 vP1", collections=("I1", "I2"), turn=3
    )
    events = game.play("recover")
    assert [event.type for event in events][-5:] == ["collect", "roll", "collect", "idols", "reveal"]
    assert game.view().seats[0].won_idols
    assert game.view().seats[1].won_idols
