"""The score (R7.2) and what each Collector pays (R8)."""

from typing import Any

from tests.oracle.cards import NAMES, TYPES, Card


def values(cards: list[Card], letter: str) -> list[int]:
    return [card.value for card in cards if card.type == letter]


def bonus(letter: str, side: str, seat: int, everyone: list[list[Card]], first_idols: set[int]) -> int:
    """The bonus of one Collector for a seat; `first_idols` are the seats that flipped two for R8.1B."""
    mine = values(everyone[seat], letter)
    count = len(mine)
    match letter + side:
        case "IB":
            return 5 if seat in first_idols else 2 if count >= 2 else 0
        case "JA":
            return max(mine) if count >= 2 else 0
        case "JB":
            return count
        case "MA":
            return 4 * count - sum(mine) if count >= 2 else 0
        case "PA":
            return 8 if count >= 4 else 4 if count == 3 else 2 if count == 2 else 0
        case "RB":
            return 10 if count >= 4 else 0
        case "TA":
            most = max(sum(values(cards, letter)) for cards in everyone)
            return 5 if count >= 1 and sum(mine) == most else 0
        case "TB":
            rivals = [cards for cards in everyone if len(values(cards, letter)) >= 3]
            return 0 if count < 3 else 7 if len(rivals) == 1 else 4
        case _:  # I A, M B, P B, R A pay no coins
            return 0


def breakdown(
    seat: int, everyone: list[list[Card]], sides: dict[str, str], first_idols: set[int], dice: int
) -> dict[str, Any]:
    return {
        "treasure": sum(card.value for card in everyone[seat]),
        "collectors": {
            NAMES[letter]: bonus(letter, sides[letter], seat, everyone, first_idols) for letter in TYPES
        },
        "servants": dice,
    }


def score(parts: dict[str, Any]) -> int:
    return parts["treasure"] + sum(parts["collectors"].values()) + parts["servants"]


def title(points: int) -> str:
    """The rank of an Only Child (R10.7)."""
    return "fool" if points < 30 else "petty" if points < 40 else "affluent" if points < 50 else "magnificent"


def places(scores: list[int], winners: list[int]) -> list[int]:
    """Winners 1; anyone else 1 + the number of players who won or scored more."""
    everyone = range(len(scores))
    return [
        1 if seat in winners else 1 + sum(o in winners or scores[o] > scores[seat] for o in everyone)
        for seat in everyone
    ]
