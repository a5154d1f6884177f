"""Cards and sides as text."""

import pytest

from royalcrypt.notation.cards import Card, is_card, is_sides


def test_a_card_is_its_types_letter_and_value() -> None:
    card = Card("P2", 5)
    assert (card, card.value, card.type, card.number) == ("P2", 2, 3, 5)


def test_a_hidden_card_keeps_its_type_and_place_only() -> None:
    card = Card("P2", 5).hidden()
    assert (card, card.value, card.number) == ("P?", 0, 5)


@pytest.mark.parametrize("text", ["I1", "T4", "P?"])
def test_cards_are_recognised(text: str) -> None:
    assert is_card(text)


@pytest.mark.parametrize("text", ["", "I", "I5", "I0", "X1", "I11", 1, None, ["I1"]])
def test_what_is_not_a_card_is_not(text: object) -> None:
    assert not is_card(text)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [("AABABA", True), ("BBBBBB", True), ("AAAAA", False), ("AAAAAAA", False), ("AAAAAC", False), (6, False)],
)
def test_sides_are_six_letters(text: object, is_right: bool) -> None:
    assert is_sides(text) is is_right
