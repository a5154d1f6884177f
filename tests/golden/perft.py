"""Counting lines of play with the engine, and reading the positions and counts of ``docs/perft.md``."""

import re
from dataclasses import dataclass
from pathlib import Path

from royalcrypt.notation.moves import Action
from royalcrypt.play.chance import CommittedChance
from royalcrypt.play.rulings import carry_out
from royalcrypt.rules.layout import CHANCE, NOBODY, State, blank, copy_of, no_options
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply, legal_actions
from tests.oracle.engine import words
from tests.oracle.game import Oracle
from tests.oracle.perft import resolve_chance

SECRET = bytes(32)
DOCUMENT = Path(__file__).parents[2] / "docs" / "perft.md"


@dataclass(frozen=True)
class Position:
    """How a position is reached, and how many lines lead on from it, by depth from 1."""

    name: str
    players: int
    sides: str
    moves: tuple[tuple[int, str], ...]
    counts: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name}, {self.players}, {self.sides}"

    @property
    def entropy(self) -> list[str]:
        return ["a"] * self.players

    def state(self) -> State:
        return self._reach()[0]

    def oracle(self) -> Oracle:
        return self._reach()[1]

    def _reach(self) -> tuple[State, Oracle]:
        state = blank()
        set_up(state, self.players, ["AB".index(side) for side in self.sides], 0)
        oracle = Oracle(self.players, self.sides)
        draw_chance(state, self.players)
        resolve_chance(oracle, SECRET, self.entropy)
        for seat, text in self.moves:
            for code in carry_out(state, seat, Action.parse(text)):
                oracle.apply(seat, words(code))
            draw_chance(state, self.players)
            resolve_chance(oracle, SECRET, self.entropy)
        return state, oracle


def draw_chance(state: State, players: int) -> None:
    chance = CommittedChance(SECRET, ("a",) * players)
    while state.actor == CHANCE:
        apply(state, CHANCE, chance.outcome(state))


def perft(state: State, depth: int, players: int) -> int:
    """Lines of ``depth`` small decisions, nothing out of turn; a game that ends earlier is one line."""
    if depth == 0 or state.actor == NOBODY:
        return 1
    options = no_options()
    count = legal_actions(state, options)
    if depth == 1:
        return count
    total = 0
    for index in range(count):
        after = copy_of(state)
        apply(after, after.actor, options.codes[index])
        draw_chance(after, players)
        total += perft(after, depth - 1, players)
    return total


def read_positions(text: str) -> list[Position]:
    """A row of the table each; the moves stand in a block under the position's name."""
    blocks = dict(re.findall(r"^## (.+)\n\n```text\n((?:.+\n)+)```$", text, re.MULTILINE))
    found: list[Position] = []
    for name, players, sides, numbers in re.findall(
        r"^\| (.+?) \| ([1-4]) \| ([AB]{6}) \| (.+) \|$", text, re.MULTILINE
    ):
        lines = [line.removeprefix("seat ").split(": ") for line in blocks.get(name, "").splitlines()]
        counts = [number.strip().replace(",", "") for number in numbers.split("|")]
        found.append(
            Position(
                name=name,
                players=int(players),
                sides=sides,
                moves=tuple((int(seat), move) for seat, move in lines),
                counts=tuple(int(count) for count in counts if count),
            )
        )
    return found
