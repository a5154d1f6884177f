"""Builds events from the rules' notes, in the order of RECORD.md."""

from collections.abc import Callable

from royalcrypt.notation import events
from royalcrypt.notation.cards import LETTERS, Card, card_of
from royalcrypt.notation.events import Event
from royalcrypt.notation.moves import Placement
from royalcrypt.rules import actions, phases
from royalcrypt.rules.layout import NONE, State
from royalcrypt.rules.notes import Note
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import scoring_seats


class Narrator:
    """Collects the notes of one move and the chance after it. Notes that belong together become one event."""

    def __init__(self) -> None:
        self.told: list[Event] = []
        self.flips: list[Card] = []
        self.faces: list[int] = []
        self.places: list[Placement] = []
        self.gains: list[Card] = []
        self.idols: dict[int, tuple[Card, ...]] = {}
        self.tie: dict[int, tuple[int, ...]] = {}
        self.owes_reveal = False

    def listen(self, state: State) -> None:
        """Read the notes of the last step."""
        notes = state.notes
        for at in range(0, 4 * state.noted, 4):
            told = IN_ORDER[notes[at]](self, state, notes[at + 1], notes[at + 2], notes[at + 3])
            if told is not None:
                self.told.append(told)
        if self.owes_reveal and state.phase != phases.TOP:
            self.owes_reveal = False
            self.told.append(_reveal(state))

    def owe_reveal(self) -> None:
        """The Reveal event also names the deck's new top card, so it waits for that."""
        self.owes_reveal = True

    def gained(self) -> tuple[Card, ...]:
        gains, self.gains = tuple(self.gains), []
        return gains

    def raced(self) -> dict[int, tuple[Card, ...]]:
        idols, self.idols = self.idols, {}
        return idols

    def tied(self) -> dict[int, tuple[int, ...]]:
        rolled, self.tie = self.tie, {}
        return rolled

    def flipped(self) -> tuple[Card, ...]:
        flips, self.flips = tuple(self.flips), []
        return flips

    def rolled(self) -> tuple[int, ...]:
        faces, self.faces = tuple(self.faces), []
        return faces

    def placed(self) -> tuple[Placement, ...]:
        places, self.places = tuple(self.places), []
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


Telling = Callable[[Narrator, State, int, int, int], Event | None]
TELLINGS: dict[int, Telling] = {
    Note.REVEALED: lambda heard, _, __, ___, ____: heard.owe_reveal(),
    Note.PLACED: lambda heard, _, __, slot, code: heard.places.append(
        Placement(slot, actions.placed_dice(code), actions.placed_effort(code))
    ),
    Note.FLIPPED: lambda heard, state, _, card, __: heard.flips.append(card_of(state, card)),
    Note.DIE: lambda heard, _, __, face, ___: heard.faces.append(face),
    Note.GAINED: lambda heard, state, _, card, __: heard.gains.append(card_of(state, card)),
    Note.FIRST_IDOLS: lambda heard, _, seat, __, ___: heard.idols.update({seat: heard.flipped()}),
    Note.TIE_ROLLED: lambda heard, _, seat, __, ___: heard.tie.update({seat: heard.rolled()}),
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
"""What a note becomes, with what was heard before it; None while it is only part of an event."""
IN_ORDER = tuple(TELLINGS[note] for note in Note)
