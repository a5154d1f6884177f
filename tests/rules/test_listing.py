"""Legal actions: listed, counted, and found by their number."""

import pytest

from royalcrypt.play.chance import SeededChance
from royalcrypt.rules.layout import CHANCE, NOBODY, State, blank, no_options
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import action_at, apply, count_actions, legal_actions
from tests.golden.player import Player, open_to
from tests.rules.tables import finish, table


def listed(state: State) -> list[int]:
    options = no_options()
    return [options.codes[index] for index in range(legal_actions(state, options))]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", [(0, 0, 0, 0, 0, 0), (1, 0, 1, 1, 0, 1), (0, 1, 1, 1, 0, 0)])
def test_the_action_at_a_number_is_the_one_the_list_has_there(players: int, sides: tuple[int, ...]) -> None:
    player, chance, state = Player(players), SeededChance(3), blank()
    set_up(state, players, list(sides), 0)
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            apply(state, CHANCE, chance.outcome(state))
            continue
        legal = listed(state)
        options = no_options()
        assert count_actions(state, options) == len(legal) > 0
        assert [action_at(state, options, index) for index in range(len(legal))] == legal == sorted(legal)
        apply(state, state.actor, player.decide(open_to(state, state.actor)))


def test_nobody_has_a_legal_action_once_the_game_is_over() -> None:
    assert listed(finish(table(collections=("I4", "T1"), last_round=True)).state) == []


def test_nobody_has_a_legal_action_at_chances_turn() -> None:
    state = blank()
    set_up(state, 2, [0] * 6, 0)
    assert state.actor == CHANCE
    assert listed(state) == []
