"""News that are only written say what the events say, to the byte."""

import random

import msgspec
from hypothesis import given, settings

from royalcrypt.notation.cards import Card
from royalcrypt.notation.events import Idols, event_dict
from royalcrypt.play.redaction import redacted
from tests.properties.games import Line, lines, played


@given(lines(most_moves=200))
@settings(max_examples=40, deadline=None)
def test_every_viewer_gets_the_json_of_their_events(line: Line) -> None:
    """In any order, and again."""
    rng = random.Random(line.seed)
    since = 0
    for game in played(line):
        news = game.news(since)
        for viewer in rng.choices((None, *range(game.players)), k=7):
            events = game.events_for(viewer, game.events[since:])
            expected = [event_dict(event, n) for n, event in enumerate(events, since)]
            assert news.for_viewer(viewer) == msgspec.json.encode(expected)
        since = len(game.events) if rng.random() < 0.8 else since


def test_hidden_cards_are_taken_out_by_seat_too() -> None:
    idols = Idols({0: (Card("I2", 3), Card("I4", 5)), 2: (Card("I1", 7),)})
    assert redacted(idols, [3, 7]) == Idols({0: (Card("I?", 3), Card("I4", 5)), 2: (Card("I?", 7),)})
