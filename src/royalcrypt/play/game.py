"""The class ``Game``: play, view, undo, save and load."""

from functools import cache
from typing import Any

from royalcrypt.notation.cards import SIDES, is_sides, sides_text
from royalcrypt.notation.events import Event
from royalcrypt.notation.moves import Move
from royalcrypt.notation.positions import parse_position, position_text
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record, Seat
from royalcrypt.play.chance import Chance, CommittedChance, SeededChance
from royalcrypt.play.event_builder import EventBuilder
from royalcrypt.play.knowledge import KnowledgeCache
from royalcrypt.play.redaction import News, hidden_in, redacted
from royalcrypt.play.results import result_of
from royalcrypt.play.rulings import IllegalAction, carry_out
from royalcrypt.play.view_parts import ViewParts, parts_of
from royalcrypt.play.views import View, view_of
from royalcrypt.rules.layout import CHANCE, NOBODY, SPECTATOR, State, blank, copy_of, share_rows
from royalcrypt.rules.phases import Phase
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import apply


class Game:
    """One game of Crypt, from the first card to the score.

    >>> game = Game.new(players=3, collectors="AABBAB", seed=7)
    >>> game.actor
    0
    >>> events = game.play("1:2x3 4:1x5")
    >>> game.actor
    1
    >>> game.undo()
    Move.parse('1:2x3 4:1x5')
    """

    def __init__(
        self, start: State, chance: Chance, seats: tuple[Seat, ...], *, has_history: bool = True
    ) -> None:
        """Start at the position ``start``; see ``new``, ``from_record`` and ``from_position``."""
        self.chance = chance
        self.seats = seats
        self.id: str | None = None
        self.created: str | None = None
        self._start = start
        self._has_history = has_history
        self._cache = KnowledgeCache()
        self._begin()

    @classmethod
    def new(
        cls,
        *,
        players: int = 2,
        collectors: str = "AAAAAA",
        seed: int | None = None,
        leader: int = 0,
        chance: Chance | None = None,
        seats: tuple[Seat, ...] | None = None,
    ) -> "Game":
        """A new game: equal for equal seeds; without a seed, a fresh secret determines chance (RECORD.md)."""
        if type(players) is not int or not 1 <= players <= 4:
            raise Refusal(Reason.WRONG_PLAYERS, players=str(players))
        if not is_sides(collectors):
            raise Refusal(Reason.WRONG_COLLECTORS, collectors=str(collectors))
        if players == 1 and leader != 0:
            raise Refusal(Reason.GHOST_LEADS)
        if type(leader) is not int or not 0 <= leader < players:
            raise Refusal(Reason.WRONG_LEADER, leader=str(leader), players=players)
        if chance is None:
            chance = CommittedChance() if seed is None else SeededChance(seed)
        return cls(start_of(players, collectors, leader), chance, seats or default_seats(players))

    @classmethod
    def from_record(cls, source: "str | dict[str, Any] | Record") -> "Game":
        """The game of a record, checked move by move; a saved game continues with its saved chance."""
        from royalcrypt.play.replay import replay  # noqa: PLC0415 (circular import)

        return replay(source if isinstance(source, Record) else Record.parse(source))

    @classmethod
    def from_position(cls, text: str, *, seed: int | None = None) -> "Game":
        """The position with this text, as written by ``position()``; without a seed, chance is random."""
        start = parse_position(text)
        chance = CommittedChance() if seed is None else SeededChance(seed)
        return cls(start, chance, default_seats(scoring_seats(start)), has_history=False)

    def _begin(self) -> None:
        self._state = copy_of(self._start)
        self.moves: list[tuple[int, Move]] = []
        builder = EventBuilder()
        self._draw_chance(self._state, builder)
        self.events: list[Event] = builder.events

    def _draw_chance(self, state: State, builder: EventBuilder) -> None:
        while state.actor == CHANCE:
            apply(state, CHANCE, self.chance.outcome(state))
            builder.read(state)

    @property
    def players(self) -> int:
        """The number of players, without the Ghost."""
        return scoring_seats(self._state)

    @property
    def collectors(self) -> str:
        return sides_text(self._state)

    @property
    def actor(self) -> int | None:
        """The seat that decides; None when the game is over."""
        actor = self._state.actor
        return None if actor == NOBODY else actor

    @property
    def round(self) -> int:
        return self._state.round_number

    @property
    def phase(self) -> str:
        """The current phase: ``pottery``, ``claim``, ``idol``, ``remains`` or ``over``."""
        return Phase(self._state.phase).name.lower()

    @property
    def is_over(self) -> bool:
        return self._state.actor == NOBODY

    @property
    def start(self) -> State:
        """A copy of the state before the first card."""
        return copy_of(self._start)

    @property
    def state(self) -> State:
        """A copy of the full state, hidden cards included: for studies, never for players."""
        return copy_of(self._state)

    def view(self, seat: int | None = None, *, remembers: bool = True) -> View:
        """What a seat, or without one a spectator, may know and do.

        ``remembers=False`` removes what a person would have to remember; see ``View``.
        """
        self._check_seat(seat)
        return view_of(self._state, seat, remembers=remembers, cache=self._cache)

    def view_parts(self, seat: int | None = None, *, remembers: bool = True) -> ViewParts:
        """The parts of ``view``, from which ``view_changes`` finds what has changed."""
        self._check_seat(seat)
        return parts_of(self._state, seat, remembers=remembers, cache=self._cache)

    def play(self, move: str | Move, *, seat: int | None = None) -> list[Event]:
        """Make a whole move for the seat whose turn it is, or out of turn for another (R9).

        All or nothing: a refused move raises ``Refusal`` or ``IllegalAction`` and changes nothing.
        Returns what happened, up to the next decision.
        """
        parsed = Move.parse(move) if isinstance(move, str) else move
        if not parsed.actions:
            raise IllegalAction(Reason.NOT_A_MOVE, text=str(parsed))
        seat = self._state.actor if seat is None else seat
        trial = copy_of(self._state)
        builder = EventBuilder()
        spelled = self._carry_out(trial, seat, parsed, builder)
        self._draw_chance(trial, builder)
        share_rows(trial, self._state)
        self._state = trial
        self.moves.append((seat, spelled))
        self.events += builder.events
        return builder.events

    def tried(self, move: str | Move, *, seat: int | None = None) -> "Game":
        """A copy of the game after ``play``; the original is unchanged. Refused moves raise the same errors.

        Its new events are ``copy.events[len(game.events):]``. Copying takes much less time than the move.
        """
        copy = self.clone()
        copy.play(move, seat=seat)
        return copy

    def _carry_out(self, trial: State, seat: int, move: Move, builder: EventBuilder) -> Move:
        codes: list[int] = []
        actor = trial.actor
        for action in move.actions:
            if trial.actor != actor:
                raise IllegalAction(Reason.TURN_HAS_ENDED, text=str(action))
            for code in carry_out(trial, seat, action):
                codes.append(code)
                builder.read(trial)
        return move if move.names_its_flips else Move.from_codes(codes)

    def undo(self) -> Move:
        """Take back the last move and the chance outcomes after it; a repeated move has the same outcomes."""
        if not self.moves:
            raise Refusal(Reason.NOTHING_TO_UNDO)
        *kept, (_, undone) = self.moves
        self._begin()
        for seat, move in kept:
            self.play(move, seat=seat)
        return undone

    def clone(self) -> "Game":
        """An independent copy of the game at the same point."""
        copy = object.__new__(Game)
        copy.__dict__ |= self.__dict__  # the state is shared: ``play`` replaces it and never changes it
        copy.moves = self.moves[:]
        copy.events = self.events[:]
        copy._cache = self._cache.clone()
        return copy

    def position(self) -> str:
        """The whole position, hidden cards included, as one line of text for ``from_position``."""
        return position_text(self._state)

    def __repr__(self) -> str:
        return f"Game.from_position({self.position()!r})"

    def picture(self) -> str:
        """An SVG of the table as public knowledge; ``view(seat).picture()`` shows what one seat knows."""
        from royalcrypt.play.picture import table_picture  # noqa: PLC0415 (imported only by notebooks)

        return table_picture(self.view(), [seat.name for seat in self.seats], self.result())

    def _repr_svg_(self) -> str:
        return self.picture()

    def _repr_html_(self) -> str:
        return self.picture()

    def events_for(self, viewer: int | None, events: list[Event] | None = None) -> list[Event]:
        """All or the given events, as a seat or a spectator (None) may see them."""
        self._check_seat(viewer)
        seat = SPECTATOR if viewer is None else viewer
        chosen = self.events if events is None else events
        return [redacted(event, hidden_in(event, self._state, seat)) for event in chosen]

    def news(self, since: int) -> News:
        """The events from number ``since`` on, as JSON for each seat and for spectators."""
        return News(self.events[since:], self._state, since)

    def result(self) -> dict[str, Any] | None:
        """The scores, breakdown, places, winners and title (RECORD.md); None before the end."""
        return result_of(self._state) if self.is_over else None

    def record(self) -> Record:
        """The complete record. While the game runs it includes the secret and must not be published."""
        extra = self.chance.published(is_over=self.is_over)
        if not self.is_over:
            extra |= self.chance.kept() | {"moves": [[seat, str(move)] for seat, move in self.moves]}
        return self._record(self.events, extra)

    def record_for(self, viewer: int | None) -> Record:
        """The record that a seat or a spectator (None) may see; the complete one once the game is over."""
        if self.is_over:
            return self.record()
        whose = {"viewer": "spectator" if viewer is None else viewer}
        return self._record(self.events_for(viewer), whose | self.chance.published(is_over=False))

    def _record(self, events: list[Event], extra: dict[str, Any]) -> Record:
        if not self._has_history:
            raise Refusal(Reason.NO_HISTORY)
        return Record(
            players=self.players,
            collectors=self.collectors,
            leader=self._start.leader,
            seats=self.seats,
            events=tuple(events),
            result=self.result(),
            id=self.id,
            created=self.created,
            extra=extra,
        )

    def _check_seat(self, seat: int | None) -> None:
        if seat is not None and not 0 <= seat < self.players:
            raise Refusal(Reason.WRONG_SEAT, seat=seat + 1, seats=self.players)


@cache
def start_of(players: int, collectors: str, leader: int) -> State:
    """The state before the first card; do not change it, because equal games share it."""
    start = blank()
    set_up(start, players, [SIDES.index(side) for side in collectors], leader)
    return start


@cache
def default_seats(players: int) -> tuple[Seat, ...]:
    return tuple(Seat(f"Player {number}") for number in range(1, players + 1))
