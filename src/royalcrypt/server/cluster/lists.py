"""The lobby and people's lists of games, where the table that changed is in another process's hands."""

from royalcrypt.server.hub import Hub
from royalcrypt.server.teller import game_line_of
from royalcrypt.server.wire.messages import Games, Lobby, encode_message, written
from royalcrypt.storage import SqlJournal
from royalcrypt.tables.journal import Listing, Status

MOST_AT_ONCE = 500


class Lists:
    def __init__(self, hub: Hub, journal: SqlJournal) -> None:
        self._hub = hub
        self._journal = journal
        self._changed: dict[str, None] = {}

    def note(self, *tables: str) -> None:
        self._changed.update(dict.fromkeys(tables))

    async def flush(self) -> None:
        """Read the lines that changed, all at once, and pass them on to whoever follows them here."""
        if not self._changed:
            return
        wanted = list(self._changed)[:MOST_AT_ONCE]
        for table in wanted:
            del self._changed[table]
        listings = await self._journal.listings_at(wanted)
        self._tell_lobby(listings)
        for listing in listings:
            self._tell_people(listing)

    def _tell_lobby(self, listings: list[Listing]) -> None:
        listed = [listing for listing in listings if listing.is_listed]
        if not listed or not self._hub.lobby:
            return
        shown = [listing for listing in listed if listing.status in (Status.OPEN, Status.RUNNING)]
        gone = [listing.table for listing in listed if listing not in shown]
        message = encode_message(
            Lobby(tables=[written(listing.told) for listing in shown], gone=gone, is_change=True)
        )
        for reader in list(self._hub.lobby):
            reader.push_change(message)

    def _tell_people(self, listing: Listing) -> None:
        for person in set(listing.people) - {None}:
            readers = [one for one in self._hub.of_person.get(person or "", ()) if one.follows_games]
            if readers:
                line = game_line_of(listing, person or "")
                message = encode_message(Games(games=[line], is_change=True))
                for reader in readers:
                    reader.push_change(message)
