"""What others than its own sockets must know of a table: the lobby, lists of games, and the sweeper."""

from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from royalcrypt.tables.clocks import FOREVER, credited
from royalcrypt.tables.entries import WhyClosed
from royalcrypt.tables.forms import InfoForm
from royalcrypt.tables.journal import Listing, Status
from royalcrypt.tables.seats import SeatInfo, seat_info
from royalcrypt.tables.settings import DAY, TableSettings
from royalcrypt.tables.table import Table

BLANK = msgspec.Raw(b"")
OPEN_LASTS = DAY
"""A table at which nothing happens before the start is closed after this."""
SEALED_LASTS = 7 * DAY
"""One of several with the same secret: its people were asked to come, which takes longer."""


class Pace(NamedTuple):
    """How long the server lets pass, in milliseconds: before a bot moves, and before a table is abandoned."""

    bot_pause: int = 900
    patience: int = 30 * DAY
    bot_grace: int = 0
    """How much longer a bot may take before another process moves for it."""


class TableInfo(msgspec.Struct, frozen=True, gc=False):
    """A table as everybody who may see it sees it."""

    table: str
    status: Status
    settings: TableSettings
    seats: tuple[SeatInfo, ...]
    owner: str
    opened: int
    commitment: str
    """SHA-256 of the secret from which all chance comes (RECORD.md)."""
    collectors: str | None = None
    """As drawn at the start."""
    round: int | None = None
    actor: int | None = None
    deadline: int | None = None
    """When the time of the seat to decide runs out, in ms since 1970."""
    started: int | None = None
    follows: str | None = None
    followed_by: str | None = None
    why_closed: WhyClosed | None = None
    seal: str | None = None
    """``daily:2026-11-17`` or ``duplicate:ID``, where the secret is shared with other tables."""


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


def info_json(table: Table) -> bytes:
    """``table_info`` as JSON."""
    if table.form is None:
        table.form = _form(table_info(table))
    return table.form.filled(
        banks=None if table.clock is None else table.clock.banks,
        round_number=None if table.game is None else table.game.round,
        actor=table.actor,
        deadline=table.deadline,
    )


def _form(info: TableInfo) -> InfoForm:
    with_banks = tuple([number for number, seat in enumerate(info.seats) if seat.kind in ("person", "bot")])
    seats = [
        replace(seat, bank=BLANK) if number in with_banks else seat for number, seat in enumerate(info.seats)
    ]
    blank = replace(info, seats=tuple(seats), round=BLANK, actor=BLANK, deadline=BLANK)
    return InfoForm.of(encode_info(blank), with_banks)


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
        told=info_json(table),
    )


def due_at(table: Table, pace: Pace) -> int | None:
    """When the table next needs the server: a bot's move, the end of somebody's time, or of patience."""
    untouched = table.updated + credited(table.updated, FOREVER, table.outages)
    if table.status is Status.OPEN:
        return untouched + (OPEN_LASTS if table.seal is None else SEALED_LASTS)
    actor = table.actor
    if actor is None:
        return None
    if table.seats[actor].is_played_by_bot and table.is_attended:
        return table.updated + pace.bot_pause + pace.bot_grace
    return table.deadline or untouched + pace.patience
