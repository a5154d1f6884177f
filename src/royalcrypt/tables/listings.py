"""Summaries of tables for the lobby, lists of games and schedulers."""

from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from royalcrypt.tables.clocks import FOREVER, credited
from royalcrypt.tables.entries import WhyClosed, WhyTakenOver
from royalcrypt.tables.journal import Listing, SeatResult, Status
from royalcrypt.tables.settings import DAY, TableSettings
from royalcrypt.tables.table import Place, Table

ABANDONED_STEPS = 720
"""The time after which an abandoned table is closed is exact to this part of it: an hour in 30 days."""
BLANK = msgspec.Raw(b"")
BANK = b'"bank":}'
NUMBERS = b'"round":,"actor":,"deadline":'
"""JSON with empty values, to be filled in; no text contains it, because JSON escapes quotes in texts."""
OPEN_TIMEOUT = DAY
"""Time in ms without a change after which a table that has not started is closed."""
SEALED_TIMEOUT = 7 * DAY
"""Like OPEN_TIMEOUT, for sealed tables: invited people need longer."""
IN_PLAY, FULL, JOINABLE = range(3)
"""Ranks of tables in the lobby. They are stored; higher ones come first."""


class Pace(NamedTuple):
    """Delays in ms before a bot moves and before an abandoned table is closed."""

    bot_pause: int = 900
    abandoned_after: int = 30 * DAY
    bot_grace: int = 0
    """Extra time in ms before another process makes a bot's move."""


class SeatInfo(msgspec.Struct, frozen=True, gc=False):
    """Information about a seat that everyone at the table may see."""

    kind: Literal["free", "kept", "person", "bot"]
    """``kept`` means reserved for a person of the previous game."""
    name: str | None = None
    person: str | None = None
    level: str | None = None
    keeper: str | None = None
    """Name of the program's keeper; None for people."""
    taken_over: WhyTakenOver | None = None
    """Why a bot plays the seat for its person; None if the person plays."""
    bank: int | None = None
    """Time left in the seat's bank, in ms."""


def seat_info(place: Place, bank: int | None) -> SeatInfo:
    if place.is_free:
        if place.reserved_for is None:
            return SeatInfo("free")
        return SeatInfo("kept", name=place.name, person=place.reserved_for, keeper=place.keeper)
    return SeatInfo(
        kind="person" if place.level is None else "bot",
        name=place.name,
        person=place.person,
        level=place.level,
        keeper=place.keeper,
        taken_over=place.taken_over,
        bank=bank,
    )


class TableInfo(msgspec.Struct, frozen=True, gc=False):
    """Information about a table that everyone who may see it gets."""

    table: str
    status: Status
    settings: TableSettings
    seats: tuple[SeatInfo, ...]
    owner: str
    opened: int
    commitment: str
    """SHA-256 of the secret from which all chance outcomes are derived (RECORD.md)."""
    collectors: str | None = None
    """The Collector sides in play; None before the start."""
    round: int | None = None
    actor: int | None = None
    deadline: int | None = None
    """When the deciding seat's time runs out, in ms since 1970; None without a clock."""
    started: int | None = None
    follows: str | None = None
    followed_by: str | None = None
    why_closed: WhyClosed | None = None
    seal: str | None = None
    """``daily:2026-11-17`` or ``duplicate:ID`` if the secret is shared with other tables."""


def table_info(table: Table) -> TableInfo:
    game = table.game
    banks = table.clock.banks if table.clock is not None else [None] * len(table.seats)
    return TableInfo(
        table=table.id,
        status=table.status,
        settings=table.settings,
        seats=tuple(map(seat_info, table.seats, banks)),
        owner=table.owner,
        opened=table.opened,
        commitment=table.commitment,
        collectors=None if game is None else game.collectors,
        round=None if game is None else game.round,
        actor=table.actor,
        deadline=table.deadline,
        started=table.started,
        follows=table.follows,
        followed_by=table.followed_by,
        why_closed=table.why_closed,
        seal=table.seal,
    )


encode_info = msgspec.json.Encoder().encode
decode_info = msgspec.json.Decoder(TableInfo).decode


class InfoTemplate(NamedTuple):
    """A table's information as JSON, split at the numbers that a move changes."""

    seats: tuple[int, ...]
    """Seats whose banks are left out."""
    up_to_banks: tuple[bytes, ...]
    up_to_numbers: bytes
    rest: bytes

    @classmethod
    def of(cls, info: TableInfo) -> "InfoTemplate":
        with_banks = tuple([at for at, seat in enumerate(info.seats) if seat.kind in ("person", "bot")])
        seats = [
            replace(seat, bank=BLANK) if at in with_banks else seat for at, seat in enumerate(info.seats)
        ]
        blank = replace(info, seats=tuple(seats), round=BLANK, actor=BLANK, deadline=BLANK)
        head, _, rest = encode_info(blank).partition(NUMBERS)
        *up_to_banks, up_to_numbers = head.split(BANK)
        return cls(with_banks, tuple(up_to_banks), up_to_numbers, rest)

    def filled(self, table: Table) -> bytes:
        banks = None if table.clock is None else table.clock.banks
        round_number = None if table.game is None else table.game.round
        pieces: list[bytes] = []
        for seat, piece in zip(self.seats, self.up_to_banks, strict=True):
            pieces += piece, b'"bank":%b}' % _number(None if banks is None else banks[seat])
        numbers = _number(round_number), _number(table.actor), _number(table.deadline)
        pieces += self.up_to_numbers, b'"round":%b,"actor":%b,"deadline":%b' % numbers, self.rest
        return b"".join(pieces)


def _number(number: int | None) -> bytes:
    return b"null" if number is None else b"%d" % number


def info_json(table: Table) -> bytes:
    """Encode ``table_info`` as JSON; after a move, only the numbers in the last call's text are replaced."""
    if table.info_template is None:
        table.info_template = InfoTemplate.of(table_info(table))
    return table.info_template.filled(table)


def listing_of(table: Table, pace: Pace) -> Listing:
    people = tuple([place.person or place.reserved_for for place in table.seats])
    return Listing(
        table=table.id,
        status=table.status,
        is_listed=table.settings.is_listed,
        people=people if table.owner in people else (*people, table.owner),
        actor=table.actor,
        due=due_at(table, pace),
        updated=table.updated,
        info=info_json(table),
        opened=table.opened,
        lobby=lobby_rank(table),
    )


def lobby_rank(table: Table) -> int | None:
    """Return a table's rank in the lobby: those that can be joined come first."""
    if not table.settings.is_listed:
        return None
    if table.status is Status.OPEN:
        has_room = any(place.is_free and place.reserved_for is None for place in table.seats)
        return JOINABLE if has_room else FULL
    return IN_PLAY if table.status is Status.RUNNING else None


def due_at(table: Table, pace: Pace) -> int | None:
    """Return when the server must next act: for a bot's move, a time-out, or to close the table."""
    untouched = table.updated + credited(table.updated, FOREVER, table.outages)
    if table.status is Status.OPEN:
        return untouched + (OPEN_TIMEOUT if table.seal is None else SEALED_TIMEOUT)
    actor = table.actor
    if actor is None:
        return None
    if table.seats[actor].is_played_by_bot and table.is_attended:
        return table.updated + pace.bot_pause + pace.bot_grace
    if table.deadline is not None:
        return table.deadline
    # Rounded up, so that most moves need not store it again.
    step = max(1, pace.abandoned_after // ABANDONED_STEPS)
    return -(-(untouched + pace.abandoned_after) // step) * step


def results_of(table: Table) -> tuple[SeatResult, ...]:
    """Return the results by seat, without the Ghost (R10.8); empty before the game is over."""
    game = table.game
    result = None if game is None else game.result()
    if game is None or result is None:
        return ()
    return tuple(
        SeatResult(
            seat=seat,
            person=place.person,
            kind=place.kind,
            players=game.players,
            collectors=game.collectors,
            score=result["scores"][seat],
            place=result["places"][seat],
            is_winner=seat in result["winners"],
        )
        for seat, place in enumerate(table.seats)
    )
