"""The end: score, winners, ties, places (R7)."""

from typing import Any

import pytest

from royalcrypt import Game
from royalcrypt.notation.events import End, Tiebreak
from tests.rules.tables import finish, table, told

NO_BONUS = "ABBBAB"
"""Sides on which one Idol, Manuscript, Pottery, Remains or Tapestry pays nothing."""


def result_of(game: Game) -> dict[str, Any]:
    result = game.result()
    assert result is not None
    return result


def last_collect(row: str, *faces: int, players: int, collections: tuple[str, ...]) -> Game:
    """The last turn of the last round passes; what then is rolled for the row is ``faces``, then the tie."""
    turn = max(3, players) - 1
    game = table(
        players=players,
        sides=NO_BONUS,
        row=row,
        collections=collections,
        turn=turn,
        last_round=True,
        luck=faces,
    )
    game.play("recover")
    assert game.is_over
    return game


def test_the_score_is_coins_and_bonuses_and_dice_that_are_not_exhausted() -> None:
    """R7.2: flipped cards count like the others."""
    game = table(
        sides="ABAAAA",
        collections=("J4! J1 P3 P2? R4", "T2"),
        row="J3=b3x6 J2 vM2",
        turn=2,
        last_round=True,
        luck=(1, 6, 1),
    )
    game.play("recover")
    result = result_of(game)
    assert result["breakdown"][0] == {
        "treasure": 14,
        "collectors": {"idol": 0, "jewelry": 2, "manuscript": 0, "pottery": 2, "remains": 0, "tapestry": 0},
        "servants": 3,
    }
    assert result["breakdown"][1] == {
        "treasure": 5,
        "collectors": {"idol": 0, "jewelry": 1, "manuscript": 0, "pottery": 0, "remains": 0, "tapestry": 5},
        "servants": 1,
    }
    assert result["scores"] == [21, 12]
    assert (result["places"], result["winners"], result["title"]) == ([1, 2], [0], None)


def test_the_end_is_told_with_scores_and_winners() -> None:
    """R7.2."""
    game = finish(table(sides=NO_BONUS, collections=("I1", "I2"), last_round=True))
    assert game.events[-1] == End(scores=(4, 5), winners=(1,))
    assert game.actor is None


def test_all_cards_are_known_when_the_game_is_over() -> None:
    """R10.6, R11: there is nothing left to hide."""
    game = finish(table(collections=("I1?", "I2?"), discards="J1?", last_round=True))
    for viewer in (None, 0, 1):
        view = game.view(viewer)
        assert all(card.value for seat in view.seats for card in seat.cards)
        assert all(card.value for card in view.discards)


def test_tied_players_roll_all_their_unexhausted_dice_and_the_highest_sum_wins() -> None:
    """R7.3: here three dice against two."""
    game = last_collect("R4=a1x6 T3 vM2", 1, 5, 6, 4, 4, 4, players=2, collections=("", "P3"))
    assert result_of(game)["scores"] == [6, 6]
    assert told(game.events, "tiebreak") == [Tiebreak({0: (5, 6), 1: (4, 4, 4)})]
    assert result_of(game)["winners"] == [1]
    assert result_of(game)["places"] == [2, 1]


def test_those_still_tied_roll_again() -> None:
    """R7.3."""
    game = table(
        sides=NO_BONUS, collections=("I1", "T1"), last_round=True, luck=(1, 2, 3, 3, 2, 1, 1, 1, 1, 1, 1, 2)
    )
    finish(game)
    assert told(game.events, "tiebreak") == [
        Tiebreak({0: (1, 2, 3), 1: (3, 2, 1)}),
        Tiebreak({0: (1, 1, 1), 1: (1, 1, 2)}),
    ]
    assert result_of(game)["winners"] == [1]


def test_who_was_beaten_in_a_three_way_tie_does_not_roll_again() -> None:
    """R7.3."""
    game = table(
        players=3,
        sides=NO_BONUS,
        collections=("I1", "T1", "P1"),
        last_round=True,
        luck=(6, 6, 6, 1, 1, 1, 6, 6, 6, 1, 1, 1, 2, 2, 2),
    )
    finish(game)
    assert told(game.events, "tiebreak") == [
        Tiebreak({0: (6, 6, 6), 1: (1, 1, 1), 2: (6, 6, 6)}),
        Tiebreak({0: (1, 1, 1), 2: (2, 2, 2)}),
    ]
    assert result_of(game)["winners"] == [2]
    assert result_of(game)["places"] == [2, 2, 1]


def test_a_beaten_contender_stays_ahead_of_those_who_scored_less() -> None:
    """R7.3: 1 + the number of players who won or scored more."""
    game = table(
        players=4,
        sides=NO_BONUS,
        collections=("I2", "T2", "P1", "R2"),
        last_round=True,
        luck=(1, 1, 1, 6, 6, 6, 2, 2, 2),
    )
    finish(game)
    assert result_of(game)["scores"] == [5, 5, 4, 5]
    assert result_of(game)["winners"] == [1]
    assert result_of(game)["places"] == [2, 1, 4, 2]


def test_ties_below_the_first_place_are_shared_and_not_rolled() -> None:
    """R7.3."""
    game = finish(table(players=4, sides=NO_BONUS, collections=("I1", "T4", "P1", "R1"), last_round=True))
    assert told(game.events, "tiebreak") == []
    assert result_of(game)["places"] == [2, 1, 2, 2]


def test_places_below_a_shared_place_count_all_ahead() -> None:
    """R7.3."""
    game = finish(table(players=4, sides=NO_BONUS, collections=("I2", "T4", "P2", "R1"), last_round=True))
    assert result_of(game)["places"] == [2, 1, 2, 4]


def test_a_tied_player_without_dice_counts_0() -> None:
    """R7.3."""
    game = last_collect("R4=a3x6 T3 vM2", 1, 1, 1, 1, 1, 1, players=2, collections=("", "P1"))
    assert result_of(game)["scores"] == [4, 4]
    assert told(game.events, "tiebreak") == [Tiebreak({0: (), 1: (1, 1, 1)})]
    assert result_of(game)["winners"] == [1]


def test_tied_players_who_all_have_no_dice_share_the_win() -> None:
    """R7.3, section 12."""
    game = last_collect("R4=a3x6 T4=b3x6 P1 vM2", *[1] * 6, players=3, collections=("", "", ""))
    assert result_of(game)["scores"] == [4, 4, 3]
    assert told(game.events, "tiebreak") == []
    assert result_of(game)["winners"] == [0, 1]
    assert result_of(game)["places"] == [1, 1, 3]
    assert game.events[-1] == End(scores=(4, 4, 3), winners=(0, 1))


def test_of_several_tied_players_those_without_dice_lose_to_one_with_dice() -> None:
    """R7.3."""
    game = last_collect("R4=a3x6 T4=b3x6 P1 vM2", *[1] * 9, players=3, collections=("", "", "R1"))
    assert result_of(game)["scores"] == [4, 4, 4]
    assert told(game.events, "tiebreak") == [Tiebreak({0: (), 1: (), 2: (1, 1, 1)})]
    assert result_of(game)["winners"] == [2]
    assert result_of(game)["places"] == [2, 2, 1]


def test_four_can_tie_and_be_whittled_down() -> None:
    """R7.3."""
    equal = (2, 2, 2)
    game = table(
        players=4,
        sides=NO_BONUS,
        collections=("I1", "T1", "P1", "R1"),
        last_round=True,
        luck=(*equal, *equal, *equal, 1, 1, 1, *equal, *equal, 1, 1, 3, *equal, 6, 1, 1),
    )
    finish(game)
    rounds = told(game.events, "tiebreak")
    assert [sorted(event.rolled) for event in rounds if isinstance(event, Tiebreak)] == [
        [0, 1, 2, 3],
        [0, 1, 2],
        [0, 1],
    ]
    assert result_of(game)["winners"] == [1]
    assert result_of(game)["places"] == [2, 1, 2, 2]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deck_runs_out_exactly_at_the_end(players: int) -> None:
    """R7.1."""
    game = finish(Game.new(players=players, seed=players))
    assert game.view().deck == 0
    assert sum(sum(odds) for odds in game.view().unseen.values()) == 0
