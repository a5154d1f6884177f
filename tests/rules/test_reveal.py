"""Rounds, Reveal and the torches (R3, R4, R7.1)."""

import pytest

from royalcrypt import Game
from royalcrypt.notation.events import Reveal
from tests.rules.tables import Luck, finish, table, told


def test_the_next_row_begins_with_a_card_of_the_type_on_top_of_the_deck() -> None:
    """R1.2, R4.1."""
    game = Game.new(players=2, chance=Luck("I1", "J1", "M1", "P", "P3", "R2", "T4", "I"))
    assert game.view().top == "P"
    for _ in range(3):
        game.play("recover")
    assert [str(slot.card) for slot in game.view().row] == ["P3", "R2", "T?"]
    assert game.view().top == "I"
    assert game.view().deck == 18


def test_a_reveal_tells_round_leader_row_and_face_down_slots() -> None:
    """R4.1, R11.1."""
    game = Game.new(players=3, leader=2, chance=Luck("I1", "J1", "M1", "T2", "P"))
    (reveal,) = game.events
    assert isinstance(reveal, Reveal)
    assert (reveal.round, reveal.leader, reveal.row, reveal.down) == (1, 2, ("I1", "J1", "M1", "T2"), (3,))
    assert reveal.top == "P"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turn_order_starts_with_the_leader_and_goes_to_the_left(players: int) -> None:
    """R3.1, R5.2."""
    game = Game.new(players=players, leader=1, seed=1)
    order: list[int | None] = []
    for _ in range(players):
        order.append(game.actor)
        game.play("recover")
    assert order == [(1 + turn) % players for turn in range(players)]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_both_torches_pass_to_the_left_after_every_round(players: int) -> None:
    """R7.1, R10.2: against the Ghost they alternate as with two players."""
    game = finish(Game.new(players=players, seed=9))
    reveals = told(game.events, "reveal")
    assert [event.leader for event in reveals if isinstance(event, Reveal)] == [
        n % max(2, players) for n in range(game.view().rounds)
    ]


def test_lights_out_moves_with_the_leader() -> None:
    """R7.1."""
    game = table(players=4, leader=3)
    assert (game.view().leader, game.view().lights_out) == (3, 2)
    for _ in range(4):
        game.play("recover")
    assert (game.view().leader, game.view().lights_out) == (0, 3)


def test_in_the_last_round_nothing_lies_on_top_of_the_deck() -> None:
    """R7.1: the game ends after the round in which the deck ran out."""
    game = table(last_round=True, luck=(1, 1, 1, 2, 2, 2))
    assert game.view().top is None
    assert game.view().deck == 0
    assert game.view().round == 8
    for _ in range(3):
        game.play("recover")
    assert game.is_over


def test_the_last_reveal_tells_of_no_top() -> None:
    """R7.1."""
    last = told(finish(Game.new(players=3, seed=2)).events, "reveal")[-1]
    assert isinstance(last, Reveal)
    assert (last.round, last.top) == (9, None)
