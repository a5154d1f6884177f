"""The Manuscript Collector (R8.3)."""

import pytest

from royalcrypt import IllegalAction, Reason
from royalcrypt.notation.events import Peek
from tests.rules.tables import UNEQUAL, bonuses, can, finish, table, treasures

PEEKING = "AABAAA"


@pytest.mark.parametrize(
    ("cards", "coins"),
    [
        ("", 0),
        ("M1", 0),
        ("M4", 0),
        ("M1 M2", 5),
        ("M3 M4", 1),
        ("M1 M2 M3", 6),
        ("M1 M2 M3 M4", 6),
        ("M1! M2", 5),
    ],
)
def test_with_two_or_more_each_manuscript_counts_4(cards: str, coins: int) -> None:
    """R8.3A."""
    game = finish(table(sides="ABABAB", collections=(cards, "T4 T3 P4 P3"), last_round=True, luck=UNEQUAL))
    result = game.result()
    assert result is not None
    breakdown = result["breakdown"][0]
    assert breakdown["collectors"]["manuscript"] == coins
    if coins:
        assert breakdown["treasure"] + coins == 4 * len(cards.split())


def test_side_b_pays_no_coins() -> None:
    """R8.3."""
    game = table(sides="ABBBAB", collections=("M1 M2 M3 M4", "T4"), last_round=True)
    assert bonuses(game, "manuscript")[0] == 0


def test_a_peek_shows_all_face_down_cards_to_its_player_alone() -> None:
    """R8.3B."""
    game = table(players=4, sides=PEEKING, row="I1 J1 R1 T1 vP2 vT3", collections=("M2",))
    events = game.play("peek M2")
    assert events == [Peek(0, treasures("M2"))]
    assert [str(slot.card) for slot in game.view(0).row[4:]] == ["P2", "T3"]
    for viewer in (None, 1, 2, 3):
        assert [str(slot.card) for slot in game.view(viewer).row[4:]] == ["P?", "T?"]


def test_that_you_looked_is_public() -> None:
    """R8.3B."""
    game = table(sides=PEEKING, collections=("M2?",))
    events = game.play("peek M2")
    for viewer in (None, 0, 1):
        assert game.view(viewer).seats[0].has_peeked
        assert game.events_for(viewer, events) == [Peek(0, treasures("M2"))]


def test_a_peek_does_not_use_up_the_turn() -> None:
    """R9.1."""
    game = table(sides=PEEKING, collections=("M2",))
    game.play("peek")
    assert game.actor == 0
    game.play("1:1x1")
    assert game.actor == 1


def test_peeking_twice_in_a_round_is_not_offered_but_next_round_it_is() -> None:
    """Section 12."""
    game = table(sides=PEEKING, collections=("M2 M3",))
    game.play("peek M2")
    assert not can(game, 0, "peek M3")
    with pytest.raises(IllegalAction) as refused:
        game.play("peek M3")
    assert refused.value.reason is Reason.ALREADY_PEEKED
    for _ in range(3):
        game.play("recover")
    assert can(game, 0, "peek M3")


def test_a_face_down_card_that_is_claimed_can_still_be_peeked_at() -> None:
    """R8.3B: it lies in the Crypt."""
    game = table(sides=PEEKING, row="J4 T3 vP2=a1x1", collections=("", "M2"), turn=1)
    game.play("peek")
    assert str(game.view(1).row[2].card) == "P2"
    assert str(game.view(0).row[2].card) == "P?"


def test_without_a_face_down_card_there_is_nothing_to_peek_at() -> None:
    """R8.3B, section 12: Pottery B took it."""
    game = table(sides="AABBAA", row="J4 T3 vJ2", collections=("P1 P2 M2",), phase="pottery")
    assert can(game, 0, "peek M2")
    game.play("take 3")
    assert (game.phase, game.actor) == ("claim", 0)
    assert not can(game, 0, "peek M2")
    with pytest.raises(IllegalAction) as refused:
        game.play("peek M2")
    assert refused.value.reason is Reason.NOTHING_FACE_DOWN


def test_the_owner_chooses_which_manuscript_to_flip() -> None:
    """Section 12."""
    game = table(sides=PEEKING, collections=("M2 M3? M4!",))
    assert can(game, 0, "peek M2")
    assert can(game, 0, "peek M3")
    assert not can(game, 0, "peek M4")


def test_side_a_peeks_at_nothing() -> None:
    """R8.3."""
    assert not any("peek" in str(move) for move in table(collections=("M2",)).view(0).moves())
