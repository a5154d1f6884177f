"""Random games for the laws: any number of players, any sides, out-of-turn actions included."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from royalcrypt import Game, Move
from royalcrypt.play.chance import SeededChance
from royalcrypt.play.rulings import legal_codes
from royalcrypt.rules.layout import State, copy_of
from royalcrypt.rules.turns import apply, is_under_way


@dataclass(frozen=True)
class Line:
    """A game to be played: set-up, seed, and how many moves."""

    players: int
    collectors: str
    leader: int
    seed: int
    moves: int

    def begin(self) -> Game:
        return Game.new(
            players=self.players,
            collectors=self.collectors,
            leader=self.leader,
            chance=SeededChance(self.seed),
        )


@st.composite
def lines(draw: st.DrawFn, most_moves: int = 60) -> Line:
    players = draw(st.integers(1, 4))
    return Line(
        players=players,
        collectors=draw(st.text("AB", min_size=6, max_size=6)),
        leader=draw(st.integers(0, players - 1)) if players > 1 else 0,
        seed=draw(st.integers(0, 2**32)),
        moves=draw(st.integers(0, most_moves)),
    )


def random_codes(state: State, seat: int, rng: random.Random) -> list[int]:
    """Small decisions of one whole action."""
    state = copy_of(state)
    codes: list[int] = []
    while not codes or is_under_way(state, seat):
        legal = legal_codes(state, seat)
        rewards = [code for code in legal if code >= 110]
        codes.append(rng.choice(rewards if rewards and rng.random() < 0.4 else legal))
        apply(state, seat, codes[-1])
    return codes


def random_move(game: Game, rng: random.Random) -> tuple[int, Move]:
    """A move of the actor, or now and then of somebody out of turn (R9.1)."""
    state = game.state
    seats = [seat for seat in range(game.players) if seat != game.actor and legal_codes(state, seat)]
    seat = rng.choice(seats) if seats and rng.random() < 0.5 else state.actor
    return seat, Move.from_codes(random_codes(state, seat, rng))


def played(line: Line) -> Iterator[Game]:
    """The game before the first move and after each one, up to the line's length or the end."""
    rng = random.Random(line.seed)
    game = line.begin()
    yield game
    for _ in range(line.moves):
        if game.is_over:
            return
        seat, move = random_move(game, rng)
        game.play(move, seat=seat)
        yield game


def played_to_end(line: Line) -> Game:
    *_, game = played(line)
    return game


BRANCHES = 3


def twins(line: Line, rng: random.Random) -> Iterator[Game]:
    """Games that go their own ways from one beginning, in turns, with moves taken back."""
    games = [line.begin()]
    for _ in range(line.moves):
        branch = rng.randrange(len(games))
        game = games[branch]
        yield game
        if game.moves and (game.is_over or rng.random() < 0.1):
            game.undo()
            continue
        if len(games) < BRANCHES and rng.random() < 0.2:
            games.append(game.clone())
        seat, move = random_move(game, rng)
        games[branch] = game.tried(move, seat=seat)
