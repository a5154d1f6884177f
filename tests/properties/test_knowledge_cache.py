"""What earlier views leave to later ones never shows: a view is as in a game never looked at."""

import copy
import random

from hypothesis import given, settings

from royalcrypt import Game, View
from royalcrypt.play.views import view_of
from royalcrypt.rules.layout import dump
from tests.properties.games import Line, lines, random_move, twins


def assert_equal_to_the_byte(view: View, fresh: View) -> None:
    assert view.to_json() == fresh.to_json()
    assert view == fresh
    assert repr(view) == repr(fresh)
    assert view.pack() == fresh.pack()
    assert dump(view.known) == dump(fresh.known)


def look_around(game: Game, rng: random.Random) -> None:
    """In any order, some twice, some not at all."""
    position = game.position()
    fresh = Game.from_position(position, seed=0)
    viewers = [None, *range(game.players)]
    for viewer in rng.choices(viewers, k=len(viewers)):
        remembers = rng.random() < 0.7
        view = game.view(viewer, remembers=remembers)
        assert_equal_to_the_byte(view, view_of(game.state, viewer, remembers=remembers))
        assert view.to_json() == fresh.view(viewer, remembers=remembers).to_json()
    assert game.position() == position, "to look changes nothing"


@given(lines(most_moves=120))
@settings(max_examples=60, deadline=None)
def test_no_view_shows_what_was_looked_at_before(line: Line) -> None:
    """Also with moves taken back, and with twins that go their own ways and are looked at in turns."""
    rng = random.Random(line.seed)
    for game in twins(line, rng):
        look_around(game, rng)


@given(lines(most_moves=200))
@settings(max_examples=20, deadline=None)
def test_every_seat_at_every_ply_sees_what_a_game_rebuilt_from_its_moves_shows(line: Line) -> None:
    rng = random.Random(line.seed)
    game = line.begin()
    for _ in range(line.moves):
        if game.is_over:
            break
        seat, move = random_move(game, rng)
        game = game.tried(move, seat=seat)
        rebuilt = line.begin()
        for earlier_seat, earlier in game.moves:
            rebuilt.play(earlier, seat=earlier_seat)
        for viewer in (None, *range(game.players)):
            for remembers in (True, False):
                assert_equal_to_the_byte(
                    game.view(viewer, remembers=remembers), rebuilt.view(viewer, remembers=remembers)
                )


def test_knowledge_is_reused_by_the_game_and_its_clones() -> None:
    game = Game.new(players=4, seed=1)
    earlier = game.view(2)
    twin = game.tried("1:1x1")
    assert twin.view(2).parts.knowledge is earlier.parts.knowledge
    assert Game.new(players=4, seed=1).view(2).parts.knowledge is not earlier.parts.knowledge


def test_views_of_a_clone_do_not_change_the_cache_of_the_game() -> None:
    game = Game.new(players=2, seed=1)
    earlier = game.view(1)
    clone = game.clone()
    while clone.view(clone.actor).round == 1:
        clone.play("recover")
    assert clone.view(1).parts.knowledge is not earlier.parts.knowledge
    assert game.view(1).parts.knowledge is earlier.parts.knowledge


def test_a_copy_begins_without_a_cache() -> None:
    game = Game.new(players=4, seed=1)
    view = game.view(0)
    elsewhere = copy.deepcopy(game)
    assert elsewhere.view(0).parts.knowledge is not view.parts.knowledge
    assert elsewhere.view(0) == view
