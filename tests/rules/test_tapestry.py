"""The Tapestry Collector (R8.6)."""

import pytest

from tests.rules.tables import UNEQUAL, bonuses, table


def pays(side: str, *collections: str, players: int = 2) -> list[int]:
    sides = f"ABBBA{side}"
    game = table(players=players, sides=sides, collections=collections, last_round=True, luck=UNEQUAL)
    return bonuses(game, "tapestry")


@pytest.mark.parametrize(
    ("mine", "theirs", "coins"),
    [
        ("", "", [0, 0]),
        ("T1", "", [5, 0]),
        ("T1 T2", "T4", [0, 5]),
        ("T1 T3", "T4", [5, 5]),
        ("T1 T2 T3", "T4", [5, 0]),
        ("T4!", "T3 T2? T1?", [0, 5]),
    ],
)
def test_whose_tapestries_are_worth_the_most_scores_5(mine: str, theirs: str, coins: list[int]) -> None:
    """R8.6A: coins count, not cards; all who tie score it in full."""
    assert pays("A", mine, theirs) == coins


def test_three_can_tie_for_the_finest_tapestries() -> None:
    """R8.6A."""
    assert pays("A", "T3", "T1 T2", "T3", "T2", players=4) == [5, 5, 5, 0]


def test_when_nobody_has_a_tapestry_nobody_scores() -> None:
    """R8.6A, section 12."""
    assert pays("A", "I1", "I2", "I3", players=3) == [0, 0, 0]


@pytest.mark.parametrize(
    ("mine", "theirs", "coins"),
    [
        ("", "", [0, 0]),
        ("T4", "", [0, 0]),
        ("T4 T3", "T1", [0, 0]),
        ("T4 T3 T2", "T1", [7, 0]),
        ("T4! T3 T2? T1", "", [7, 0]),
    ],
)
def test_the_only_player_with_three_tapestries_scores_7(mine: str, theirs: str, coins: list[int]) -> None:
    """R8.6B."""
    assert pays("B", mine, theirs) == coins


def test_several_players_with_three_tapestries_score_4_each() -> None:
    """R8.6B."""
    assert pays("B", "T1 T1 T2", "T4 T3 T2", "T3 T4", "", players=4) == [4, 4, 0, 0]
    assert pays("B", "T1 T1 T2 T3", "T4 T3 T2", "T4", "", players=4) == [4, 4, 0, 0]
