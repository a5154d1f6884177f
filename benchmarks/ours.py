"""Our own games, on both carriers, and the friendly floor above them."""

import random
from dataclasses import dataclass
from statistics import mean, median
from time import process_time

from msgspec import json

from royalcrypt import Game
from royalcrypt.bots.plain_bots import RandomBot
from royalcrypt.bots.protocol import Budget
from royalcrypt.notation.events import event_dict
from royalcrypt.play.chance import CommittedChance
from royalcrypt.rules.chance import equal_outcomes, outcome_at
from royalcrypt.rules.layout import CHANCE, NOBODY, blank, copy_of, no_options
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.search.playouts import random_games

RANDOM_GAMES = 6000


@dataclass(frozen=True)
class Rate:
    games: float
    decisions: float
    """Of players, a second."""
    steps: float
    """Decisions of players and of chance, a second."""


def compiled_rate(players: int, seed: int) -> Rate:
    """Random play from the first card to the score, with random sides, in machine code."""
    start = process_time()
    found = random_games(players, RANDOM_GAMES, seed)
    seconds = process_time() - start
    return Rate(
        RANDOM_GAMES / seconds, float(found.decisions.sum()) / seconds, float(found.steps.sum()) / seconds
    )


def plain_step(players: int, seed: int, games: int = 60) -> float:
    """Microseconds a step on plain objects: the legal actions and one of them, or an outcome of chance."""
    rng = random.Random(seed)
    options = no_options()
    steps = 0
    start = process_time()
    for _ in range(games):
        state = blank()
        set_up(state, players, [rng.randrange(2) for _ in range(6)], 0)
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                apply(state, CHANCE, outcome_at(state, int(rng.random() * equal_outcomes(state))))
            else:
                count = legal_actions(state, options)
                apply(state, state.actor, options.codes[int(rng.random() * count)])
            steps += 1
    return (process_time() - start) / steps * 1e6


def copying(copies: int = 2000) -> float:
    """Microseconds to copy a plain state."""
    state = blank()
    start = process_time()
    for _ in range(copies):
        copy_of(state)
    return (process_time() - start) / copies * 1e6


def views(players: int, seed: int, repeats: int = 5) -> tuple[float, float]:
    """Microseconds for a view with beliefs and legal actions: over a game, the mean and the most."""
    game = Game.new(players=players, collectors="BABBAB", seed=seed)
    bot, budget = RandomBot(), Budget(seed=seed)
    found: list[float] = []
    while game.actor is not None:
        times: list[float] = []
        for _ in range(repeats):
            start = process_time()
            game.view(seat=game.actor)
            times.append((process_time() - start) * 1e6)
        found.append(median(times))
        game.play(bot.choose(game.view(seat=game.actor), budget))
    return mean(found), max(found)


def live(players: int, seed: int, games: int = 3) -> tuple[float, float]:
    """Microseconds for a move at a live table, and to tell a seat of it: its view and the events as JSON."""
    bot, budget = RandomBot(), Budget(seed=seed)
    moving = telling = 0.0
    moves = 0
    for number in range(games):
        chance = CommittedChance(bytes([seed, number] * 16), entropy=("5eed" * 8,) * players)
        game = Game.new(players=players, collectors="BABBAB", chance=chance)
        while game.actor is not None:
            move = bot.choose(game.view(seat=game.actor), budget)
            start = process_time()
            after = game.tried(move)
            moved = process_time()
            for seat in range(players):
                tell(after, seat, since=len(game.events))
            telling += process_time() - moved
            moving += moved - start
            moves += 1
            game = after
    return moving / moves * 1e6, telling / moves / players * 1e6


def tell(game: Game, seat: int, *, since: int) -> tuple[bytes, bytes]:
    told = game.events_for(seat, game.events[since:])
    return game.view(seat).to_json(), json.encode(
        [event_dict(event, n) for n, event in enumerate(told, since)]
    )
