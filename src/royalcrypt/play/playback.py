"""Recorded games played again: as a viewer knew them at each moment, and along other lines of moves."""

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
from royalcrypt.play.replay import recorded_chance, replay, says_its_chance
from royalcrypt.play.rulings import carry_out
from royalcrypt.play.view_json import view_json
from royalcrypt.rules import phases
from royalcrypt.rules.collectors import run_idol_race
from royalcrypt.rules.layout import CHANCE, EVERYONE, NOBODY, SPECTATOR, State, copy_of
from royalcrypt.rules.turns import apply_action, apply_chance, proceed
from royalcrypt.rules.views import unveil

Moves = list[tuple[int, Move]]
Viewer = int | Literal["spectator", "all"]
"""A seat, a spectator, or a viewer for whom all cards are open."""


class Played(NamedTuple):
    """A whole action of a seat, or an outcome of chance."""

    move: int
    """Number of the move that it is a part or a consequence of, from 1; 0 before the first move."""
    seat: int
    codes: list[int]
    """Its small decisions, or the outcome."""


def walk(state: State, moves: Moves, chance: Chance) -> Iterator[Played]:
    """All that is played from ``state`` on; the moves are known to be legal.

    The caller applies each item to ``state`` before it takes the next.
    """
    for number, (seat, move) in enumerate([(CHANCE, Move(())), *moves]):
        for action in move.actions:
            yield Played(number, seat, list(carry_out(copy_of(state), seat, action)))
        while state.actor == CHANCE:
            yield Played(number, CHANCE, [chance.outcome(state)])


class Moment(NamedTuple):
    """Events that happen at once, and the full state after them."""

    move: int
    """As in ``Played``."""
    first: int
    """The number of the first event."""
    events: tuple[Event, ...]
    state: State


class Frame(NamedTuple):
    """A moment as a viewer knew it: events and view as JSON."""

    move: int
    events: bytes
    view: bytes


class Playback:
    """The checked game of a record. It refuses a record against the rules, and one made for a viewer."""

    def __init__(self, record: Record) -> None:
        game = replay(record)
        self.players = game.players
        self.result = game.result()
        self.moments = moments_of(game.start, game.moves, recorded_chance(record))

    def frames(self, viewer: Viewer) -> Iterator[Frame]:
        """What the viewer knew at each moment; at the end everybody knows everything (R11.4)."""
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
        view = view_json(state, seat, remembers=True, cache=cache)
        yield Frame(moment.move, b"[%b]" % events, view)


def moments_of(start: State, moves: Moves, chance: Chance) -> list[Moment]:
    """Every moment of a game at which events happen: more of them than ``rules.turns.apply`` stops at."""
    recorder = MomentRecorder(start)
    for played in walk(recorder.state, moves, chance):
        for code in played.codes:
            recorder.apply(played, code)
    return recorder.moments


SILENT_PHASES = (phases.POTTERY, phases.CLAIM, phases.IDOL, phases.REMAINS)
"""Here the rules only find who decides next: the moment before shows that."""


class MomentRecorder:
    """Does what ``rules.turns.apply`` does, and records a moment whenever there are new events."""

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
        # The rules take cards with the last roll (R6.5); the event of that roll still shows them in the row.
        before = copy_of(state) if state.phase == phases.ROLL else None
        if state.phase == phases.TORCH:
            run_idol_race(state)  # its event comes before the torches pass; ``proceed`` does not run it again
            self._record()
        proceed(state)
        if not self._record(before) and is_silent and self.moments:
            self.moments[-1] = self.moments[-1]._replace(state=copy_of(state))

    def _record(self, shown: State | None = None) -> bool:
        """Whether there are new events; their moment has the state ``shown``, or else the current one."""
        events = self._builder.events
        first = len(events)
        self._builder.read(self.state)
        self.state.noted = 0
        if len(events) > first:
            after = shown or copy_of(self.state)
            self.moments.append(Moment(self._move, first, tuple(events[first:]), after))
        return len(events) > first


class Variation:
    """Another line of moves from a recorded game after its first ``move`` moves.

    Chance beyond it is as it was, as far as the record or its secret says; with ``is_new``, and beyond that,
    ``seed`` decides. Equal seeds and lines meet the same cards and dice.
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
        elif not says_its_chance(record):
            game.chance = RecordedChance(recorded.outcomes, fresh)
        self.game = game
        self._move = move

    @property
    def line(self) -> Moves:
        """The moves of the variation."""
        return self.game.moves[self._move :]

    def frames(self, seat: int, since: int = 0) -> Iterator[Frame]:
        """What a seat knew at each moment, from the event numbered ``since`` on."""
        moments = moments_of(self.game.start, self.game.moves, self.game.chance)
        later = [moment for moment in moments if moment.first >= since]
        return frames_of(later, seat, players=self.game.players)
