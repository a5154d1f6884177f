"""How long people wait for advice: over whole games, and where the end is counted out."""

import time

from benchmarks.figures import Figure
from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.bots.advice import advise
from royalcrypt.search.endgame import is_in_last_round

GAMES = 5
SIDES = ("AAAAAA", "BBBBBB", "ABABAB", "BABABA", "AABBAB")


def figures() -> list[Figure]:
    advise(Game.new(players=2, seed=0).view(0))  # compiles
    found: list[Figure] = []
    for players, called in ((1, "alone"), (2, "two players"), (4, "four players")):
        all_rounds, last_round = waits(players)
        mean = sum(all_rounds) / len(all_rounds)
        found += [
            Figure(f"advice, {called}, on average", mean * 1e3, "ms", at_most=200),
            Figure("the longest", max(all_rounds) * 1e3, "ms"),
            Figure("the longest in the last round", max(last_round) * 1e3, "ms", at_most=1000),
        ]
    return found


def waits(players: int) -> tuple[list[float], list[float]]:
    """Processor seconds for every decision of some games, and for those of the last round."""
    all_rounds: list[float] = []
    last_round: list[float] = []
    greedy = bot_named("greedy")
    for number in range(GAMES):
        game = Game.new(players=players, seed=number, collectors=SIDES[number])
        while game.actor is not None:
            view = game.view(game.actor)
            began = time.process_time()
            advise(view)
            all_rounds.append(time.process_time() - began)
            if is_in_last_round(view.known):
                last_round.append(all_rounds[-1])
            game.play(greedy.choose(view, Budget(seed=number)))
    return all_rounds, last_round
