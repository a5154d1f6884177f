"""Tells whoever wants to know what was kept: readers at the table, the lobby, people with games elsewhere."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.access import may_look, only_seat
from royalcrypt.server.connections import Connection
from royalcrypt.server.hub import Hub
from royalcrypt.server.telling import Telling, shown
from royalcrypt.server.wire.messages import (
    ChatLine,
    GameLine,
    Games,
    Gone,
    Lobby,
    Presence,
    encode_message,
    reason_of,
    written,
)
from royalcrypt.tables.entries import AnyEntry
from royalcrypt.tables.journal import Listing, Status
from royalcrypt.tables.listings import decode_info, encode_info, table_info
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import Audience


class Cause(NamedTuple):
    """The message that brought a change about; its sender's copy says so."""

    connection: Connection
    re: int | None


class Messenger(Protocol):
    """Tells other processes."""

    def moved(self, table: Table) -> None: ...

    def listed(self, table: str, people: set[str], *, is_for_lobby: bool) -> None: ...

    def announce(self, table: str) -> None: ...


class Teller:
    def __init__(self, hub: Hub, *, gathers: bool = False) -> None:
        self.hub = hub
        self._gathers = gathers
        """Whether those at one table can be led to one process."""
        self.messenger: Messenger | None = None
        self._lobby: dict[str, bytes | None] = {}
        """Listed tables that changed since the lobby was told; None for those that are gone."""

    def is_watched(self, table: str) -> bool:
        return table in self.hub.watchers

    def tell(self, entry: AnyEntry, before: Table, after: Table, cause: object) -> None:
        telling = Telling(entry, before, after)
        self._tell_here(telling, before, cause)
        if self.messenger is not None:
            self._tell_elsewhere(self.messenger, telling, before)

    def tell_here(self, entry: AnyEntry, before: Table, after: Table) -> None:
        self._tell_here(Telling(entry, before, after), before, None)

    def _tell_here(self, telling: Telling, before: Table, cause: object) -> None:
        after = telling.table
        for connection, seat in self.hub.watching(after.id):
            seat_now = self._seat_now(connection, seat, after)
            if seat_now is None and not may_look(after, connection.person, is_invited=True):
                self._show_out(connection, after.id)
                continue
            re = cause.re if isinstance(cause, Cause) and cause.connection is connection else None
            connection.push(telling.update(connection.person, seat_now, re))
        if not telling.is_move and has_new_people(before, after):
            self.hub.stirred.add(after.id)
        self._note_for_lobby(before, after, is_move=telling.is_move)
        if not telling.is_move or before.actor != after.actor:
            self._tell_owners_of_seats(before, after)

    def _tell_elsewhere(self, messenger: Messenger, telling: Telling, before: Table) -> None:
        after, is_move = telling.table, telling.is_move
        messenger.moved(after)
        is_for_lobby = _concerns_lobby(before, after, is_move=is_move)
        people = _owners_of_seats(before, after) if not is_move or before.actor != after.actor else set[str]()
        if is_for_lobby or people:
            messenger.listed(after.id, people, is_for_lobby=is_for_lobby)

    def talk(self, table: Table, audience: Audience, message: bytes) -> None:
        """What spectators say among themselves is nothing for players: it could be advice."""
        seated = {place.person for place in table.seats}
        for connection, _ in self.hub.watching(table.id):
            if audience is Audience.TABLE or connection.person not in seated:
                connection.push(message)

    def retell(self, before: Table, after: Table, chat: Mapping[Audience, list[ChatLine]]) -> None:
        """A table was rewritten, without anything having happened; ``chat`` is what each reads there."""
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
        self._note_for_lobby(before, after, is_move=False)
        self._tell_owners_of_seats(before, after)

    def _seat_now(self, connection: Connection, seat: int | None, after: Table) -> int | None:
        """Who sits down sees their seat's view, who gets up a spectator's."""
        if seat is not None and after.seats[seat].person == connection.person:
            return seat
        found = only_seat(after, connection.person)
        if found != seat:
            self.hub.watch(connection, after.id, found)
        return found

    def _show_out(self, connection: Connection, table: str) -> None:
        self.hub.unwatch(connection, table)
        connection.push(encode_message(Gone(table=table, reason=reason_of(Refusal(Reason.NO_SPECTATORS)))))

    def _note_for_lobby(self, before: Table, after: Table, *, is_move: bool) -> None:
        if _concerns_lobby(before, after, is_move=is_move):
            is_shown = after.status in (Status.OPEN, Status.RUNNING)
            self._lobby[after.id] = encode_info(table_info(after)) if is_shown else None

    def _tell_owners_of_seats(self, before: Table, after: Table) -> None:
        for person in _owners_of_seats(before, after):
            readers = [one for one in self.hub.of_person.get(person, ()) if one.follows_games]
            if readers:
                message = encode_message(Games(games=[game_line(after, person)], is_change=True))
                for reader in readers:
                    reader.push_change(message)

    def flush(self, table_in_use: Callable[[str], Table | None]) -> None:
        """Tell, all at once, what may wait a moment: the lobby's changes, and who has come and gone."""
        if self._lobby:
            changed = [written(info) for info in self._lobby.values() if info is not None]
            gone = [table for table, info in self._lobby.items() if info is None]
            self._lobby.clear()
            message = encode_message(Lobby(tables=changed, gone=gone, is_change=True))
            for reader in list(self.hub.lobby):
                reader.push_change(message)
        if self.messenger is not None:
            for table_id in self.hub.stirred:
                self.messenger.announce(table_id)
        for table_id in self.hub.stirred | self.hub.stirred_elsewhere:
            table = table_in_use(table_id)
            if table is not None:
                message = encode_message(
                    Presence(
                        table=table_id,
                        present=self.hub.present(table),
                        spectators=self.hub.spectators(table),
                        is_apart=self._gathers and bool(self.hub.elsewhere(table_id)),
                    )
                )
                self.hub.push_all(self.hub.watchers.get(table_id, ()), message)
        self.hub.stirred.clear()
        self.hub.stirred_elsewhere.clear()


def _concerns_lobby(before: Table, after: Table, *, is_move: bool) -> bool:
    if not after.settings.is_listed:
        return False
    is_same_round = (
        before.game is not None and after.game is not None and before.game.round == after.game.round
    )
    return not (is_move and is_same_round and before.status is after.status)


def _owners_of_seats(before: Table, after: Table) -> set[str]:
    people = {place.person or place.reserved_for for place in (*before.seats, *after.seats)}
    people |= {after.owner} if before.ply == 0 else {before.owner, after.owner}
    return {person for person in people if person}


def has_new_people(before: Table, after: Table) -> bool:
    return [place.person for place in before.seats] != [place.person for place in after.seats]


def game_line_of(listing: Listing, person: str) -> GameLine:
    """The same, read off a list."""
    info = decode_info(listing.info)
    seats = tuple(
        seat for seat, held in enumerate(info.seats) if held.kind == "person" and held.person == person
    )
    is_turn = listing.actor in seats and info.seats[listing.actor or 0].taken_over is None
    return GameLine(info=info, seats=seats, is_your_turn=is_turn, updated=listing.updated)


def game_line(table: Table, person: str) -> GameLine:
    seats = tuple(table.seats_of(person))
    return GameLine(
        info=table_info(table),
        seats=seats,
        is_your_turn=table.actor in seats and table.seats[table.actor or 0].taken_over is None,
        updated=table.updated,
    )
