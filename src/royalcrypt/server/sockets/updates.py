"""Encoding of messages about a table, for each reader only from their seat's view and events."""

from typing import NamedTuple

from royalcrypt.notation.events import Event, Reveal
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.redaction import News
from royalcrypt.server.wire.messages import (
    ChatLine,
    Refused,
    Shown,
    Tick,
    Update,
    You,
    encode_message,
    raw_json,
    reason_of,
)
from royalcrypt.storage.table_data import StoredChatLine
from royalcrypt.tables.entries import AnyEntry, Moved
from royalcrypt.tables.listings import encode_info, table_info
from royalcrypt.tables.table import Table

NOTHING = raw_json(b"")
GAP = b'"events":,"view":'
"""Placeholder for events and view in a template; no text contains it, because JSON escapes quotes."""


def view_json(table: Table, seat: int | None) -> bytes | None:
    if table.game is None:
        return None
    return table.game.view_json(seat, remembers=table.settings.remembers)


def events_json(table: Table, seat: int | None, since: int) -> bytes:
    """Encode the events from ``since`` on; if the setting ``remembers`` is off, only this round's."""
    game = table.game
    if game is not None and not table.settings.remembers and not game.is_over:
        since = max(since, _round_start(game.events))
    return new_events_json(table, seat, since)


def new_events_json(table: Table, seat: int | None, since: int) -> bytes:
    """Encode all events from ``since`` on, for readers who have not received them yet."""
    return b"[]" if table.game is None else table.game.news(since).for_viewer(seat)


def _round_start(events: list[Event]) -> int:
    return next(n for n in range(len(events) - 1, -1, -1) if isinstance(events[n], Reveal))


def you_at(table: Table, person: str, seat: int | None) -> You:
    seats = tuple(table.seats_of(person))
    is_owner = table.owner == person
    return You(
        seats=seats,
        seat=seat,
        is_owner=is_owner,
        invite=table.invite if seats or is_owner else None,
        away_since=None if seat is None else table.seats[seat].away_since,
    )


def shown(
    table: Table,
    person: str,
    seat: int | None,
    *,
    since: int = 0,
    chat: list[ChatLine],
    present: tuple[bool, ...],
    spectators: int,
    re: int | None,
) -> bytes:
    """Encode a ``Shown`` message with the whole table."""
    view = view_json(table, seat)
    return encode_message(
        Shown(
            table=table.id,
            ply=table.ply,
            you=you_at(table, person, seat),
            info=table_info(table),
            view=None if view is None else raw_json(view),
            events=raw_json(events_json(table, seat, since)),
            chat=chat,
            present=present,
            spectators=spectators,
            re=re,
        )
    )


def refused(
    refusal: Refusal, *, re: int | None, table: Table | None = None, seat: int | None = None
) -> bytes:
    """Encode a refusal with its reason and a fresh view of the table, if there is one."""
    view = None if table is None else view_json(table, seat)
    return encode_message(
        Refused(
            reason=reason_of(refusal),
            table=None if table is None else table.id,
            ply=None if table is None else table.ply,
            view=None if view is None else raw_json(view),
            re=re,
        )
    )


class UpdateTemplate(NamedTuple):
    """The parts of an encoded update around events and view, which are equal for all readers."""

    before: bytes
    after: bytes

    @classmethod
    def of(
        cls, table: str, ply: int, *, clock: Tick | None, by_bot: bool, re: int | None
    ) -> "UpdateTemplate":
        update = Update(table=table, ply=ply, events=NOTHING, view=NOTHING, clock=clock, by_bot=by_bot, re=re)
        before, _, after = encode_message(update).partition(GAP)
        return cls(before, after)

    def around(self, events: bytes, view: bytes) -> bytes:
        """Return the complete update with these events and this view."""
        return b"".join((self.before, b'"events":', events, b',"view":', view, self.after))


class TableUpdate:
    """One table change, encoded for each reader; each seat's view and events are encoded only once."""

    def __init__(self, entry: AnyEntry, before: Table, after: Table) -> None:
        self.entry = entry
        self.table = after
        self.since = 0 if before.game is None else len(before.game.events)
        self.is_move = isinstance(entry, Moved)
        self.info = None if self.is_move else encode_info(table_info(after))
        self._by_seat: dict[int | None, tuple[bytes | None, bytes]] = {}
        self._news: News | None = None
        self._template: UpdateTemplate | None = None

    def update(self, person: str, seat: int | None, re: int | None = None) -> bytes:
        view, events = self._of(seat)
        if self.is_move and view is not None:
            return self._template_for(re).around(events, view)
        return encode_message(
            Update(
                table=self.table.id,
                ply=self.table.ply,
                events=raw_json(events),
                view=None if view is None else raw_json(view),
                info=None if self.info is None else raw_json(self.info),
                you=you_at(self.table, person, seat),
                clock=self._clock(),
                re=re,
            )
        )

    def _of(self, seat: int | None) -> tuple[bytes | None, bytes]:
        if seat not in self._by_seat:
            self._by_seat[seat] = view_json(self.table, seat), self._new_events_for(seat)
        return self._by_seat[seat]

    def _new_events_for(self, seat: int | None) -> bytes:
        if self.table.game is None:
            return b"[]"
        if self._news is None:
            self._news = self.table.game.news(self.since)
        return self._news.for_viewer(seat)

    def _template_for(self, re: int | None) -> UpdateTemplate:
        """Return the template; only the copy for the sender of the command has ``re``, the command's id."""
        if re is not None or self._template is None:
            by_bot = isinstance(self.entry, Moved) and self.entry.is_bots
            template = UpdateTemplate.of(
                self.table.id, self.table.ply, clock=self._clock(), by_bot=by_bot, re=re
            )
            if re is not None:
                return template
            self._template = template
        return self._template

    def _clock(self) -> Tick | None:
        clock = self.table.clock
        return None if clock is None else Tick(self.table.deadline, clock.banks)


def chat_line(line: StoredChatLine) -> ChatLine:
    return ChatLine(
        id=line.id, audience=line.audience, person=line.person, name=line.name, text=line.text, at=line.at
    )
