"""Recorded games replayed as a viewer saw them, and variations of them with other moves."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from royalcrypt.notation.events import Event, event_json
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.chance import Chance, RecordedChance, SeededChance
from royalcrypt.play.event_builder import EventBuilder
from royalcrypt.play.game import Game
from royalcrypt.play.knowledge import KnowledgeCache
from royalcrypt.play.redaction import hidden_in, redacted
from royalcrypt.play.replay import recorded_chance, replay, states_chance_source
from royalcrypt.play.rulings import carry_out
from royalcrypt.play.views import view_of
from royalcrypt.rules import phases
from royalcrypt.rules.collectors import run_idol_race
from royalcrypt.rules.layout import CHANCE, EVERYONE, NOBODY, SPECTATOR, State, copy_of
from royalcrypt.rules.turns import apply_action, apply_chance, proceed
from royalcrypt.rules.views import unveil

Moves = list[tuple[int, Move]]
Viewer = int | Literal["spectator", "all"]
"""A seat, a spectator, or ``all`` for a viewer who sees all cards."""


class Played(NamedTuple):
    """A whole action of a seat, or one chance outcome."""

    move: int
    """The number of the move, from 1, that contains or causes this item; 0 before the first move."""
    seat: int
    codes: list[int]
    """The small decisions of the action, or the chance outcome."""


def walk(state: State, moves: Moves, chance: Chance) -> Iterator[Played]:
    """All actions and chance outcomes from ``state`` on; the moves must be legal.

    The caller applies each item to ``state`` before it takes the next.
    """
    for number, (seat, move) in enumerate([(CHANCE, Move(())), *moves]):
        for action in move.actions:
            yield Played(number, seat, list(carry_out(copy_of(state), seat, action)))
        while state.actor == CHANCE:
            yield Played(number, CHANCE, [chance.outcome(state)])


class Moment(NamedTuple):
    """Simultaneous events, and the full state after them."""

    move: int
    """The number of the move, as in ``Played``."""
    first: int
    """The number of the first event."""
    events: tuple[Event, ...]
    state: State


class Frame(NamedTuple):
    """The events and the view of a moment, as JSON for one viewer."""

    move: int
    events: bytes
    view: bytes


class Playback:
    """The checked game of a record; refuses records that break the rules, and records made for one viewer."""

    def __init__(self, record: Record) -> None:
        game = replay(record)
        self.players = game.players
        self.result = game.result()
        self.moments = moments_of(game.start, game.moves, recorded_chance(record))

    def frames(self, viewer: Viewer) -> Iterator[Frame]:
        """The viewer's knowledge at each moment; the last one reveals everything (R11.4)."""
        return frames_of(self.moments, viewer, players=self.players)


def frames_of(moments: Iterable[Moment], viewer: Viewer, *, players: int) -> Iterator[Frame]:
    seat = None if isinstance(viewer, str) else viewer
    if seat is not None and not 0 <= seat < players:
        raise Refusal(Reason.WRONG_SEAT, seat=seat + 1, seats=players)
    eye = SPECTATOR if seat is None else seat
    cache = KnowledgeCache()
    for moment in moments:
        state = moment.state
        if viewer == "all" or state.phase == phases.OVER:
            state = copy_of(state)
            unveil(state, EVERYONE if state.phase == phases.OVER else 1 << SPECTATOR)
        shown = [redacted(event, hidden_in(event, state, eye)) for event in moment.events]
        events = b",".join([event_json(event, n) for n, event in enumerate(shown, moment.first)])
        yield Frame(moment.move, b"[%b]" % events, view_of(state, seat, cache=cache).to_json())


def moments_of(start: State, moves: Moves, chance: Chance) -> list[Moment]:
    """All moments of a game with events, which are more than the decisions at which ``turns.apply`` stops."""
    recorder = MomentRecorder(start)
    for played in walk(recorder.state, moves, chance):
        for code in played.codes:
            recorder.apply(played, code)
    return recorder.moments


SILENT_PHASES = (phases.POTTERY, phases.CLAIM, phases.IDOL, phases.REMAINS)
"""Phases without events of their own: their moments would repeat the previous one."""


class MomentRecorder:
    """Does the same as ``rules.turns.apply``, and records a moment whenever there are new events."""

    def __init__(self, start: State) -> None:
        self.state = copy_of(start)
        self.moments: list[Moment] = []
        self._move = 0
        self._builder = EventBuilder()

    def apply(self, played: Played, code: int) -> None:
        state = self.state
        self._move = played.move
        if played.seat == CHANCE:
            apply_chance(state, code)
        else:
            state.decisions += 1
            apply_action(state, played.seat, code)
        self._record()
        while state.actor == NOBODY and state.phase != phases.OVER:
            self._proceed()

    def _proceed(self) -> None:
        state = self.state
        is_silent = state.phase in SILENT_PHASES
        # The rules move cards at the last roll (R6.5), but the event of that roll must show them in the row.
        before = copy_of(state) if state.phase == phases.ROLL else None
        if state.phase == phases.TORCH:
            run_idol_race(state)  # recorded before the torches pass; ``proceed`` does not run it again
            self._record()
        proceed(state)
        if not self._record(before) and is_silent and self.moments:
            self.moments[-1] = self.moments[-1]._replace(state=copy_of(state))

    def _record(self, shown: State | None = None) -> bool:
        """Record new events with ``shown`` or the current state; return whether there were any."""
        events = self._builder.events
        first = len(events)
        self._builder.read(self.state)
        self.state.noted = 0
        if len(events) > first:
            after = shown or copy_of(self.state)
            self.moments.append(Moment(self._move, first, tuple(events[first:]), after))
        return len(events) > first


class Variation:
    """A variation of a recorded game, with other moves after its first ``move`` moves.

    Later chance outcomes are those of the record or its secret; with ``is_new``, or where these end,
    they come from ``seed``. Equal seeds and moves give the same cards and dice.
    """

    def __init__(self, record: Record, move: int, *, seed: int, is_new: bool = False) -> None:
        whole = replay(record)
        if not whole.is_over:
            raise Refusal(Reason.NOT_OVER)
        if not 0 <= move < len(whole.moves):
            raise Refusal(Reason.GAME_OVER)
        recorded = recorded_chance(record)
        fresh = SeededChance(seed)
        game = Game(whole.start, recorded, whole.seats)
        for seat, played in whole.moves[:move]:
            game.play(played, seat=seat)
        if is_new:
            game.chance = RecordedChance(recorded_chance(game.record()).outcomes, fresh)
        elif not states_chance_source(record):
            game.chance = RecordedChance(recorded.outcomes, fresh)
        self.game = game
        self._move = move

    @property
    def line(self) -> Moves:
        """The moves of the variation."""
        return self.game.moves[self._move :]

    def frames(self, seat: int, since: int = 0) -> Iterator[Frame]:
        """The seat's knowledge at each moment, from the event numbered ``since`` on."""
        moments = moments_of(self.game.start, self.game.moves, self.game.chance)
        later = [moment for moment in moments if moment.first >= since]
        return frames_of(later, seat, players=self.game.players)
