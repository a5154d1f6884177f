"""Puts the rules' notes into events, in the order of RECORD.md."""

from collections.abc import Callable

from royalcrypt.notation import events
from royalcrypt.notation.cards import LETTERS, Card, card_of
from royalcrypt.notation.events import Event
from royalcrypt.notation.moves import Placement
from royalcrypt.rules import actions
from royalcrypt.rules.layout import NONE, State
from royalcrypt.rules.notes import Note
from royalcrypt.rules.phases import Phase
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import scoring_seats


class Narrator:
    """Listens to one move and the chance after it; what belongs together becomes one event."""

    def __init__(self) -> None:
        self.told: list[Event] = []
        self._flips: list[Card] = []
        self._faces: list[int] = []
        self._places: list[Placement] = []
        self._gains: list[Card] = []
        self._idols: dict[int, tuple[Card, ...]] = {}
        self._tie: dict[int, tuple[int, ...]] = {}
        self._owes_reveal = False

    def listen(self, state: State) -> None:
        """Hear the notes of the step just taken."""
        for index in range(state.noted):
            what, seat, first, second = (state.notes[4 * index + part] for part in range(4))
            self._hear(state, Note(what), seat, first, second)
        if self._owes_reveal and state.phase != Phase.TOP:
            self._owes_reveal = False
            self.told.append(_reveal(state))

    def _hear(self, state: State, what: Note, seat: int, first: int, second: int) -> None:
        match what:
            case Note.REVEALED:
                self._owes_reveal = True
            case Note.PLACED:
                dice, effort = actions.placed_dice(second), actions.placed_effort(second)
                self._places.append(Placement(first, dice, effort))
            case Note.FLIPPED:
                self._flips.append(card_of(state, first))
            case Note.DIE:
                self._faces.append(first)
            case Note.GAINED:
                self._gains.append(card_of(state, first))
            case Note.FIRST_IDOLS:
                self._idols[seat] = self.flipped()
            case Note.TIE_ROLLED:
                self._tie[seat] = self.rolled()
            case _:
                self.told.append(TELLINGS[what](self, state, seat, first, second))

    def gained(self) -> tuple[Card, ...]:
        gains, self._gains = tuple(self._gains), []
        return gains

    def raced(self) -> dict[int, tuple[Card, ...]]:
        idols, self._idols = self._idols, {}
        return idols

    def tied(self) -> dict[int, tuple[int, ...]]:
        rolled, self._tie = self._tie, {}
        return rolled

    def flipped(self) -> tuple[Card, ...]:
        flips, self._flips = tuple(self._flips), []
        return flips

    def rolled(self) -> tuple[int, ...]:
        faces, self._faces = tuple(self._faces), []
        return faces

    def placed(self) -> tuple[Placement, ...]:
        places, self._places = tuple(self._places), []
        return places


def _reveal(state: State) -> events.Reveal:
    row = range(row_length(state))
    return events.Reveal(
        round=state.round_number,
        leader=state.leader,
        row=tuple(card_of(state, state.slots[slot].card) for slot in row),
        down=tuple(slot for slot in row if state.slots[slot].is_down),
        top=None if state.top == NONE else LETTERS[state.top],
    )


def winners(state: State) -> tuple[int, ...]:
    return tuple(seat for seat in range(state.seats) if state.players[seat].is_contender)


def scores(state: State) -> tuple[int, ...]:
    return tuple(state.players[seat].score for seat in range(scoring_seats(state)))


TELLINGS: dict[Note, Callable[[Narrator, State, int, int, int], Event]] = {
    Note.CLAIMED: lambda heard, _, seat, is_last, __: events.Claim(seat, heard.placed(), bool(is_last)),
    Note.RECOVERED: lambda _, __, seat, dice, ___: events.Recover(seat, dice),
    Note.PEEKED: lambda heard, _, seat, __, ___: events.Peek(seat, heard.flipped()),
    Note.MENDED: lambda heard, _, seat, __, ___: events.Mend(seat, heard.flipped()),
    Note.TOOK: lambda heard, _, seat, slot, __: events.Take(seat, slot, heard.flipped()),
    Note.GHOST_TURN: lambda heard, _, __, is_last, ___: events.Ghost(
        heard.rolled(), heard.placed(), bool(is_last)
    ),
    Note.RALLIED: lambda _, __, seat, dice, ___: events.Rally(seat, dice),
    Note.ROLLED: lambda heard, _, seat, slot, effort: events.Roll(seat, slot, effort, heard.rolled()),
    Note.REROLLED: lambda heard, _, seat, slot, effort: events.Reroll(
        seat, slot, effort, heard.flipped(), heard.rolled()[0]
    ),
    Note.COLLECTED: lambda heard, _, seat, __, ___: events.Collect(seat, heard.gained()),
    Note.RACE_OVER: lambda heard, _, __, ___, ____: events.Idols(heard.raced()),
    Note.TIE_OVER: lambda heard, _, __, ___, ____: events.Tiebreak(heard.tied()),
    Note.ENDED: lambda _, state, __, ___, ____: events.End(scores(state), winners(state)),
}
"""What a note becomes, with what was heard before it."""
