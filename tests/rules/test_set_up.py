"""Components and set-up (R1, R2)."""

from itertools import product

import pytest

from royalcrypt import Game
from tests.rules.tables import COPIES, LETTERS, Luck, dice, finish

ALL_SIDES = ["".join(sides) for sides in product("AB", repeat=6)]


@pytest.mark.parametrize(("players", "size"), [(1, 24), (2, 24), (3, 36), (4, 48)])
def test_the_deck_depends_on_the_number_of_players(players: int, size: int) -> None:
    """R1.1, R2.1: one of each, values 2 and 3 twice for three players, two of each for four."""
    view = Game.new(players=players, seed=1).view()
    shown = [str(slot.card) for slot in view.row if not slot.is_down]
    for letter in LETTERS:
        for value in (1, 2, 3, 4):
            unseen = view.unseen[letter][value - 1]
            assert unseen + shown.count(f"{letter}{value}") == COPIES[players][value - 1]
    assert view.deck + len(view.row) == size


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_back_of_a_card_shows_its_type_alone(players: int) -> None:
    """R1.2: of a face-down card, and of the top of the deck, all know the type, nobody the value."""
    game = Game.new(players=players, seed=2)
    for viewer in (None, *range(players)):
        view = game.view(viewer)
        assert view.top is not None
        for slot in view.row:
            assert slot.card is not None
            assert slot.card.type in LETTERS
            assert (slot.card.value is None) == slot.is_down


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_everyone_starts_with_three_ready_dice(players: int) -> None:
    """R1.3, R2.4, R10.1: the Ghost too."""
    game = Game.new(players=players, seed=3)
    assert [dice(game, seat) for seat in range(max(2, players))] == [(3, 0)] * max(2, players)
    assert all(seat.held == (0,) * 6 for seat in game.view().seats)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", ALL_SIDES)
def test_all_64_collector_set_ups_can_be_played(players: int, sides: str) -> None:
    """R2.3: each Collector lies on either side."""
    game = Game.new(players=players, collectors=sides, seed=4)
    assert game.collectors == game.view().collectors == sides
    assert finish(game).result() is not None


def test_a_first_game_uses_all_a() -> None:
    """R2.3."""
    assert Game.new(players=2, seed=1).collectors == "AAAAAA"


@pytest.mark.parametrize(
    ("players", "leader", "lights_out"),
    [(1, 0, 0), (2, 0, 0), (2, 1, 1), (3, 0, 2), (3, 1, 0), (3, 2, 1), (4, 0, 3), (4, 2, 1)],
)
def test_lights_out_lies_to_the_leaders_right_and_with_two_the_leader_holds_both(
    players: int, leader: int, lights_out: int
) -> None:
    """R2.5, R10.2."""
    view = Game.new(players=players, leader=leader, seed=5).view()
    assert (view.leader, view.lights_out) == (leader, lights_out)


@pytest.mark.parametrize(
    ("players", "up", "down", "rounds"), [(1, 2, 1, 8), (2, 2, 1, 8), (3, 3, 1, 9), (4, 4, 2, 8)]
)
def test_the_row_and_the_length_of_a_game_depend_on_the_number_of_players(
    players: int, up: int, down: int, rounds: int
) -> None:
    """R4.1, R7.1."""
    game = Game.new(players=players, seed=6)
    view = game.view()
    assert [slot.is_down for slot in view.row].count(False) == up
    assert [slot.is_down for slot in view.row].count(True) == down
    assert view.rounds == rounds
    assert finish(game).view().round == rounds
    assert game.view().deck == 0


def test_cards_are_drawn_face_up_first() -> None:
    """R4.1."""
    game = Game.new(players=4, chance=Luck("I1", "J2", "M3", "P4", "R1", "T2", "P"))
    assert [str(slot.card) for slot in game.view().row] == ["I1", "J2", "M3", "P4", "R?", "T?"]
    assert [slot.is_down for slot in game.view().row] == [False] * 4 + [True] * 2
    assert game.view().top == "P"
