"""Prints films of random games, one a line, as the server answers them: for the tests of the page.

``python -m tests.play.films 1000 7``: so many, of games that begin with this seed.
"""

import random
import sys

from royalcrypt import Game, Seat
from royalcrypt.live.operations.replays import replay_json
from royalcrypt.play.playback import Viewer
from tests.golden.player import play_out

NAMES = (Seat("Ada"), Seat("Bo", "bot:greedy"), Seat("Cleo"), Seat("Dan", "bot:random"))


def game_numbered(number: int) -> Game:
    """Company, Collectors and leader differ from game to game; the player tries every rule it meets."""
    chance = random.Random(number)
    players = 1 + number % 4
    game = Game.new(
        players=players,
        collectors="".join(chance.choices("AB", k=6)),
        leader=0 if players == 1 else chance.randrange(players),
        seed=number,
        seats=NAMES[:players],
    )
    return play_out(game, number)


def viewer_numbered(number: int, players: int) -> Viewer:
    eyes: list[Viewer] = [*range(players), "spectator", "all"]
    return eyes[number // 4 % len(eyes)]


def main() -> None:
    count, seed = map(int, sys.argv[1:])
    for number in range(seed, seed + count):
        game = game_numbered(number)
        sys.stdout.buffer.write(replay_json(game.record(), viewer_numbered(number, game.players)) + b"\n")


if __name__ == "__main__":
    main()
