"""Puts the rules' notes into events, in the order of RECORD.md."""

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
                self._idols[seat] = self._flipped()
            case Note.TIE_ROLLED:
                self._tie[seat] = self._rolled()
            case _:
                self.told.append(self._event(state, what, seat, first, second))

    def _event(self, state: State, what: Note, seat: int, first: int, second: int) -> Event:
        match what:
            case Note.CLAIMED:
                return events.Claim(seat, self._placed(), bool(first))
            case Note.RECOVERED:
                return events.Recover(seat, first)
            case Note.PEEKED:
                return events.Peek(seat, self._flipped())
            case Note.MENDED:
                return events.Mend(seat, self._flipped())
            case Note.TOOK:
                return events.Take(seat, first, self._flipped())
            case Note.GHOST_TURN:
                return events.Ghost(self._rolled(), self._placed(), bool(first))
            case Note.RALLIED:
                return events.Rally(seat, first)
            case Note.ROLLED:
                return events.Roll(seat, first, second, self._rolled())
            case Note.REROLLED:
                return events.Reroll(seat, first, second, self._flipped(), self._rolled()[0])
            case Note.COLLECTED:
                gains, self._gains = tuple(self._gains), []
                return events.Collect(seat, gains)
            case Note.RACE_OVER:
                return events.Idols(self._idols)
            case Note.TIE_OVER:
                rolled, self._tie = self._tie, {}
                return events.Tiebreak(rolled)
            case _:
                return _end(state)

    def _flipped(self) -> tuple[Card, ...]:
        flips, self._flips = tuple(self._flips), []
        return flips

    def _rolled(self) -> tuple[int, ...]:
        faces, self._faces = tuple(self._faces), []
        return faces

    def _placed(self) -> tuple[Placement, ...]:
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


def _end(state: State) -> events.End:
    return events.End(scores(state), winners(state))
