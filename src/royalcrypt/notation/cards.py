"""Cards and Collector sides as text: ``P2``, ``P?``, ``AABABA`` (RECORD.md)."""

from functools import cache
from typing import Self

from royalcrypt.rules.layout import NONE, TYPES, State

LETTERS = "IJMPRT"
TYPE_NAMES = ("idol", "jewelry", "manuscript", "pottery", "remains", "tapestry")
SIDES = "AB"
UNKNOWN = "?"


class Card(str):
    """A card's type and value as text, with the index of the physical card where that is known."""

    __slots__ = ("number",)
    number: int

    def __new__(cls, text: str, number: int = NONE) -> Self:
        card = super().__new__(cls, text)
        card.number = number
        return card

    @property
    def value(self) -> int:
        """The card's value in coins; 0 if it is unknown."""
        return 0 if self[1] == UNKNOWN else int(self[1])

    @property
    def type(self) -> int:
        return LETTERS.index(self[0])

    def hidden(self) -> "Card":
        """The same card without its value, for viewers who do not know it."""
        return Card(self[0] + UNKNOWN, self.number)


def card_text(card_type: int, value: int) -> str:
    return LETTERS[card_type] + (str(value) if value else UNKNOWN)


def card_of(state: State, index: int) -> Card:
    return _card(state.card_type[index], state.card_value[index], index)


@cache
def _card(card_type: int, value: int, number: int) -> Card:
    """One shared object per card, because few exist and every event refers to some."""
    return Card(card_text(card_type, value), number)


def is_card(text: object) -> bool:
    return isinstance(text, str) and len(text) == 2 and text[0] in LETTERS and text[1] in "1234?"


def sides_text(state: State) -> str:
    return _sides_text(*state.sides)


@cache
def _sides_text(*sides: int) -> str:
    return "".join([SIDES[side] for side in sides])


def is_sides(text: object) -> bool:
    return isinstance(text, str) and len(text) == TYPES and set(text) <= set(SIDES)
