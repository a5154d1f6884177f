"""The Remains Collector (R8.5)."""

import pytest

from royalcrypt import IllegalAction, Reason
from royalcrypt.notation.events import Mend
from tests.rules.tables import UNEQUAL, bonuses, can, dice, table, treasures


def test_two_remains_recover_one_exhausted_die() -> None:
    """R8.5A."""
    game = table(collections=("R1 R3?",), exhausted=(2,))
    assert game.play("mend R1 R3") == [Mend(0, treasures("R1", "R3"))]
    assert dice(game, 0) == (2, 1)
    assert [card.is_flipped for card in game.view(1).seats[0].cards] == [True, True]


def test_a_mend_does_not_use_up_the_turn_and_its_die_can_be_placed() -> None:
    """R9.1."""
    game = table(collections=("R1 R3",), exhausted=(3,))
    game.play("mend")
    game.play("1:1x6")
    assert game.actor == 1


def test_mending_goes_on_as_long_as_one_can_pay() -> None:
    """R8.5A, section 8."""
    game = table(collections=("R1 R2 R3 R4",), exhausted=(3,))
    game.play("mend R1 R4")
    game.play("mend R2 R3")
    assert dice(game, 0) == (2, 1)
    with pytest.raises(IllegalAction) as refused:
        game.play("mend")
    assert refused.value.reason is Reason.TOO_FEW_TO_FLIP


@pytest.mark.parametrize("cards", ["", "R1", "R1 R2!"])
def test_one_remains_pays_for_nothing(cards: str) -> None:
    """R8.5A."""
    assert not any(
        "mend" in str(move) for move in table(collections=(cards,), exhausted=(1,)).view(0).moves()
    )


def test_without_an_exhausted_die_there_is_nothing_to_mend() -> None:
    """R8.5A, section 12."""
    game = table(collections=("R1 R2",))
    assert not can(game, 0, "mend R1 R2")
    with pytest.raises(IllegalAction) as refused:
        game.play("mend")
    assert refused.value.reason is Reason.NOBODY_EXHAUSTED


@pytest.mark.parametrize(
    ("cards", "coins"),
    [("", 0), ("R4", 0), ("R1 R2", 0), ("R1 R2 R3", 0), ("R1 R2 R3 R4", 10), ("R1! R2! R3 R4", 10)],
)
def test_four_remains_score_10(cards: str, coins: int) -> None:
    """R8.5B."""
    game = table(sides="ABBBBB", collections=(cards, "T4 T3"), last_round=True, luck=UNEQUAL)
    assert bonuses(game, "remains")[0] == coins


def test_more_than_four_score_10_too() -> None:
    """R8.5B."""
    game = table(players=4, sides="ABBBBB", collections=("R1 R2 R3 R4 R1", "T4"), last_round=True)
    assert bonuses(game, "remains")[0] == 10


def test_side_a_pays_no_coins() -> None:
    """R8.5."""
    game = table(sides="ABBBAB", collections=("R1 R2 R3 R4", "T4"), last_round=True)
    assert bonuses(game, "remains")[0] == 0


def test_side_b_mends_nothing() -> None:
    """R8.5."""
    game = table(sides="AAAABA", collections=("R1 R2",), exhausted=(1,))
    assert not can(game, 0, "mend R1 R2")
