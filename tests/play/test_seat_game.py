"""A seat's game, continued with what the seat is sent, equals what it knows of the real game."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.notation.events import event_json
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.seat_game import SeatGame
from royalcrypt.play.view_changes import apply_changes, changes_between
from royalcrypt.play.views import View
from royalcrypt.rules.layout import dump

Json = dict[str, Any]
BOT = bot_named("random")


def sent(game: Game, seat: int, since: int = 0) -> list[Json]:
    """The events from number ``since`` on, as the server sends them to a seat."""
    return json.loads(game.news(since).for_viewer(seat))


def known(view: View) -> Json:
    """The concealed state without the notes of its last step, which no view shows."""
    return dump(view.known) | {"notes": None}


def same(found: View, real: View) -> bool:
    return found.to_json() == real.to_json() and known(found) == known(real)


def move_on(game: Game, chance: random.Random) -> None:
    """Make a random move, sometimes out of turn (R9.1) or a declined offer."""
    seats = [seat for seat in range(game.players) if game.view(seat).actions]
    seat = chance.choice([game.actor, *seats])
    moves = [str(move) for move in game.view(seat).moves()]
    wanted = [move for move in moves if move == "decline" or move.startswith(("peek", "mend", "take", "reroll"))]
    game.play(chance.choice(wanted if wanted and chance.random() < 0.7 else moves), seat=seat)


games = st.tuples(
    st.integers(1, 4), st.text("AB", min_size=6, max_size=6), st.integers(0, 10**6), st.randoms()
)


def play(players: int, sides: str, seed: int) -> Game:
    return Game.new(players=players, collectors=sides, seed=seed, leader=seed % players)
