"""Builds events from the notes of the rules, in the order of RECORD.md."""

from collections.abc import Callable
from typing import TypeVar

from royalcrypt.notation import events
from royalcrypt.notation.cards import LETTERS, Card, card_of
from royalcrypt.notation.moves import Placement
from royalcrypt.rules import actions, phases
from royalcrypt.rules.layout import NONE, State
from royalcrypt.rules.notes import Note
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import scoring_seats

Part = TypeVar("Part")


class EventBuilder:
    """Collects the notes of a game and joins those that belong to one event."""

    def __init__(self) -> None:
        self.events: list[events.Event] = []
        self.flips: list[Card] = []
        self.faces: list[int] = []
        self.places: list[Placement] = []
        self.gains: list[Card] = []
        self.idols: list[tuple[int, tuple[Card, ...]]] = []
        self.tie: list[tuple[int, tuple[int, ...]]] = []
        self.awaits_top = False

    def read(self, state: State) -> None:
        """Process the notes of the state's last step."""
        notes = state.notes
        for at in range(0, 4 * state.noted, 4):
            event = FACTORY_BY_NOTE[notes[at]](self, state, notes[at + 1], notes[at + 2], notes[at + 3])
            if event is not None:
                self.events.append(event)
        if self.awaits_top and state.phase != phases.TOP:
            self.awaits_top = False
            self.events.append(_reveal(state))

    def delay_for_top(self) -> None:
        """Delay the Reveal event until the type of the deck's new top card is known, which it includes."""
        self.awaits_top = True


def taken(parts: list[Part]) -> tuple[Part, ...]:
    """Remove and return the parts collected for an event."""
    found = tuple(parts)
    parts.clear()
    return found


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


Reader = Callable[[EventBuilder, State, int, int, int], events.Event | None]
EVENT_FACTORIES: dict[int, Reader] = {
    Note.REVEALED: lambda b, _state, _seat, _first, _second: b.delay_for_top(),
    Note.PLACED: lambda b, _state, _seat, slot, code: b.places.append(
        Placement(slot, actions.placed_dice(code), actions.placed_effort(code))
    ),
    Note.FLIPPED: lambda b, state, _seat, card, _: b.flips.append(card_of(state, card)),
    Note.DIE: lambda b, _state, _seat, face, _: b.faces.append(face),
    Note.GAINED: lambda b, state, _seat, card, _: b.gains.append(card_of(state, card)),
    Note.FIRST_IDOLS: lambda b, _state, seat, _first, _second: b.idols.append((seat, taken(b.flips))),
    Note.TIE_ROLLED: lambda b, _state, seat, _first, _second: b.tie.append((seat, taken(b.faces))),
    Note.CLAIMED: lambda b, _state, seat, is_last, _: events.Claim(seat, taken(b.places), is_last == 1),
    Note.RECOVERED: lambda _b, _state, seat, dice, _: events.Recover(seat, dice),
    Note.PEEKED: lambda b, _state, seat, _first, _second: events.Peek(seat, taken(b.flips)),
    Note.MENDED: lambda b, _state, seat, _first, _second: events.Mend(seat, taken(b.flips)),
    Note.TOOK: lambda b, _state, seat, slot, _: events.Take(seat, slot, taken(b.flips)),
    Note.GHOST_TURN: lambda b, _state, _seat, is_last, _: events.Ghost(
        taken(b.faces), taken(b.places), is_last == 1
    ),
    Note.RALLIED: lambda _b, _state, seat, dice, _: events.Rally(seat, dice),
    Note.ROLLED: lambda b, _state, seat, slot, effort: events.Roll(seat, slot, effort, taken(b.faces)),
    Note.REROLLED: lambda b, _state, seat, slot, effort: events.Reroll(
        seat, slot, effort, taken(b.flips), taken(b.faces)[0]
    ),
    Note.COLLECTED: lambda b, _state, seat, _first, _second: events.Collect(seat, taken(b.gains)),
    Note.RACE_OVER: lambda b, _state, _seat, _first, _second: events.Idols(dict(taken(b.idols))),
    Note.TIE_OVER: lambda b, _state, _seat, _first, _second: events.Tiebreak(dict(taken(b.tie))),
    Note.ENDED: lambda _b, state, _seat, _first, _second: events.End(scores(state), winners(state)),
}
"""Convert each note (builder, state, seat, two numbers) to an event, or None if more notes follow."""
FACTORY_BY_NOTE = tuple(EVENT_FACTORIES[note] for note in Note)
