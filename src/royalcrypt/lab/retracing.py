"""A recorded game step by step: every whole action of a seat, and what chance brought between them."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from royalcrypt.notation.moves import Move
from royalcrypt.play.chance import Chance
from royalcrypt.play.rulings import carry_out
from royalcrypt.rules import phases
from royalcrypt.rules.layout import CHANCE, State, copy_of
from royalcrypt.rules.turns import apply


class Cause(StrEnum):
    """What made a step."""

    CHOICE = "choice"
    DICE = "dice"
    REVEAL = "reveal"


@dataclass(frozen=True, slots=True)
class Step:
    """From one moment to the next: the whole truth before and after it."""

    move: int
    """Of which it is a part or a consequence; what comes before the first is 0 (``play.playback``)."""
    cause: Cause
    before: State
    after: State
    seat: int = CHANCE
    played: Move | None = None
    """Of a choice: one whole action."""
    codes: tuple[int, ...] = ()
    """Its small decisions."""
    is_asked: bool = False
    """Whether it was that seat's decision, and not something done out of turn (R9.1)."""


def steps_of(start: State, moves: list[tuple[int, Move]], chance: Chance) -> Iterator[Step]:
    """From before the first card on. The moves are known to be legal."""
    state = copy_of(start)
    for step in _chance_steps(state, chance, 0):
        yield step
        state = step.after
    for number, (seat, move) in enumerate(moves, 1):
        for action in move.actions:
            after = copy_of(state)
            codes = tuple(carry_out(after, seat, action))
            played = Move.from_codes(list(codes))
            is_asked = state.actor == seat
            yield Step(number, Cause.CHOICE, state, after, seat, played, codes, is_asked)
            state = after
        for step in _chance_steps(state, chance, number):
            yield step
            state = step.after


def _chance_steps(state: State, chance: Chance, move: int) -> Iterator[Step]:
    """A whole row is one step, and so are the dice that one seat rolls at once."""
    while state.actor == CHANCE:
        after = copy_of(state)
        group = _group(state)
        while after.actor == CHANCE and _group(after) == group:
            apply(after, CHANCE, chance.outcome(after))
        cause = Cause.REVEAL if state.phase in (phases.REVEAL, phases.TOP) else Cause.DICE
        yield Step(move, cause, state, after)
        state = after


def _group(state: State) -> tuple[int, int, int]:
    """What belongs to one step looks the same here."""
    is_row = state.phase in (phases.REVEAL, phases.TOP)
    return state.round_number, phases.REVEAL if is_row else state.phase, 0 if is_row else state.chance_seat
