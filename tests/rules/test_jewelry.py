"""The Jewelry Collector (R8.2)."""

import pytest

from tests.rules.tables import UNEQUAL, bonuses, finish, table


def pays(side: str, cards: str) -> int:
    game = table(sides=f"A{side}BBAB", collections=(cards, "T4 T3 P4 P3"), last_round=True, luck=UNEQUAL)
    return bonuses(game, "jewelry")[0]


@pytest.mark.parametrize(
    ("cards", "coins"),
    [("", 0), ("J4", 0), ("J1 J2", 2), ("J4 J1", 4), ("J1 J3 J2", 3), ("J1 J2 J3 J4", 4), ("J4! J3", 4)],
)
def test_with_two_or_more_the_highest_jewelry_counts_twice(cards: str, coins: int) -> None:
    """R8.2A."""
    assert pays("A", cards) == coins


@pytest.mark.parametrize(
    ("cards", "coins"), [("", 0), ("J4", 1), ("J1 J2", 2), ("J1 J3 J2", 3), ("J1 J2 J3 J4", 4)]
)
def test_each_jewelry_pays_a_coin_more(cards: str, coins: int) -> None:
    """R8.2B."""
    assert pays("B", cards) == coins


def test_two_equal_jewels_count_one_of_them_twice() -> None:
    """R8.2A."""
    game = finish(table(players=4, sides="AABBAB", collections=("J3 J3", "T4 T3 P4 P3"), last_round=True))
    result = game.result()
    assert result is not None
    assert result["breakdown"][0]["treasure"] == 6
    assert result["breakdown"][0]["collectors"]["jewelry"] == 3
