"""Light players play by the rules, alike on both carriers, and better than chance."""

import random
from typing import cast

import numpy as np
import pytest

from royalcrypt.rules.chance import draw_chance, game_key
from royalcrypt.rules.layout import CHANCE, NOBODY, Ints, State, blank, no_options
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.search.backend import blank_record, no_options_record
from royalcrypt.search.compilation import compiled
from royalcrypt.search.light_play import light_action
from royalcrypt.search.simulation import advance, random_action


def legal(state: State) -> list[int]:
    options = no_options()
    return [options.codes[index] for index in range(legal_actions(state, options))]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_light_players_are_legal_and_both_carriers_agree(players: int) -> None:
    rng = random.Random(players)
    for game in range(16):
        sides = [rng.randrange(2) for _ in range(6)]
        plain, record, key = blank(), blank_record(), game_key(players, game)
        set_up(plain, players, sides, 0)
        compiled(set_up)(record, players, cast("Ints", np.array(sides, np.int16)), 0)
        while plain.actor != NOBODY:
            action = 0
            if plain.actor != CHANCE:
                action = light_action(plain, no_options(), *key)
                assert action in legal(plain)
                assert compiled(light_action)(record, no_options_record(), *key) == action
            advance(plain, action, *key)
            compiled(advance)(record, action, *key)


def test_a_light_player_beats_a_random_one() -> None:
    won = 0
    for game in range(40):
        state, options, key = blank(), no_options(), game_key(9, game)
        set_up(state, 2, [game >> bit & 1 for bit in range(6)], 0)
        light = game % 2
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                apply(state, CHANCE, draw_chance(state, *key))
            else:
                choose = light_action if state.actor == light else random_action
                apply(state, state.actor, choose(state, options, *key))
        won += state.players[light].is_contender
    assert won >= 36
