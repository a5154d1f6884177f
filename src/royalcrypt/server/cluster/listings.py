"""Updates of the lobby and of people's game lists after other processes have changed tables."""

from collections.abc import Callable
from itertools import islice

from royalcrypt.live.hub import Hub
from royalcrypt.live.lists import LOBBY_PAGE, Lists, game_line_of
from royalcrypt.live.wire.messages import Games, encode_message
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.tables.journal import Status

MAX_MISSED = 20
"""Maximum number of a person's tables that are read again after subscribing to the person's topic."""
MAX_CLOCK_SKEW = 5_000
"""Tolerated difference between the clocks of two machines, in ms."""


class ListingUpdates:
    """Collects tables with changed listings, and sends these to the followers in this process."""

    def __init__(self, hub: Hub, lists: Lists, journal: SqlJournal, clock: Callable[[], int]) -> None:
        self._hub = hub
        self._lists = lists
        self._journal = journal
        self._now = clock
        self._changed: dict[str, None] = {}
        self._subscribing: dict[str, int] = {}
        """Maps people with a pending subscription to when they began to follow their games, in ms."""
        self._missed: dict[str, int] = {}
        """Maps people with a new subscription to the time since which changes may have been missed."""

    def mark(self, *tables: str) -> None:
        """Mark the listings of these tables as changed; ``flush`` sends them."""
        self._changed.update(dict.fromkeys(tables))

    def begin_following(self, person: str) -> None:
        self._subscribing[person] = self._now()

    def on_subscribed(self, person: str) -> None:
        """Record that the subscription to this person's topic is active."""
        began = self._subscribing.pop(person, None)
        if began is not None:
            self._missed[person] = began

    def end_following(self, person: str) -> None:
        self._subscribing.pop(person, None)
        self._missed.pop(person, None)

    async def flush(self) -> None:
        """Read changed listings with one query, and send them to followers; at most a page at once."""
        for person, began in list(self._missed.items()):
            found = await self._journal.listings_of(person, tuple(Status), limit=MAX_MISSED)
            self.mark(*(listing.table for listing in found if listing.updated >= began - MAX_CLOCK_SKEW))
            self._missed.pop(person, None)
        if not self._changed:
            return
        tables = list(islice(self._changed, LOBBY_PAGE))
        for table in tables:
            del self._changed[table]
        listings = await self._journal.listings_at(tables)
        listed = (listing for listing in listings if listing.is_listed)
        self._lists.send_to_lobby({one.table: None if one.lobby is None else one.info for one in listed})
        for listing in listings:
            for person in {person for person in listing.people if person}:
                if followers := self._hub.followers(person):
                    games = Games(games=[game_line_of(listing, person)], is_change=True)
                    self._hub.push_changes(followers, encode_message(games))
