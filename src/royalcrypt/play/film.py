"""Playback of a finished game: its events in small groups, each with the view after it.

A film shows what one viewer knew at each moment (R11), or everything. It is made of a record, so of something
that whoever asks for it has as a whole; a running game's table never makes one.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from royalcrypt.notation.events import Event, event_json
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.chance import Chance
from royalcrypt.play.insight import Insights
from royalcrypt.play.narrator import Narrator
from royalcrypt.play.redaction import hidden_in, redacted
from royalcrypt.play.replay import recorded_chance, replay
from royalcrypt.play.rulings import carry_out
from royalcrypt.play.view_json import view_json
from royalcrypt.rules import phases
from royalcrypt.rules.collectors import run_idol_race
from royalcrypt.rules.layout import CHANCE, EVERYONE, NOBODY, SPECTATOR, State, copy_of
from royalcrypt.rules.turns import apply_action, apply_chance, proceed
from royalcrypt.rules.views import unveil

Viewer = int | Literal["spectator", "all"]
"""A seat, somebody who watched, or one who knows every card."""


class Breath(NamedTuple):
    """What happened at once, and the whole truth after it."""

    move: int
    """Whose consequence it is: the first Reveal is 0, what the first move brings about is 1."""
    first: int
    """The number of its first event."""
    events: tuple[Event, ...]
    state: State


class Frame(NamedTuple):
    """A breath as a viewer knew it: events and view as JSON."""

    move: int
    events: bytes
    view: bytes


class Film:
    """The checked game of a record. A record against the rules is refused, and so is a viewer's."""

    def __init__(self, record: Record) -> None:
        self.record = record
        game = replay(record)
        self.result = game.result()
        self.breaths = tuple(Retelling(game.start, recorded_chance(record)).of(game.moves))

    def frames(self, viewer: Viewer) -> Iterator[Frame]:
        """What the viewer knew at each moment; at the end everybody knows everything (R11.4)."""
        return frames_of(self.breaths, viewer, players=self.record.players)


def frames_of(breaths: Iterable[Breath], viewer: Viewer, *, players: int) -> Iterator[Frame]:
    seat = None if isinstance(viewer, str) else viewer
    if seat is not None and not 0 <= seat < players:
        raise Refusal(Reason.WRONG_SEAT, seat=seat + 1, seats=players)
    eye = SPECTATOR if seat is None else seat
    insights = Insights()
    for breath in breaths:
        state = breath.state
        if viewer == "all" or state.phase == phases.OVER:
            state = copy_of(state)
            unveil(state, EVERYONE if state.phase == phases.OVER else 1 << SPECTATOR)
        told = [redacted(event, hidden_in(event, state, eye)) for event in breath.events]
        events = b",".join([event_json(event, n) for n, event in enumerate(told, breath.first)])
        view = view_json(state, seat, remembers=True, insights=insights)
        yield Frame(breath.move, b"[%b]" % events, view)


ONLY_ASKING = (phases.POTTERY, phases.CLAIM, phases.IDOL, phases.REMAINS)
"""Here the rules look for whom to ask next: that belongs to what was told before."""


class Retelling:
    """Plays moves again, stopping more often than ``rules.turns.apply`` does: at all that is told."""

    def __init__(self, start: State, chance: Chance) -> None:
        self._state = copy_of(start)
        self._chance = chance
        self._narrator = Narrator()
        self._move = 0
        self._count = 0
        self._breaths: list[Breath] = []
        """Of the move at hand."""

    def of(self, moves: list[tuple[int, Move]]) -> Iterator[Breath]:
        self._meet_chance()
        yield from self._breaths
        for self._move, (seat, move) in enumerate(moves, 1):
            self._narrator = Narrator()
            self._breaths = []
            for code in codes_of(self._state, seat, move):
                self._apply(seat, code)
            self._meet_chance()
            yield from self._breaths

    def _meet_chance(self) -> None:
        while self._state.actor == CHANCE:
            self._apply(CHANCE, self._chance.outcome(self._state))

    def _apply(self, seat: int, code: int) -> None:
        state = self._state
        if seat == CHANCE:
            apply_chance(state, code)
        else:
            state.decisions += 1
            apply_action(state, seat, code)
        self._listen()
        while state.actor == NOBODY and state.phase != phases.OVER:
            self._proceed()

    def _proceed(self) -> None:
        state = self._state
        was_asking = state.phase in ONLY_ASKING
        # The rules take cards with the last roll (R6.5): to be seen when that is told.
        untaken = copy_of(state) if state.phase == phases.ROLL else None
        if state.phase == phases.TORCH:
            run_idol_race(state)  # told before the torches pass; once it is over it does nothing
            self._listen()
        proceed(state)
        is_told = self._listen(untaken)
        if was_asking and self._breaths and not is_told:
            self._breaths[-1] = self._breaths[-1]._replace(state=copy_of(state))

    def _listen(self, then: State | None = None) -> bool:
        """Whether something was told; the table stood as ``then``, or as it stands now."""
        before = len(self._narrator.told)
        self._narrator.listen(self._state)
        self._state.noted = 0
        told = tuple(self._narrator.told[before:])
        if told:
            self._breaths.append(Breath(self._move, self._count, told, then or copy_of(self._state)))
            self._count += len(told)
        return bool(told)


def codes_of(state: State, seat: int, move: Move) -> list[int]:
    """A move that is known to be legal, in small decisions."""
    trial = copy_of(state)
    return [code for action in move.actions for code in carry_out(trial, seat, action)]
