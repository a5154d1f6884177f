"""A fixed player for golden games: no good one, but it tries every rule it meets."""

import random

from royalcrypt import Game, Move
from royalcrypt.rules.actions import DONE, MEND, PEEK, RECOVER, TAKE, placed_dice
from royalcrypt.rules.layout import State, no_options
from royalcrypt.rules.turns import apply, is_under_way, legal_actions, list_any_time


class Player:
    """Decides by a fixed stream of numbers, equal on every machine."""

    def __init__(self, seed: int) -> None:
        self.stream = random.Random(seed)

    def chance(self) -> float:
        return self.stream.random()

    def pick(self, codes: list[int]) -> int:
        return codes[int(self.chance() * len(codes))]

    def next_move(self, game: Game) -> tuple[int, Move]:
        """A seat and its move: mostly the actor's, now and then another's out of turn (R9.1)."""
        state = game.state
        for seat in range(game.players):
            if seat != state.actor and open_to(state, seat) and self.chance() < 0.5:
                return seat, self._spell(state, seat)
        return state.actor, self._spell(state, state.actor)

    def _spell(self, state: State, seat: int) -> Move:
        codes: list[int] = []
        while not codes or is_under_way(state, seat):
            codes.append(self.decide(open_to(state, seat)))
            apply(state, seat, codes[-1])
        return Move.from_codes(codes)

    def decide(self, legal: list[int]) -> int:
        rewards = [code for code in legal if code in (PEEK, MEND) or code >= TAKE]
        if rewards and self.chance() < 0.8:
            return self.pick(rewards)
        modest = [code for code in legal if code >= DONE or placed_dice(code) == 1]
        if RECOVER in legal and self.chance() < 0.15:
            return RECOVER
        return self.pick(modest if self.chance() < 0.5 else legal)


def open_to(state: State, seat: int) -> list[int]:
    """The small decisions of a seat, in or out of turn."""
    options = no_options()
    own = seat == state.actor
    count = legal_actions(state, options) if own else list_any_time(state, seat, options, 0)
    return [options.codes[index] for index in range(count)]


def play_out(game: Game, seed: int) -> Game:
    player = Player(seed)
    while not game.is_over:
        seat, move = player.next_move(game)
        game.play(move, seat=seat)
    return game
