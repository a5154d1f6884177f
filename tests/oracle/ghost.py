"""How the Ghost forms and places its groups (R10.4)."""

from tests.oracle.cards import Spot

GHOST = 1


def groups(rolled: list[int]) -> list[tuple[int, int]]:
    """(dice, effort), the highest sum first; of equal sums the group with more dice."""
    found = [(rolled.count(face), face) for face in set(rolled)]
    return sorted(found, key=lambda group: (group[0] * group[1], group[0]), reverse=True)


def first_fit(row: list[Spot], dice: int, effort: int) -> int | None:
    """The first card from the left that is unclaimed, or that the player occupies with a lower total."""
    for slot, spot in enumerate(row):
        if spot.card is None or spot.holder == GHOST:
            continue
        if spot.holder is None or spot.total < dice * effort:
            return slot
    return None


def from_high_to_low(row: list[Spot]) -> list[Spot]:
    """The row by value; a face-down card counts 2.5; of equal cards the first drawn stays left (R10.3)."""

    def worth(spot: Spot) -> float:
        assert spot.card is not None
        return 2.5 if spot.down else spot.card.value

    return sorted(row, key=worth, reverse=True)  # a stable sort, also in reverse
