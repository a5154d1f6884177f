"""Messages about tables, for each reader only from their seat's view and events."""

import logging
from typing import Any

from royalcrypt.live.access import may_look, only_seat
from royalcrypt.live.changes import Change
from royalcrypt.live.connection import Close, Connection
from royalcrypt.live.hub import Hub
from royalcrypt.live.stores import StoredChatLine
from royalcrypt.live.wire.messages import (
    ChatLine,
    Gone,
    Refused,
    Shown,
    Tick,
    Update,
    You,
    encode_message,
    raw_json,
    reason_of,
)
from royalcrypt.notation.events import Event, Reveal
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.view_changes import changes_between
from royalcrypt.tables.entries import Moved
from royalcrypt.tables.listings import encode_info, table_info
from royalcrypt.tables.table import Table

log = logging.getLogger(__name__)


def events_json(table: Table, seat: int | None, since: int) -> bytes:
    """Encode the events from ``since`` on; if the setting ``remembers`` is off, only this round's."""
    game = table.game
    if game is not None and not table.settings.remembers and not game.is_over:
        since = max(since, _round_start(game.events))
    return b"[]" if game is None else game.news(since).for_viewer(seat)


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
    return encode_message(
        Shown(
            table=table.id,
            ply=table.ply,
            you=you_at(table, person, seat),
            info=table_info(table),
            view=table.view(seat),
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
    return encode_message(
        Refused(
            reason=reason_of(refusal),
            table=None if table is None else table.id,
            ply=None if table is None else table.ply,
            view=None if table is None else table.view(seat),
            re=re,
        )
    )


def with_re(message: bytes, re: int | None) -> bytes:
    """Add the id of the command that a message answers."""
    return message if re is None else b'%b,"re":%d}' % (message[:-1], re)


class TableUpdates:
    """Sends each change of a table to the connections that watch it."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def on_change(self, change: Change) -> None:
        watchers = self._hub.watchers.get(change.after.id)
        if not watchers:
            return
        update = EncodedUpdate(change)
        if change.has_new_people:
            self._hub.presence_changed.add(change.after.id)
        for connection, seat in list(watchers.items()):
            try:
                self._send(update, connection, seat)
            except Exception:  # The others get theirs; this client comes back and watches again.
                log.exception("update failed", extra={"table": change.after.id})
                connection.close(Close.TRY_AGAIN)

    def _send(self, update: "EncodedUpdate", connection: Connection, before: int | None) -> None:
        change = update.change
        seat = before
        if not change.is_move:  # Moves change neither seats nor access.
            seat = self._seat_now(connection, before, change.after)
            if seat is None and not may_look(change.after, connection.person, is_invited=True):
                self._hub.unwatch(connection, change.after.id)
                reason = reason_of(Refusal(Reason.NO_SPECTATORS))
                connection.push(encode_message(Gone(table=change.after.id, reason=reason)))
                return
        is_complete = connection.gets_views or seat != before
        message = update.for_seat(connection.person, seat, is_complete=is_complete)
        sender = change.sender
        is_answer = sender is not None and sender.connection is connection
        connection.push(with_re(message, sender.re) if sender is not None and is_answer else message)

    def _seat_now(self, connection: Connection, seat: int | None, after: Table) -> int | None:
        """Return the seat whose view is sent; it changes when the person takes or leaves a seat."""
        if seat is not None and after.seats[seat].person == connection.person:
            return seat
        found = only_seat(after, connection.person)
        if found != seat:
            self._hub.watch(connection, after.id, found)
        return found


class EncodedUpdate:
    """One change, encoded for each reader; what is equal for several readers is encoded once."""

    def __init__(self, change: Change) -> None:
        self.change = change
        before, after = change.before, change.after
        since = 0 if before.game is None else len(before.game.events)
        self._news = None if after.game is None or after.game is before.game else after.game.news(since)
        self._info = None if change.is_move else raw_json(encode_info(table_info(after)))
        self._clock = None if after.clock is None else Tick(after.deadline, after.clock.banks)
        self._by_bot = isinstance(change.entry, Moved) and change.entry.is_bots
        self._of_moves: dict[tuple[int | None, bool], bytes] = {}

    def for_seat(self, person: str, seat: int | None, *, is_complete: bool) -> bytes:
        """Return the update for a reader; ``is_complete`` adds the view instead of its changes."""
        if not self.change.is_move:
            return self._encode(seat, you_at(self.change.after, person, seat), is_complete=is_complete)
        found = self._of_moves.get((seat, is_complete))
        if found is None:
            found = self._of_moves[seat, is_complete] = self._encode(seat, None, is_complete=is_complete)
        return found

    def _encode(self, seat: int | None, you: You | None, *, is_complete: bool) -> bytes:
        after = self.change.after
        before, parts = self.change.before.view_parts(seat), after.view_parts(seat)
        changes = view = None
        if is_complete or before is None:
            view = after.view(seat)
        elif parts is not None:
            changes = changes_between(before, parts) or None
        return encode_message(
            Update(
                table=after.id,
                ply=after.ply,
                events=self._events(seat, is_complete=is_complete),
                view=view,
                changes=changes,
                info=self._info,
                you=you,
                clock=self._clock,
                by_bot=self._by_bot,
            )
        )

    def _events(self, seat: int | None, *, is_complete: bool) -> Any:
        """The new events as JSON. Protocol 1 has promised them in every update, also where there are none."""
        if self._news is not None:
            return raw_json(self._news.for_viewer(seat))
        return raw_json(b"[]") if is_complete else []


def chat_line(line: StoredChatLine) -> ChatLine:
    return ChatLine(
        id=line.id, audience=line.audience, person=line.person, name=line.name, text=line.text, at=line.at
    )
