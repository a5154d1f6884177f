"""Views as values: as JSON, for another process, and without what a person would have to remember."""

import pickle
from typing import Any

import msgspec
import pytest

from royalcrypt import Game, IllegalAction, View
from royalcrypt.rules.layout import dump
from tests.rules.tables import table


def test_the_schema_describes_all_that_is_sent_and_nothing_else() -> None:
    (reference,), parts = msgspec.json.schema_components([View])
    view: dict[str, Any] = parts["View"]
    assert reference == {"$ref": "#/$defs/View"}
    assert list(view["properties"]) == list(Game.new(seed=1).view(0).to_dict())
    assert view["required"] == list(view["properties"])
    assert "scores" in view["properties"]
    assert "known" not in view["properties"]
    assert set(parts) == {"View", "SlotView", "SeatView", "CardView", "ClaimForm"}


def test_what_was_sent_is_a_view_without_the_concealed_state() -> None:
    view = Game.new(seed=1).view(0)
    received = msgspec.json.decode(view.to_json(), type=View)
    assert received == view
    with pytest.raises(KeyError):
        _ = received.known


def test_equal_views_give_equal_bytes() -> None:
    assert Game.new(seed=1).view(1).to_json() == Game.new(seed=1).view(1).to_json()
    assert Game.new(seed=1).view(1).to_json() != Game.new(seed=1).view(0).to_json()


def test_a_view_can_be_pickled() -> None:
    view = Game.new(players=4, seed=1).view(2, remembers=False)
    again = pickle.loads(pickle.dumps(view))
    assert again == view
    assert dump(again.known) == dump(view.known)


def test_a_refused_move_cannot_be_tried_either() -> None:
    game = Game.new(seed=1)
    before = game.position()
    with pytest.raises(IllegalAction):
        game.tried("1:1x6 2:3x6")
    assert game.position() == before


def test_a_table_can_choose_not_to_be_reminded() -> None:
    """Section 12: what lies open, one's own cards and what one has seen of the row stay."""
    game = table(
        players=3,
        row="J4 T3 I1 vM2",
        collections=("P2 P1!", "R3 R4!", "T1?"),
    )
    view = game.view(0, remembers=False)
    assert [str(slot.card) for slot in view.row] == ["J4", "T3", "I1", "M?"]
    assert [[str(card) for card in seat.cards] for seat in view.seats] == [["P2", "P1"], ["R?", "R4"], ["T?"]]
    assert view.seats[1].cards[0].is_public
    assert view.scores[0] == game.view(0).scores[0]
    assert view.scores[1:] == (None, None)
    assert game.view(remembers=False).scores == (None, None, None)
    assert view.row[3].card is not None
    assert (view.row[3].card.odds, set(view.row[3].card.belief()), view.row[3].card.expected()) == (
        None,
        {0},
        0,
    )
    assert view.unseen == {}
    assert view.actions == game.view(0).actions
    assert view.form == game.view(0).form
