"""What a seat is told of a running game is enough to set up all that it knows."""

import json

import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.imagining import imagined
from royalcrypt.play.reconstruction import reconstructed
from royalcrypt.rules.layout import numbers_of


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", ["AAAAAA", "BBBBBB", "ABBBAB"])
def test_a_reconstructed_game_gives_the_seat_the_views_of_the_real_one(players: int, sides: str) -> None:
    game = Game.new(players=players, collectors=sides, seed=players)
    bot = bot_named("random")
    while not game.is_over:
        seat = game.actor
        assert seat is not None
        view = game.view(seat)
        twin = reconstructed(json.loads(game.record_for(seat).to_json())).view(seat)
        assert twin == view
        assert numbers_of(twin.known) == numbers_of(view.known)
        game.play(bot.choose(view, Budget(seed=len(game.moves))))


def test_offers_that_were_let_pass_are_so_to_a_seat_that_knows_how_many_decisions_were_made() -> None:
    """They leave no trace in a record, by which somebody would still be to decide."""
    bot, passed = bot_named("random"), 0
    for seed in range(30):
        game = Game.new(players=2, collectors="BBBBBB", seed=seed)
        while not game.is_over:
            seat = game.actor
            assert seat is not None
            view = game.view(seat)
            told = json.loads(game.record_for(seat).to_json())
            assert reconstructed(told, decisions=view.decisions).view(seat) == view
            passed += reconstructed(told).view(seat) != view
            moves = [str(move) for move in view.moves()]
            chosen = bot.choose(view, Budget(seed=len(game.moves)))
            game.play("decline" if "decline" in moves else chosen)
    assert passed, "it came to that"


def test_what_is_no_seats_record_is_refused() -> None:
    game = Game.new(players=2, seed=1)
    for record in (game.record_for(None), game.record()):
        with pytest.raises(Refusal) as caught:
            reconstructed(json.loads(record.to_json()))
        assert caught.value.reason is Reason.NOT_A_RECORD


def test_a_record_of_no_possible_game_is_refused() -> None:
    game = Game.new(players=2, seed=1)
    told = json.loads(game.record_for(0).to_json())
    told["events"].append({"n": 1, "type": "recover", "seat": 0, "dice": 3})
    with pytest.raises(Refusal) as caught:
        reconstructed(told)
    assert caught.value.reason is Reason.VIEWERS_RECORD


def test_the_documented_name_stays() -> None:
    assert imagined is reconstructed
