"""Whole states at every step of some random games, as one digest a game: anything that changes shows."""

import hashlib
import json
from pathlib import Path

from royalcrypt.rules.chance import choose_sides, draw_chance, game_key, keyed_choice
from royalcrypt.rules.layout import CHANCE, NOBODY, blank, dump, no_options
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply, legal_actions, list_any_time

PATH = Path(__file__).parent / "walks.json"
SEEDS = range(6)
CHOICES = 1 << 30


def walk(players: int, seed: int) -> str:
    """Play at random, with actions out of turn; digest every state with its notes."""
    key = game_key(seed, players)
    state, options, sides = blank(), no_options(), [0] * 6
    choose_sides(sides, *key)
    set_up(state, players, sides, seed % players)
    digest = hashlib.blake2b(digest_size=8)
    while state.actor != NOBODY:
        digest.update(json.dumps(dump(state)).encode())
        if state.actor == CHANCE:
            apply(state, CHANCE, draw_chance(state, *key))
            continue
        seat = state.actor
        other = (seat + 1) % state.seats
        count = list_any_time(state, other, options, 0) if state.decisions % 3 == 0 else 0
        if count > 0:
            seat = other
        else:
            count = legal_actions(state, options)
        apply(state, seat, options.codes[keyed_choice(*key, CHOICES + (state.decisions << 8), count)])
    digest.update(json.dumps(dump(state)).encode())
    return digest.hexdigest()


def walks() -> dict[str, str]:
    return {
        f"{players} players, seed {seed}": walk(players, seed) for players in range(1, 5) for seed in SEEDS
    }


def text() -> str:
    return json.dumps(walks(), indent=2) + "\n"
