"""The lobby and people's lists of games, where the table that changed is in another process's hands."""

from collections.abc import Callable

from royalcrypt.server.hub import Hub
from royalcrypt.server.teller import game_line_of
from royalcrypt.server.wire.messages import Games, Lobby, encode_message, written
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.tables.journal import Listing, Status

MOST_AT_ONCE = 500
MOST_MISSED = 20
"""Tables of one person that may have changed while they began to follow their games."""
CLOCKS_APART = 5_000
"""Milliseconds by which machines may disagree about the time."""


class Lists:
    def __init__(self, hub: Hub, journal: SqlJournal, clock: Callable[[], int]) -> None:
        self._hub = hub
        self._journal = journal
        self._now = clock
        self._changed: dict[str, None] = {}
        self._newcomers: dict[str, int] = {}
        """People who began to follow their games, and when, of whom other processes are not heard yet."""
        self._missed: dict[str, int] = {}
        """Those of whom it is heard by now, and since when they may have missed something."""

    def note(self, *tables: str) -> None:
        self._changed.update(dict.fromkeys(tables))

    def begin_following(self, person: str) -> None:
        """Somebody reads the list of their games; what others change meanwhile may be heard or not."""
        self._newcomers[person] = self._now()

    def now_hearing(self, person: str) -> None:
        """From now on all is heard; what they may have missed is told them once more."""
        began = self._newcomers.pop(person, None)
        if began is not None:
            self._missed[person] = began

    def end_following(self, person: str) -> None:
        self._newcomers.pop(person, None)
        self._missed.pop(person, None)

    async def flush(self) -> None:
        """Read the lines that changed, all at once, and pass them on to whoever follows them here."""
        await self._make_up()
        if not self._changed:
            return
        wanted = list(self._changed)[:MOST_AT_ONCE]
        for table in wanted:
            del self._changed[table]
        listings = await self._journal.listings_at(wanted)
        self._tell_lobby(listings)
        for listing in listings:
            self._tell_people(listing)

    async def _make_up(self) -> None:
        for person, began in list(self._missed.items()):
            found = await self._journal.listings_of(person, tuple(Status), limit=MOST_MISSED)
            self.note(*(listing.table for listing in found if listing.updated >= began - CLOCKS_APART))
            self._missed.pop(person, None)

    def _tell_lobby(self, listings: list[Listing]) -> None:
        listed = [listing for listing in listings if listing.is_listed]
        if not listed or not self._hub.lobby:
            return
        shown = [listing for listing in listed if listing.status in (Status.OPEN, Status.RUNNING)]
        gone = [listing.table for listing in listed if listing not in shown]
        message = encode_message(
            Lobby(tables=[written(listing.info) for listing in shown], gone=gone, is_change=True)
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
