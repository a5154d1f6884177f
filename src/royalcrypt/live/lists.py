"""The lobby and people's lists of their games."""

from collections.abc import Mapping
from itertools import islice

from royalcrypt.live.changes import Change, is_shown, people_of
from royalcrypt.live.connection import Connection
from royalcrypt.live.hub import Hub
from royalcrypt.live.stores import LobbyKey, TableJournal
from royalcrypt.live.wire.messages import GameLine, Games, Lobby, LobbyPage, encode_message, raw_json
from royalcrypt.tables.journal import Listing, Status
from royalcrypt.tables.listings import decode_info, encode_info, table_info
from royalcrypt.tables.table import Table

LOBBY_PAGE = 100
"""Maximum number of tables in a message about the lobby, of some 700 bytes each."""


class Lists:
    """Sends the lists to connections that follow them, then each change; changes of the lobby are batched."""

    def __init__(self, hub: Hub, journal: TableJournal) -> None:
        self._hub = hub
        self._journal = journal
        self._lobby: dict[str, bytes | None] = {}
        """Maps listed tables with changes to be sent to their encoded lines; None if a table was removed."""

    def on_change(self, change: Change) -> None:
        if change.concerns_lobby:
            self._queue_for_lobby(change.after)
        if change.is_decided:
            self._send_games(change.after, change.people)

    def on_rewritten(self, before: Table, after: Table) -> None:
        """Send the lines of a table whose journal was rewritten."""
        if after.settings.is_listed:
            self._queue_for_lobby(after)
        self._send_games(after, people_of(before, after))

    def _queue_for_lobby(self, table: Table) -> None:
        self._lobby[table.id] = encode_info(table_info(table)) if is_shown(table.status) else None

    def _send_games(self, table: Table, people: set[str]) -> None:
        for person in people:
            if followers := self._hub.followers(person):
                games = Games(games=[game_line(table, person)], is_change=True)
                self._hub.push_changes(followers, encode_message(games))

    def flush(self) -> None:
        """Send the changes of the lobby since the last flush; beyond a page, they wait for the next."""
        tables = list(islice(self._lobby, LOBBY_PAGE))
        self.send_to_lobby({table: self._lobby.pop(table) for table in tables})

    def send_to_lobby(self, lines: Mapping[str, bytes | None]) -> None:
        """Send the encoded lines of changed tables; None means that the table is gone."""
        if not lines or not self._hub.lobby:
            return
        changed = [raw_json(info) for info in lines.values() if info is not None]
        gone = [table for table, info in lines.items() if info is None]
        message = encode_message(Lobby(tables=changed, gone=gone, is_change=True))
        self._hub.push_changes(self._hub.lobby, message)

    async def follow(self, connection: Connection, *, lobby: bool, games: bool) -> None:
        """Send the lists, then the changes that arrived while the lists were read."""
        self._hub.follow_games(connection, is_following=games)
        self._hub.lobby.discard(connection)
        connection.held = []
        try:
            if lobby:
                self._hub.lobby.add(connection)
                page = await self.lobby()
                connection.push(encode_message(Lobby(tables=page.tables, next=page.next)))
            if games:
                connection.push(encode_message(Games(games=await self.games_of(connection.person))))
        finally:
            held, connection.held = connection.held, None
            for message in held:
                connection.push(message)

    async def lobby(self, after: str | None = None) -> LobbyPage:
        """Return one page of the lobby; ``after`` is the previous page's ``next``."""
        key = None if after is None else LobbyKey.parse(after)
        found = await self._journal.lobby(after=key, limit=LOBBY_PAGE + 1)
        shown = found[:LOBBY_PAGE]
        following = str(LobbyKey.of(shown[-1])) if len(found) > LOBBY_PAGE else None
        return LobbyPage([raw_json(listing.info) for listing in shown], following)

    async def games_of(self, person: str) -> list[GameLine]:
        """Return a person's open and running games."""
        return [game_line_of(listing, person) for listing in await self._journal.listings_of(person)]

    async def all_games_of(self, person: str) -> list[GameLine]:
        """Return a person's open and running games, then recently finished ones."""
        finished = await self._journal.listings_of(person, (Status.OVER,))
        return [*await self.games_of(person), *(game_line_of(listing, person) for listing in finished)]


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
