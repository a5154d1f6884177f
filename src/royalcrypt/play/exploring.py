"""Variations: a finished game up to one of its moves, and another line of moves from there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.chance import Chance, RecordedChance, SeededChance
from royalcrypt.play.film import Frame, Retelling, frames_of
from royalcrypt.play.game import Game
from royalcrypt.play.replay import recorded_chance, replay, says_its_chance
from royalcrypt.rules.layout import State


@dataclass(frozen=True, slots=True)
class ForkedChance:
    """One source up to a number of small decisions, another one from there on."""

    before: Chance
    after: Chance
    decisions: int

    def outcome(self, state: State) -> int:
        source = self.before if state.decisions <= self.decisions else self.after
        return source.outcome(state)

    def published(self, *, is_over: bool) -> dict[str, Any]:
        return self.after.published(is_over=is_over)

    def kept(self) -> dict[str, Any]:
        return self.after.kept()


class Exploration:
    """A line from the moment after so many moves of a record, of which 0 is the first Reveal.

    Chance beyond it is as it was, as far as the record tells or its secret brings it about, or new with
    ``is_new``; else ``seed`` decides. Equal seeds and lines meet the same cards and dice.
    """

    def __init__(self, record: Record, move: int, *, seed: int, is_new: bool = False) -> None:
        whole = replay(record)
        if not whole.is_over:
            raise Refusal(Reason.NOT_OVER)
        if not 0 <= move < len(whole.moves):
            raise Refusal(Reason.GAME_OVER)
        was = recorded_chance(record)
        fresh = SeededChance(seed)
        game = Game(whole.start, was, whole.seats)
        for seat, made in whole.moves[:move]:
            game.play(made, seat=seat)
        if is_new:
            game.chance = ForkedChance(was, fresh, game.state.decisions)
        elif not says_its_chance(record):
            game.chance = RecordedChance(was.outcomes, fresh)
        self.game = game
        self._moment = move

    @property
    def line(self) -> list[tuple[int, Move]]:
        """All moves since the moment."""
        return self.game.moves[self._moment :]

    def frames(self, seat: int, since: int = 0) -> Iterator[Frame]:
        """What a seat is told of it from an event on, and how the table stands, as in a film."""
        breaths = Retelling(self.game.start, self.game.chance).of(self.game.moves)
        ahead = (breath for breath in breaths if breath.first >= since)
        return frames_of(ahead, seat, players=self.game.players)
