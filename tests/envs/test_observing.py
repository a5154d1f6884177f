"""Observations hold what a seat may know, plain and compiled alike, under the right names."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from royalcrypt.envs import observations
from royalcrypt.envs.games import CompiledGames, EnvConfig
from royalcrypt.envs.observations import SEAT, SLOT, TABLE, layout_for, observe
from royalcrypt.notation.cards import LETTERS, SIDES
from royalcrypt.play.views import view_of
from royalcrypt.rules.cards import IN_CRYPT, kind_of
from royalcrypt.rules.layout import State, copy_of
from royalcrypt.rules.views import conceal
from royalcrypt.search.backend import record_of
from tests.envs.playing import chosen, states

PLAYERS = [1, 2, 3, 4]
GAMES = 6


def observed(state: State, seat: int) -> Any:
    numbers: Any = np.full(layout_for(state.seats).size, 9, np.int8)
    observe(state, seat, numbers)
    return numbers


def concealed(state: State, seat: int) -> State:
    known = copy_of(state)
    conceal(known, seat)
    return known


def leaks(players: int) -> int:
    """Count positions in which the full and the concealed state give different observations."""
    found = 0
    for seed in range(GAMES):
        for state in states(players, seed):
            for seat in range(players):
                found += not np.array_equal(observed(state, seat), observed(concealed(state, seat), seat))
    return found


@pytest.mark.parametrize("players", PLAYERS)
def test_the_full_state_gives_the_same_observation_as_the_concealed_one(players: int) -> None:
    assert leaks(players) == 0


def always(state: State, seat: int, card: int) -> bool:
    return True


def values_of_all(state: State, viewer: int, numbers: Any, seats_at: int) -> None:
    """A leak that shows only in counts: hidden cards are subtracted from the unseen ones."""
    observe_cards(state, viewer, numbers, seats_at)
    for card in range(state.drawn):
        if state.card_place[card] == IN_CRYPT and state.card_value[card]:
            numbers[observations.UNSEEN + kind_of(state.card_type[card], state.card_value[card])] = 0


observe_cards = observations.observe_cards


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(("name", "leak"), [("knows", always), ("observe_cards", values_of_all)])
def test_planted_leaks_are_found(
    players: int, name: str, leak: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observations, name, leak)
    assert leaks(players) > 0


@pytest.mark.parametrize("players", PLAYERS)
def test_plain_and_compiled_observations_are_equal(players: int) -> None:
    games = CompiledGames(EnvConfig(players), 1, is_endless=False)
    for state in states(players, 7):
        games.board[1] = record_of(state)
        for seat in range(players):
            assert games.observe(0, seat).tolist() == observed(state, seat).tolist()


@pytest.mark.parametrize("players", PLAYERS)
def test_every_number_is_within_its_bounds_and_every_piece_occurs(players: int) -> None:
    layout = layout_for(players)
    highest = np.zeros(layout.size, np.int8)
    for seed in range(8):
        for state in states(players, seed):
            numbers = observed(state, 0)
            assert (numbers >= 0).all()
            assert (numbers <= np.array(layout.most)).all()
            np.maximum(highest, numbers, out=highest)
    never = {name for name, part in layout.pieces(highest).items() if not part.any()}
    assert never == (set() if players == 1 else {"ghost_pushed"})


@pytest.mark.parametrize("players", PLAYERS)
def test_pieces_agree_with_the_view(players: int) -> None:
    for state in states(players, 3):
        for seat in range(players):
            view = view_of(copy_of(state), seat)
            pieces = layout_for(players).pieces(observed(state, seat))
            order = [(seat + left) % len(view.seats) for left in range(len(view.seats))]
            assert pieces["round"] == view.round
            assert pieces["deck"] == view.deck
            assert [SIDES[side] for side in pieces["sides"]] == list(view.collectors)
            assert [LETTERS[kind] for kind in np.flatnonzero(pieces["top"])] == list(view.top or "")
            assert pieces["unseen"].reshape(6, 4).tolist() == [
                list(view.unseen[letter]) for letter in LETTERS
            ]
            assert pieces["slot_value"].tolist() == [
                slot.card.value or 0 if slot.card else 0 for slot in view.row
            ]
            assert pieces["slot_dice"].tolist() == [slot.dice for slot in view.row]
            assert pieces["seat_ready"].tolist() == [view.seats[other].ready for other in order]
            assert pieces["seat_held"].tolist() == [list(view.seats[other].held) for other in order]
            assert pieces["seat_acts"].tolist() == [int(view.actor == other) for other in order]
            assert pieces["seat_leads"].tolist() == [int(view.leader == other) for other in order]
            for place, other in enumerate(order):
                known = [card for card in view.seats[other].cards if card.value]
                kinds = [kind_of(LETTERS.index(card.type), card.value or 0) for card in known]
                assert pieces["seat_cards"][place].tolist() == np.bincount(kinds, minlength=24).tolist()


@pytest.mark.parametrize("players", PLAYERS)
def test_pieces_are_numpy_views_that_cover_the_whole_row(players: int) -> None:
    layout = layout_for(players)
    row: Any = np.arange(layout.size)
    pieces = layout.pieces(row)
    assert [*pieces] == [piece.name for piece in TABLE + SLOT + SEAT]
    assert sorted(number for part in pieces.values() for number in np.ravel(part)) == row.tolist()
    for piece in TABLE + SLOT + SEAT:
        assert np.shape(pieces[piece.name]) == layout.shape_of(piece)
    pieces["slot_value"][1] = -1
    assert (row == -1).sum() == 1
    stacked = layout.pieces(np.stack([row, row]))
    assert stacked["seat_cards"].shape == (2, *layout.shape_of(SEAT[-1]))


def test_the_mask_shows_the_legal_actions_and_no_others() -> None:
    games = CompiledGames(EnvConfig(3, "BABBAB"), 1, is_endless=False)
    games.begin(5, 0)
    rng = random.Random(1)
    while games.actors[0] >= 0:
        view = view_of(games.state(0), int(games.actors[0]))
        assert tuple(np.flatnonzero(games.masks[0]).tolist()) == view.actions
        games.step(np.array([chosen(games.masks[0], rng)]))
    assert not games.masks.any()
