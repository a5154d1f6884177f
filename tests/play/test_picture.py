"""Pictures for notebooks: all that a viewer knows, nothing that they do not, and sound markup."""

import re
from xml.etree import ElementTree as ET

import msgspec
import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.notation.records import Record, Seat
from royalcrypt.play.views import View
from royalcrypt.rules.actions import PEEK

SVG = "{http://www.w3.org/2000/svg}"


def played(players: int, rounds: int, moves: int = 0, collectors: str = "AAAAAA") -> Game:
    """Greedy's, up to a round and some moves into it."""
    game, greedy = Game.new(players=players, seed=3, collectors=collectors), bot_named("greedy")
    while game.actor is not None and (game.round < rounds or moves > 0):
        moves -= game.round >= rounds
        game.play(greedy.choose(game.view(game.actor), Budget()))
    return game


def texts(picture: str) -> list[str]:
    return [found.text or "" for found in ET.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("rounds", [1, 5, 99])
def test_every_game_is_a_sound_picture_with_a_title_and_a_description(players: int, rounds: int) -> None:
    game = played(players, rounds, moves=2, collectors="BABABB")
    for shown in (game, *(game.view(seat) for seat in range(players))):
        root = ET.fromstring(shown._repr_svg_())
        assert root.get("role") == "img"
        assert root.findtext(f"{SVG}title")
        assert root.findtext(f"{SVG}desc")
        assert shown._repr_html_() == shown._repr_svg_()


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_picture_of_a_view_is_drawn_from_what_its_json_tells_and_nothing_else(players: int) -> None:
    """So it cannot show what the view does not know: the JSON is tested for that."""
    game = played(players, 5, moves=1, collectors="BABABB")
    for seat in (None, *range(players)):
        view = game.view(seat)
        read = msgspec.json.decode(view.to_json(), type=View)
        assert read.picture() == view.picture()


def test_a_face_down_card_shows_its_value_to_those_only_who_looked() -> None:
    game, bot = Game.new(players=2, seed=3, collectors="AABAAA"), bot_named("random")
    while PEEK not in game.view(game.actor).actions:
        assert game.actor is not None
        game.play(bot.choose(game.view(game.actor), Budget()))
    looker = game.actor
    assert looker is not None
    assert "?" in coins(game.view(looker).picture())
    game.play("peek")
    assert "?" not in coins(game.view(looker).picture())
    assert "?" in coins(game.view(1 - looker).picture())
    assert "?" in coins(game.picture())


def coins(picture: str) -> list[str]:
    """What stands on the coins of the row."""
    return [found[1] for found in re.finditer(r'font-size="19.2"[^>]*>([^<]+)</text>', picture)]


def test_whoever_likes_to_remember_sees_no_score_but_their_own_and_no_values_of_others() -> None:
    view = played(2, 7).view(0, remembers=False)
    shown = texts(view.picture())
    assert view.scores[1] is None
    assert shown.count("?") > sum(card.value is None for card in view.seats[1].cards)


def test_the_end_shows_the_score_sheet_and_who_won() -> None:
    game = played(3, 99)
    result = game.result()
    assert result is not None
    shown = texts(game.picture())
    assert shown.count("Winner") == len(result["winners"])
    assert {str(score) for score in result["scores"]} <= set(shown)
    assert str(result["breakdown"][0]["treasure"]) in shown


def test_a_tie_has_no_winner_in_a_view_which_does_not_know_how_it_was_broken() -> None:
    view = played(2, 99).view(0)
    tied = msgspec.structs.replace(view, scores=(30, 30))
    assert "Winner" not in texts(tied.picture())
    assert texts(view.picture()).count("Winner") == 1


def test_names_are_written_as_they_are_and_never_as_markup() -> None:
    seats = (Seat("<b>Ada & Bo</b>"), Seat('"Cy"'))
    game = Game.new(players=2, seed=1, seats=seats)
    assert "<b>Ada & Bo</b>" in texts(game.picture())
    assert "<b>" not in game.picture()
    assert "<b>Ada" not in game.record()._repr_html_()


def test_a_long_name_is_drawn_closer_together_and_stays_in_its_room() -> None:
    game = Game.new(players=3, seed=1, seats=(Seat("A" * 60), Seat("B"), Seat("C")))
    found = re.search(r'textLength="([0-9.]+)"[^>]*>A{60}<', game.picture())
    assert found
    assert float(found[1]) < 222


def test_a_record_shows_its_score_sheet() -> None:
    game = played(2, 99)
    shown = game.record()._repr_html_()
    result = game.result()
    assert result is not None
    assert all(f">{score}</td>" in shown for score in result["scores"])
    assert "ABABBA" not in shown
    assert game.collectors in shown


def test_a_record_of_a_running_game_says_so() -> None:
    shown = Game.new(players=2, seed=1).record()._repr_html_()
    assert "not over" in shown
    assert "Player 1" in shown


def test_a_record_with_an_odd_result_is_shown_all_the_same() -> None:
    game = Game.new(players=2, seed=1)
    odd = Record(2, "AAAAAA", 0, game.seats, (), result={"scores": "<i>"})
    assert "&lt;i&gt;" in odd._repr_html_()
