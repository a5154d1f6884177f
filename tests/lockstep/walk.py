"""One random game on both carriers at once; run as a program, it walks many (see ``test_lockstep``)."""

import random
import sys
from typing import Any, cast

import numpy as np

from royalcrypt.rules.chance import draw_chance
from royalcrypt.rules.claims import count_placements, placement_at
from royalcrypt.rules.layout import (
    CHANCE,
    NOBODY,
    NOTES,
    Ints,
    Options,
    State,
    blank,
    copy_of,
    dump,
    no_options,
)
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import action_at, apply, count_actions, is_claiming, legal_actions, list_any_time
from royalcrypt.rules.views import conceal, forget
from royalcrypt.search.backend import STATE, blank_record, no_options_record
from royalcrypt.search.compilation import compiled

OUT_OF_TURN = 0.3
LOOKING = 0.02


def same(plain: State, record: State) -> None:
    """Whole states, with their notes: a store that wraps would not show in the score."""
    assert dump(plain) == dump(record)


def listed(options: Options, count: int) -> list[int]:
    return [int(options.codes[index]) for index in range(count)]


def walk(players: int, seed: int) -> int:
    """Play a game of this seed; return its number of steps."""
    rng = random.Random(f"{players} {seed}")
    sides = [rng.randrange(2) for _ in range(6)]
    leader = 0 if players == 1 else rng.randrange(players)
    plain, record = blank(), blank_record()
    set_up(plain, players, sides, leader)
    compiled(set_up)(record, players, cast("Ints", np.array(sides, np.int16)), leader)
    same(plain, record)
    steps = 0
    while plain.actor != NOBODY:
        seat, action = _chance(plain, record, seed) if plain.actor == CHANCE else _choice(plain, record, rng)
        if rng.random() < LOOKING:
            _look(plain, record, rng.randrange(5))
        apply(plain, seat, action)
        compiled(apply)(record, seat, action)
        same(plain, record)
        steps += 1
    assert plain.noted <= NOTES
    return steps


def _chance(plain: State, record: State, seed: int) -> tuple[int, int]:
    outcome = draw_chance(plain, seed, 7)
    assert compiled(draw_chance)(record, seed, 7) == outcome
    return CHANCE, outcome


def _choice(plain: State, record: State, rng: random.Random) -> tuple[int, int]:
    """An action of the actor, or one that another seat may do at any time (R9.1)."""
    actions = _legal(plain, record)
    for seat in range(plain.seats):
        offered = _any_time(plain, record, seat)
        if seat != plain.actor and offered and rng.random() < OUT_OF_TURN:
            return seat, rng.choice(offered)
    return plain.actor, rng.choice(actions)


def _legal(plain: State, record: State) -> list[int]:
    """The one list, and what is counted and picked without writing it, on both carriers."""
    options, buffer = no_options(), no_options_record()
    actions = listed(options, legal_actions(plain, options))
    assert actions
    assert listed(buffer, compiled(legal_actions)(record, buffer)) == actions
    assert count_actions(plain, options) == compiled(count_actions)(record, buffer) == len(actions)
    indices = range(len(actions))
    assert [action_at(plain, options, index) for index in indices] == actions
    assert [compiled(action_at)(record, buffer, index) for index in indices] == actions
    if is_claiming(plain):
        placements = range(count_placements(plain, plain.actor))
        assert [placement_at(plain, plain.actor, index) for index in placements] == actions[: len(placements)]
    return actions


def _any_time(plain: State, record: State, seat: int) -> list[int]:
    options, buffer = no_options(), no_options_record()
    offered = listed(options, list_any_time(plain, seat, options, 0))
    assert listed(buffer, compiled(list_any_time)(record, seat, buffer, 0)) == offered
    return offered


def _look(plain: State, record: State, viewer: int) -> None:
    """What a viewer may know, or need not remember, is concealed alike; the true states stay."""
    concealed = copy_of(plain)
    rows: Any = np.zeros(1, STATE)
    rows[0] = record
    for take_out in (conceal, forget):
        take_out(concealed, viewer)
        compiled(take_out)(cast("State", rows[0]), viewer)
        same(concealed, rows[0])


if __name__ == "__main__":
    for game in range(int(sys.argv[1])):
        walk(1 + game % 4, game)
