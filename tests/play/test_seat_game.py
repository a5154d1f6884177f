"""A seat's game, continued with what the server sends to it, equals what the seat knows of the real game."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from royalcrypt import Game
from royalcrypt.notation.events import Mend, Peek, Take, Tiebreak
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.seat_game import SeatGame
from royalcrypt.play.view_changes import apply_changes, changes_between
from royalcrypt.play.views import View
from tests.properties.games import Line, lines, played, random_move

Json = dict[str, Any]
MOST_MOVES = 400
whole_games = lines().map(lambda line: replace(line, moves=MOST_MOVES))


def sent(game: Game, seat: int, since: int = 0) -> list[Json]:
    """The events from number ``since`` on, as the server sends them to the seat now."""
    return json.loads(game.news(since).for_viewer(seat))


def joined(game: Game, seat: int) -> SeatGame:
    """The game of a seat that asks for it only now."""
    return SeatGame(sent(game, seat), game.view(seat).to_dict())


def check(found: View, real: View) -> None:
    """Views are equal, and so are the concealed states from which bots search."""
    assert found.to_json() == real.to_json()
    assert found.pack() == real.pack()


class Client:
    """Gets each seat's new events after a move, and the changes of its view."""

    def __init__(self, game: Game, seat: int) -> None:
        self.seat = seat
        self.before = game.view(seat)
        self.received: Json = self.before.to_dict()
        self.game = joined(game, seat)

    def update(self, game: Game) -> None:
        after = game.view(self.seat)
        changes = json.loads(json.dumps(changes_between(self.before.parts, after.parts), default=_plain))
        self.before, self.received = after, apply_changes(self.received, changes)
        self.game.follow(sent(game, self.seat, self.game.count), self.received)


def _plain(part: Any) -> Json:
    return {name: getattr(part, name) for name in part.__struct_fields__}


@given(whole_games)
@settings(max_examples=40)
def test_after_every_update_it_gives_the_view_of_the_server(line: Line) -> None:
    """All seats of games for one to four, with offers declined and actions out of turn."""
    rng = random.Random(line.seed)
    game = line.begin()
    clients = [Client(game, seat) for seat in range(game.players)]
    for _ in range(line.moves):
        for client in clients:
            check(client.game.view(), game.view(client.seat))
        if game.is_over:
            break
        seat, move = random_move(game, rng)
        game.play(move, seat=seat)
        for client in clients:
            client.update(game)


@given(whole_games, st.floats(0.01, 0.3))
@settings(max_examples=40)
def test_a_seat_that_joins_late_or_misses_updates_gives_it_too(line: Line, share: float) -> None:
    rng = random.Random(line.seed)
    games: dict[int, SeatGame] = {}
    for game in played(line):
        for seat in range(game.players):
            if rng.random() < share:
                view = game.view(seat)
                if seat in games:
                    games[seat].follow(sent(game, seat, games[seat].count), view.to_dict())
                else:
                    games[seat] = joined(game, seat)
                check(games[seat].view(), view)
                check(joined(game, seat).view(), view)


def hidden_cards(view: View, seat: int, letter: str) -> int:
    """The number of a seat's unflipped cards of a type whose values the viewer does not know."""
    return sum(card.type == letter and card.value is None for card in view.seats[seat].cards)


def test_it_learns_from_the_view_what_no_event_says() -> None:
    """What a seat peeked at or took, and which of an opponent's hidden cards was flipped."""
    peeks = takes = flips = 0
    for seed in range(12):
        rng = random.Random(seed)
        game = Line(4, "ABBBAB", 0, seed, MOST_MOVES).begin()
        clients = [Client(game, seat) for seat in range(4)]
        while not game.is_over:
            before = [game.view(seat) for seat in range(4)]
            seat, move = random_move(game, rng)
            event = game.play(move, seat=seat)[:1]
            for client in clients:
                client.update(game)
                check(client.game.view(), game.view(client.seat))
                match event:
                    case [Peek() | Take()] if client.seat == seat:
                        peeks += isinstance(event[0], Peek)
                        takes += isinstance(event[0], Take)
                    case [Peek(flip=flip) | Take(flip=flip) | Mend(flip=flip)]:
                        now = hidden_cards(game.view(client.seat), seat, flip[0][0])
                        flips += now > 0 and hidden_cards(before[client.seat], seat, flip[0][0]) > now
                    case _:
                        pass
    assert min(peeks, takes, flips) > 0, "the games contain all of these"


@pytest.mark.parametrize(("players", "seed"), [(2, 47), (3, 35), (4, 10), (1, 1)])
def test_it_follows_a_game_to_its_scores_through_tie_breaks(players: int, seed: int) -> None:
    *_, game = played(Line(players, "ABABAB", 0, seed, MOST_MOVES))
    assert game.is_over
    assert any(isinstance(event, Tiebreak) for event in game.events) == (players > 1)
    for seat in range(players):
        check(joined(game, seat).view(), game.view(seat))


def running() -> Game:
    game = Game.new(players=2, collectors="ABABAB", seed=7)
    game.play("1:2x3")
    game.play("recover")
    return game


def test_a_missing_event_is_noticed_and_changes_nothing() -> None:
    game = running()
    mine = joined(game, 0)
    view = game.view(0).to_dict()
    game.play("recover")
    later = sent(game, 0, mine.count)
    with pytest.raises(Refusal) as caught:
        mine.follow(later[1:], game.view(0).to_dict())
    assert caught.value.reason is Reason.NOT_A_RECORD
    assert mine.view().to_dict() == view
    mine.follow(later, game.view(0).to_dict())
    check(mine.view(), game.view(0))


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"type": "claim", "seat": 0, "place": [], "last": True}, Reason.NOT_A_MOVE),
        ({"type": "recover", "seat": 1, "dice": 0}, Reason.NOT_YOUR_TURN),
        ({"type": "peek", "seat": 0, "flip": ["M1"]}, Reason.WRONG_SIDE),
        ({"type": "roll", "seat": 0, "slot": 0, "effort": 3, "rolled": [1, 1]}, Reason.NOT_NOW),
        ({"type": "what", "seat": 0}, Reason.NOT_A_RECORD),
    ],
)
def test_an_event_that_is_against_the_rules_is_noticed(event: Json, reason: Reason) -> None:
    game = running()
    mine = joined(game, 0)
    with pytest.raises(Refusal) as caught:
        mine.follow([{"n": mine.count} | event], game.view(0).to_dict())
    assert caught.value.reason is reason


def test_a_chance_outcome_that_is_not_due_is_noticed() -> None:
    game = running()
    events, view = sent(game, 0), game.view(0).to_dict()
    too_long = events[0] | {"row": events[0]["row"] * 2}
    wrong_turn = {"n": 3, "type": "recover", "seat": 0, "dice": 0}
    roll_of_another = {"n": 4, "type": "roll", "seat": 1, "slot": 0, "effort": 3, "rolled": [1, 1]}
    for wrong in ([too_long], [*events, wrong_turn, roll_of_another]):
        with pytest.raises(Refusal) as caught:
            SeatGame(wrong, view)
        assert caught.value.reason is Reason.IMPOSSIBLE_CHANCE


def test_a_game_that_differs_from_the_view_is_noticed() -> None:
    game = running()
    view = game.view(0).to_dict()
    mine = SeatGame(sent(game, 0)[:-1], view)
    with pytest.raises(Refusal) as caught:
        mine.view()
    assert caught.value.reason is Reason.NOT_A_RECORD
    with pytest.raises(Refusal):
        SeatGame([], view).view()
