"""A view that is only written says what the view itself says, to the byte."""

import random

import pytest
from hypothesis import given, settings

from royalcrypt import Game, Refusal
from tests.properties.games import Line, lines, random_move, twins


def assert_written_like_views(game: Game, rng: random.Random) -> None:
    """For every viewer, in any order, written once more where nothing has changed."""
    fresh = Game.from_position(game.position(), seed=0)
    readings = [(viewer, remembers) for viewer in (None, *range(game.players)) for remembers in (True, False)]
    rng.shuffle(readings)
    for viewer, remembers in (*readings, *rng.sample(readings, 2)):
        written = game.view_json(viewer, remembers=remembers)
        assert written == fresh.view(viewer, remembers=remembers).to_json()
        if rng.random() < 0.3:
            assert written == game.view(viewer, remembers=remembers).to_json()


@given(lines(most_moves=200))
@settings(max_examples=40, deadline=None)
def test_at_every_ply_every_viewer_gets_their_views_json(line: Line) -> None:
    rng = random.Random(line.seed)
    game = line.begin()
    assert_written_like_views(game, rng)
    for _ in range(line.moves):
        if game.is_over:
            break
        seat, move = random_move(game, rng)
        game = game.tried(move, seat=seat)
        assert_written_like_views(game, rng)


@given(lines(most_moves=80))
@settings(max_examples=40, deadline=None)
def test_also_with_moves_taken_back_and_among_twins_that_go_their_own_ways(line: Line) -> None:
    rng = random.Random(line.seed)
    for game in twins(line, rng):
        assert_written_like_views(game, rng)


def test_there_is_no_json_for_a_seat_that_is_none() -> None:
    with pytest.raises(Refusal):
        Game.new(players=2, seed=1).view_json(2)
