"""The state of a live table, which is derived from its journal entries alone (see ``commands``)."""

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import msgspec

from royalcrypt.notation.moves import Move, Verb
from royalcrypt.notation.records import Seat
from royalcrypt.play.chance import CommittedChance
from royalcrypt.play.game import Game
from royalcrypt.play.view_parts import ViewParts
from royalcrypt.play.views import View, view_from
from royalcrypt.tables import entries
from royalcrypt.tables.clocks import Clock, Outage, timestamp
from royalcrypt.tables.entries import AnyEntry, WhyClosed, WhyTakenOver, decode_entry
from royalcrypt.tables.journal import Status

if TYPE_CHECKING:
    from royalcrypt.tables.listings import InfoTemplate

RECENT = 64
"""Number of latest entries kept in memory to check late commands."""
ANY_TIME = (Verb.PEEK, Verb.MEND)


parsed = lru_cache(maxsize=1 << 12)(Move.parse)
"""Parses a move; cached, because most moves occur often."""


def is_any_time(move: str) -> bool:
    """Whether a move consists of any-time actions (R9.1), which leave the current decision open."""
    return all(action.verb in ANY_TIME for action in parsed(move).actions)


class Place(msgspec.Struct, frozen=True, gc=False):
    """One seat; its person keeps it while a bot plays it temporarily."""

    person: str | None = None
    name: str | None = None
    level: str | None = None
    """Name of the bot that holds the seat, if any."""
    keeper: str | None = None
    """Name of the program's keeper, if a program holds the seat."""
    entropy: str = ""
    reserved_for: str | None = None
    taken_over: WhyTakenOver | None = None
    away_since: int | None = None
    """Number of the first event since a bot took over for the person; None otherwise."""
    run_outs: int = 0
    """Number of time-outs on the current decision."""

    @property
    def is_free(self) -> bool:
        return self.person is None and self.level is None

    @property
    def is_played_by_bot(self) -> bool:
        return self.level is not None or self.taken_over is not None

    @property
    def kind(self) -> str:
        """Kind of player in the notation of RECORD.md."""
        if self.level is not None:
            return f"bot:{self.level}"
        return "human" if self.keeper is None else f"program:{self.name}"


class RecentEntry(NamedTuple):
    """Effect of an entry on commands that were sent before it."""

    seat: int | None
    """Seat that moved; None if the entry is not a move."""
    move: str
    is_harmless: bool
    """Whether commands of other seats stay valid, because the current decision is unchanged (R9.1)."""


class Table:
    """Seats, clock and game of one table after some entries, with outages credited to the clock.

    Published tables are never changed: ``after`` returns a new one.
    """

    def __init__(self, table_id: str, outages: Sequence[Outage] = ()) -> None:
        self.id = table_id
        self.outages = outages
        self.ply = 0
        self.status = Status.OPEN
        self.seats: list[Place] = []
        self.game: Game | None = None
        self.clock: Clock | None = None
        self.started: int | None = None
        self.updated = 0
        self.why_closed: WhyClosed | None = None
        self.followed_by: str | None = None
        self.recent: deque[RecentEntry] = deque(maxlen=RECENT)
        self.info_template: InfoTemplate | None = None
        """Cache of ``listings.info_json``."""
        self._parts: dict[int | None, ViewParts] = {}
        """Cache of ``view_parts``."""

    @classmethod
    def from_journal(cls, table_id: str, lines: Sequence[bytes], outages: Sequence[Outage] = ()) -> "Table":
        table = cls(table_id, outages)
        table.catch_up(lines)
        return table

    def catch_up(self, lines: Sequence[bytes]) -> None:
        """Apply the encoded entries that follow this table's last one, in place."""
        for line in lines:
            self._apply(decode_entry(line))

    def after(self, entry: AnyEntry) -> "Table":
        """Return the table after an entry; raises Refusal for an illegal move."""
        after = object.__new__(Table)
        after.__dict__ |= self.__dict__
        after.seats = self.seats[:]
        after.recent = self.recent.copy()
        after._apply(entry)
        return after

    def view(self, seat: int | None) -> View | None:
        """Return a seat's or, for None, the spectators' view; None before the game starts.

        Its parts are not cached, because most tables that are only watched do not change soon.
        """
        parts = self._parts.get(seat) or self._make_parts(seat)
        return None if parts is None else view_from(parts)

    def view_parts(self, seat: int | None) -> ViewParts | None:
        """Return the parts of ``view``."""
        found = self._parts.get(seat)
        if found is None:
            found = self._make_parts(seat)
            if found is not None:
                self._parts[seat] = found
        return found

    def _make_parts(self, seat: int | None) -> ViewParts | None:
        return self.game and self.game.view_parts(seat, remembers=self.settings.remembers)

    def _apply(self, entry: AnyEntry) -> None:
        recent = RecentEntry(None, "", is_harmless=isinstance(entry, (entries.TakenOver, entries.Returned)))
        match entry:
            case entries.Opened():
                self._open(entry)
            case entries.Sat():
                self._seat(entry)
            case entries.Seated():
                self.seats[entry.seat] = Place(level=entry.level, name=entry.level)
            case entries.Freed():
                self._free(entry.seat)
            case entries.Left():
                self._leave(entry.person)
            case entries.Started():
                self.game, self._parts = self._new_game(entry), {}
                self.status, self.started, self.leader = Status.RUNNING, entry.at, entry.leader
                self.clock = Clock.chosen(self.settings.clock, len(self.seats), entry.at)
            case entries.Moved():
                recent = RecentEntry(entry.seat, entry.move, is_harmless=not self._apply_move(entry))
            case entries.TakenOver() | entries.Returned():
                self._take_over_or_return(entry)
            case entries.Closed():
                self.status, self.why_closed = Status.CLOSED, entry.why
            case entries.Followed():
                self.followed_by = entry.table
        if not isinstance(entry, entries.Moved) or self.status is not Status.RUNNING:
            self.info_template = None
        self.recent.append(recent)
        self.ply += 1
        self.updated = entry.at

    def _open(self, entry: entries.Opened) -> None:
        self.settings = entry.settings
        self.owner = entry.owner
        self.invite = entry.invite
        self.secret = bytes.fromhex(entry.secret)
        self.commitment = CommittedChance(self.secret).commitment
        self.opened = entry.at
        self.follows = entry.follows
        self.seal = entry.seal
        self.seats = [Place() for _ in range(entry.settings.players)]
        for seat, sitter in enumerate(entry.reserved):
            if sitter is not None:
                self._replace_seat(seat, reserved_for=sitter.person, name=sitter.name, keeper=sitter.keeper)
        for bot in entry.settings.bots:
            self.seats[bot.seat] = Place(level=bot.level, name=bot.level)

    def _seat(self, entry: entries.Sat) -> None:
        if self.seal is not None and not any(place.person for place in self.seats):
            self.owner = entry.person
        self.seats[entry.seat] = Place(
            person=entry.person, name=entry.name, keeper=entry.keeper, entropy=entry.entropy
        )

    def _free(self, seat: int) -> None:
        self.seats[seat] = Place()
        if self.seal is not None:
            self._replace_owner()

    def _leave(self, person: str) -> None:
        for seat, place in enumerate(self.seats):
            if person in (place.person, place.reserved_for):
                self.seats[seat] = Place()
        if person == self.owner:
            self._replace_owner()

    def _replace_owner(self) -> None:
        """Make a seated person the owner if the owner has no seat: only players may see sealed tables."""
        if not self.seats_of(self.owner):
            people = (place.person for place in self.seats if place.person and place.keeper is None)
            self.owner = next(people, self.owner)

    def _new_game(self, entry: entries.Started) -> Game:
        game = Game.new(
            players=len(self.seats),
            collectors=entry.collectors,
            leader=entry.leader,
            chance=CommittedChance(self.secret, self.entropy, self.seal),
            seats=tuple(Seat(place.name or "", place.kind) for place in self.seats),
        )
        game.id, game.created = self.id, timestamp(entry.at)
        return game

    def _apply_move(self, entry: entries.Moved) -> bool:
        """Apply a move; returns whether it made the current decision (any-time actions do not: R9.1)."""
        before = cast("Game", self.game)
        self.game, self._parts = before.tried(parsed(entry.move), seat=entry.seat), {}
        actor = cast("int", before.actor)
        is_decided = self.game.actor != actor or not is_any_time(entry.move)
        if is_decided:
            if self.seats[actor].run_outs:
                self._replace_seat(actor, run_outs=0)
            if self.clock is not None and self.seats[actor].is_played_by_bot:
                self.clock = self.clock.begun(entry.at)
            elif self.clock is not None:
                self.clock = self.clock.pressed(actor, entry.at, self.outages)
        if self.game.is_over:
            self.status = Status.OVER
        return is_decided

    def _take_over_or_return(self, entry: entries.TakenOver | entries.Returned) -> None:
        is_away = isinstance(entry, entries.TakenOver)
        for seat in entry.seats:
            self._replace_seat(
                seat,
                taken_over=entry.why if is_away else None,
                away_since=len(cast("Game", self.game).events) if is_away else None,
            )
        if self.clock is None or self.actor not in entry.seats:
            return
        if not is_away:
            self.clock = self.clock.resumed(entry.at)
        elif entry.why == "time":
            self._replace_seat(self.actor, run_outs=self.seats[self.actor].run_outs + 1)
            self.clock = self.clock.pressed(self.actor, entry.at, self.outages)
        else:
            self.clock = self.clock.paused(entry.at, self.outages)

    def _replace_seat(self, seat: int, **changes: Any) -> None:
        """Replace a seat by a changed copy, because seats are shared with earlier tables."""
        self.seats[seat] = msgspec.structs.replace(self.seats[seat], **changes)

    @property
    def entropy(self) -> tuple[str, ...]:
        """Entropy from people's browsers in seat order; empty if other tables share the secret."""
        if self.seal is not None:
            return ()
        return tuple(place.entropy for place in self.seats if place.person is not None)

    @property
    def actor(self) -> int | None:
        game = self.game
        return game.actor if game is not None and self.status is Status.RUNNING else None

    def seats_of(self, person: str) -> list[int]:
        return [seat for seat, place in enumerate(self.seats) if place.person == person]

    @property
    def is_attended(self) -> bool:
        """Whether any person is playing; if not, bots wait."""
        return any(place.person is not None and place.taken_over is None for place in self.seats)

    @property
    def deadline(self) -> int | None:
        """When the deciding person's time runs out, in ms since 1970; None without a running clock."""
        if self.clock is None:
            return None
        actor = self.actor
        if actor is None or self.seats[actor].is_played_by_bot:
            return None
        return self.clock.deadline(actor, self.outages)
