"""Broadcast of stored table changes to watchers, the lobby, and the players' game lists."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.access import may_look, only_seat
from royalcrypt.server.sockets.connection import Connection
from royalcrypt.server.sockets.hub import Hub
from royalcrypt.server.sockets.updates import TableUpdate, shown
from royalcrypt.server.wire.messages import (
    ChatLine,
    GameLine,
    Games,
    Gone,
    Lobby,
    Presence,
    encode_message,
    raw_json,
    reason_of,
)
from royalcrypt.tables.entries import AnyEntry
from royalcrypt.tables.journal import Listing, Status
from royalcrypt.tables.listings import decode_info, encode_info, table_info
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import Audience


class Trigger(NamedTuple):
    """The socket command that caused a change; the sender's update repeats its id as ``re``."""

    connection: Connection
    re: int | None


class PeerPublisher(Protocol):
    """Interface for sending hints to other processes."""

    def publish_change(self, table: Table) -> None: ...

    def publish_listing(self, table: str, people: set[str], *, is_for_lobby: bool) -> None: ...

    def publish_presence(self, *tables: str) -> None: ...


class Broadcaster:
    def __init__(self, hub: Hub, *, gathers: bool = False) -> None:
        self.hub = hub
        self._gathers = gathers
        """Whether the proxy can route all sockets of one table to the same process."""
        self.peers: PeerPublisher | None = None
        self._lobby: dict[str, bytes | None] = {}
        """Maps each listed table changed since the last flush to its encoded line; None if it was removed."""

    def is_watched(self, table: str) -> bool:
        return table in self.hub.watchers

    def on_change(self, entry: AnyEntry, before: Table, after: Table, trigger: object) -> None:
        """Broadcast a change that this process has stored."""
        update = TableUpdate(entry, before, after)
        people = self._send(update, before, trigger)
        if self.peers is not None:
            self.peers.publish_change(after)
            is_for_lobby = _concerns_lobby(before, after, is_move=update.is_move)
            if is_for_lobby or people:
                self.peers.publish_listing(after.id, people, is_for_lobby=is_for_lobby)

    def on_remote_change(self, entry: AnyEntry, before: Table, after: Table) -> None:
        """Broadcast a change that another process has stored."""
        self._send(TableUpdate(entry, before, after), before, None)

    def _send(self, update: TableUpdate, before: Table, trigger: object) -> set[str]:
        """Send an update to all watchers; returns the people whose list of games changes."""
        after = update.table
        for connection, seat in self.hub.watching(after.id):
            seat_now = self._seat_now(connection, seat, after)
            if seat_now is None and not may_look(after, connection.person, is_invited=True):
                self._remove_spectator(connection, after.id)
                continue
            re = trigger.re if isinstance(trigger, Trigger) and trigger.connection is connection else None
            connection.push(update.update(connection.person, seat_now, re))
        if not update.is_move and has_new_people(before, after):
            self.hub.presence_changed.add(after.id)
        self._queue_for_lobby(before, after, is_move=update.is_move)
        if update.is_move and before.actor == after.actor:
            return set()
        return self._send_games(before, after)

    def broadcast_chat(self, table: Table, audience: Audience, message: bytes) -> None:
        """Send a chat message; spectators' chat is not sent to players, because it could be advice."""
        seated = {place.person for place in table.seats}
        for connection, _ in self.hub.watching(table.id):
            if audience is Audience.TABLE or connection.person not in seated:
                connection.push(message)

    def broadcast_rewrite(self, before: Table, after: Table, chat: Mapping[Audience, list[ChatLine]]) -> None:
        """Send the whole table after its journal was rewritten; ``chat`` contains each audience's lines."""
        since = 0 if after.game is None else len(after.game.events)
        for connection, seat in self.hub.watching(after.id):
            audience = Audience.TABLE if after.seats_of(connection.person) else Audience.SPECTATORS
            connection.push(
                shown(
                    after,
                    connection.person,
                    seat,
                    since=since,
                    chat=chat[audience],
                    present=self.hub.present(after),
                    spectators=self.hub.spectators(after),
                    re=None,
                )
            )
        self._queue_for_lobby(before, after, is_move=False)
        self._send_games(before, after)

    def _seat_now(self, connection: Connection, seat: int | None, after: Table) -> int | None:
        """Return the seat whose view is sent; it changes when the person takes or leaves a seat."""
        if seat is not None and after.seats[seat].person == connection.person:
            return seat
        found = only_seat(after, connection.person)
        if found != seat:
            self.hub.watch(connection, after.id, found)
        return found

    def _remove_spectator(self, connection: Connection, table: str) -> None:
        self.hub.unwatch(connection, table)
        connection.push(encode_message(Gone(table=table, reason=reason_of(Refusal(Reason.NO_SPECTATORS)))))

    def _queue_for_lobby(self, before: Table, after: Table, *, is_move: bool) -> None:
        if _concerns_lobby(before, after, is_move=is_move):
            is_shown = after.status in (Status.OPEN, Status.RUNNING)
            self._lobby[after.id] = encode_info(table_info(after)) if is_shown else None

    def _send_games(self, before: Table, after: Table) -> set[str]:
        """Send the game's line to its people who follow their games; returns all its people."""
        people = {place.person or place.reserved_for for place in (*before.seats, *after.seats)}
        people |= {after.owner} if before.ply == 0 else {before.owner, after.owner}
        found = {person for person in people if person}
        for person in found:
            if followers := self.hub.followers(person):
                games = Games(games=[game_line(after, person)], is_change=True)
                self.hub.push_changes(followers, encode_message(games))
        return found

    def flush(self, table_in_use: Callable[[str], Table | None]) -> None:
        """Send the delayed changes of the lobby and of presence."""
        if self._lobby:
            changed = [raw_json(info) for info in self._lobby.values() if info is not None]
            gone = [table for table, info in self._lobby.items() if info is None]
            self._lobby.clear()
            message = encode_message(Lobby(tables=changed, gone=gone, is_change=True))
            self.hub.push_changes(self.hub.lobby, message)
        if self.peers is not None:
            self.peers.publish_presence(*self.hub.presence_changed)
        for table_id in self.hub.presence_changed | self.hub.remote_presence_changed:
            table = table_in_use(table_id)
            if table is not None:
                message = encode_message(
                    Presence(
                        table=table_id,
                        present=self.hub.present(table),
                        spectators=self.hub.spectators(table),
                        is_apart=self._gathers and bool(self.hub.remote_presence(table_id)),
                    )
                )
                self.hub.push_all(self.hub.watchers.get(table_id, ()), message)
        self.hub.presence_changed.clear()
        self.hub.remote_presence_changed.clear()


def _concerns_lobby(before: Table, after: Table, *, is_move: bool) -> bool:
    if not after.settings.is_listed:
        return False
    is_same_round = (
        before.game is not None and after.game is not None and before.game.round == after.game.round
    )
    return not (is_move and is_same_round and before.status is after.status)


def has_new_people(before: Table, after: Table) -> bool:
    return [place.person for place in before.seats] != [place.person for place in after.seats]


def game_line_of(listing: Listing, person: str) -> GameLine:
    """Build the line of a person's game from its stored listing."""
    info = decode_info(listing.info)
    seats = tuple(
        seat for seat, held in enumerate(info.seats) if held.kind == "person" and held.person == person
    )
    is_turn = listing.actor in seats and info.seats[listing.actor or 0].taken_over is None
    return GameLine(info=info, seats=seats, is_your_turn=is_turn, updated=listing.updated)


def game_line(table: Table, person: str) -> GameLine:
    """Build the line of a person's game from its loaded table."""
    seats = tuple(table.seats_of(person))
    return GameLine(
        info=table_info(table),
        seats=seats,
        is_your_turn=table.actor in seats and table.seats[table.actor or 0].taken_over is None,
        updated=table.updated,
    )
