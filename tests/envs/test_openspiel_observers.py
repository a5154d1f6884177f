"""Observers write every piece, for every kind of observation of OpenSpiel."""

from typing import Any

import numpy as np
import pytest

from royalcrypt.envs.openspiel.tables import copy_known, state_in
from royalcrypt.notation.cards import card_of
from royalcrypt.rules.layout import SPECTATOR, dump
from royalcrypt.rules.views import conceal
from royalcrypt.search.compilation import compiled
from tests.envs.spiel import load, played, spiel

NO_PLAYER = spiel.PrivateInfoType.NONE
ONE_PLAYER = spiel.PrivateInfoType.SINGLE_PLAYER
ALL_PLAYERS = spiel.PrivateInfoType.ALL_PLAYERS


def observer_of(game: Any, *, public: bool, private: Any, recall: bool = False) -> Any:
    wanted = spiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
    return game.make_py_observer(wanted)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("recall", [False, True])
@pytest.mark.parametrize("private", [NO_PLAYER, ONE_PLAYER, ALL_PLAYERS], ids=lambda one: one.name)
@pytest.mark.parametrize("public", [False, True])
def test_every_kind_of_observation_fills_its_pieces(
    public: bool, private: Any, recall: bool, players: int
) -> None:
    game = load(players, "BABBAB")
    seeing = observer_of(game, public=public, private=private, recall=recall)
    assert sum(piece.size for piece in seeing.dict.values()) == seeing.tensor.size
    state = None
    for state in played(game, seed=1):
        seeing.set_from(state, 1)
        assert np.isfinite(seeing.tensor).all()
        pieces = [number for piece in seeing.dict.values() for number in piece.ravel().tolist()]
        assert pieces == seeing.tensor.tolist()
    assert bool(seeing.string_from(state, 1)) == (public or private != NO_PLAYER)
    assert ("story" in seeing.dict) == (public and recall)


def test_public_information_is_equal_for_all_and_private_information_is_not() -> None:
    game = load(3, "ABABAB")
    public = observer_of(game, public=True, private=NO_PLAYER)
    private = observer_of(game, public=False, private=ONE_PLAYER)
    everything = observer_of(game, public=True, private=ALL_PLAYERS)
    secrets = 0
    for state in played(game, seed=2):
        assert len({public.string_from(state, player) for player in range(3)}) == 1
        assert len({everything.string_from(state, player) for player in range(3)}) == 1
        for player in range(3):
            known = state_in(state.memory)
            conceal(known, player)
            spectators = state_in(state.memory)
            conceal(spectators, SPECTATOR)
            hidden = [
                f"card {card + 1} is {card_of(known, card)}"
                for card in range(known.drawn)
                if known.card_value[card] != spectators.card_value[card]
            ]
            secrets += len(hidden)
            assert private.string_from(state, player).splitlines()[1] == (", ".join(hidden) or "no secrets")
    assert secrets > 0


def test_pieces_count_seats_from_the_observer() -> None:
    game = load(2, "BABBAB")
    state = game.new_initial_state()
    for action in (2, 5, 13, 3):  # I3, J2, P2 face-down, P on top
        state.apply_action(action)
    state.apply_action(state.string_to_action("1:2x3"))
    seeing = game.make_py_observer()
    seeing.set_from(state, 1)
    pieces = seeing.dict
    assert pieces["player"].tolist() == [0, 1]
    assert (pieces["actor"].tolist(), pieces["leader"].tolist()) == ([0, 1], [0, 1])
    assert pieces["sides"].tolist() == [1, 0, 1, 1, 0, 1]
    assert pieces["row"][0, :11].tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert pieces["row"][0, 11:].tolist() == pytest.approx([0, 1, 2 / 3, 3 / 6, 0])
    assert pieces["row"][2, :11].tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]
    assert pieces["seats"][:, 0].tolist() == pytest.approx([1, 1 / 3])
    assert pieces["top"].tolist() == [0, 0, 0, 1, 0, 0]
    assert pieces["unseen"][3].tolist() == [0.5, 0.5, 0.5, 0.5]
    assert pieces["unseen"][0].tolist() == [0.5, 0.5, 0, 0.5]
    assert pieces["last_slot"].tolist() == [1, 0, 0]


def test_a_concealed_table_holds_a_concealed_state() -> None:
    known = np.zeros_like(load(4).start)
    for state in played(load(4, "BBBBBB"), seed=7):
        for player in (*range(4), SPECTATOR):
            compiled(copy_known)(state.memory, known, player)
            wanted = state_in(state.memory)
            conceal(wanted, player)
            assert dump(state_in(known)) == dump(wanted)


def test_observers_take_no_parameters() -> None:
    with pytest.raises(spiel.SpielError, match="observers take no parameters"):
        load().make_py_observer(None, {"relative": True})
