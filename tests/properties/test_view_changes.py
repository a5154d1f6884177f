"""Changes between views lead a client that applies them to the very view that a newcomer gets."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from royalcrypt import Game, Refusal, View
from royalcrypt.play.view_changes import apply_changes, changes_between
from tests.properties.games import Line, lines, random_move

encode = msgspec.json.encode
Viewer = tuple[int | None, bool]


class Client:
    """Knows the JSON of one view, and the changes since."""

    def __init__(self, view: View) -> None:
        self.before = view
        self.shown: Any = msgspec.json.decode(view.to_json())

    def hear(self, view: View) -> bytes:
        """Apply the changes as they are sent; returns what was sent."""
        sent = encode(changes_between(self.before.parts, view.parts))
        self.before = view
        self.shown = apply_changes(self.shown, msgspec.json.decode(sent))
        return sent


def viewers_of(game: Game) -> list[Viewer]:
    return [(viewer, remembers) for viewer in (None, *range(game.players)) for remembers in (True, False)]


@given(lines(most_moves=200))
@settings(max_examples=60, deadline=None)
def test_a_client_that_applies_changes_holds_the_view_of_a_newcomer_to_the_byte(line: Line) -> None:
    rng = random.Random(line.seed)
    game = line.begin()
    clients = {who: Client(game.view(who[0], remembers=who[1])) for who in viewers_of(game)}
    for _ in range(line.moves):
        if game.is_over:
            break
        seat, move = random_move(game, rng)
        game = game.tried(move, seat=seat)
        newcomer = Game.from_position(game.position(), seed=0)
        for (viewer, remembers), client in clients.items():
            client.hear(game.view(viewer, remembers=remembers))
            assert encode(client.shown) == newcomer.view(viewer, remembers=remembers).to_json()


def test_nothing_is_sent_where_nothing_has_changed() -> None:
    view = Game.new(players=3, seed=1).view(1)
    assert changes_between(view.parts, view.parts) == {}


def test_a_claim_changes_a_card_the_dice_and_the_turn_only() -> None:
    game = Game.new(players=3, seed=1)
    changes = changes_between(game.view_parts(2), game.tried("2:1x3").view_parts(2))
    assert msgspec.json.decode(encode(changes)) == {
        "actor": 1,
        "turn": 1,
        "decisions": 2,
        "row": {"1": {"holder": 0, "dice": 1, "effort": 3}},
        "seats": {"0": {"ready": 2}},
        "scores": [2, 3, 3],
    }


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ({"a": 1, "b": 2}, {"b": None}, {"a": 1, "b": None}),
        ([{"a": 1}, {"a": 2}], {"1": {"a": 3}}, [{"a": 1}, {"a": 3}]),
        ([{"a": 1}], {"1": {"a": 2}}, [{"a": 1}, {"a": 2}]),
        ([1, 2, 3], [4], [4]),
        (None, {"a": 1}, {"a": 1}),
        ({"a": {"b": [1]}}, {"a": {"b": []}}, {"a": {"b": []}}),
    ],
)
def test_a_change_merges_objects_names_items_by_index_and_replaces_the_rest(
    before: Any, change: Any, after: Any
) -> None:
    kept = msgspec.json.decode(encode(before))
    assert apply_changes(before, change) == after
    assert before == kept, "the view before is not changed"


def test_there_is_no_view_for_a_seat_that_is_none() -> None:
    with pytest.raises(Refusal):
        Game.new(players=2, seed=1).view(2)
