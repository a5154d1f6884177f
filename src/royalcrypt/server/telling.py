"""What each reader is told of what happened at a table: their seat's view and events, nothing else."""

import msgspec

from royalcrypt.notation.events import Event, Reveal, event_dict
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.redaction import have_no_cards
from royalcrypt.server.wire.messages import (
    ChatLine,
    Refused,
    Shown,
    Tick,
    Update,
    You,
    encode_message,
    reason_of,
    written,
)
from royalcrypt.tables.entries import AnyEntry, Moved
from royalcrypt.tables.listings import encode_info, table_info
from royalcrypt.tables.table import Table

encode_json = msgspec.json.Encoder().encode


def view_json(table: Table, seat: int | None) -> bytes | None:
    if table.game is None:
        return None
    return table.game.view_json(seat, remembers=table.settings.remembers)


def events_json(table: Table, seat: int | None, since: int) -> bytes:
    """Events from a number on. Who likes to remember by themselves gets those of the round at most."""
    game = table.game
    if game is not None and not table.settings.remembers and not game.is_over:
        since = max(since, _round_begins(game.events))
    return news_json(table, seat, since)


def news_json(table: Table, seat: int | None, since: int) -> bytes:
    """Events from a number on, told for the first time."""
    game = table.game
    if game is None:
        return b"[]"
    told = game.events_for(seat, game.events[since:])
    return encode_json([event_dict(event, n) for n, event in enumerate(told, since)])


def _round_begins(events: list[Event]) -> int:
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
    view = view_json(table, seat)
    return encode_message(
        Shown(
            table=table.id,
            ply=table.ply,
            you=you_at(table, person, seat),
            info=table_info(table),
            view=None if view is None else written(view),
            events=written(events_json(table, seat, since)),
            chat=chat,
            present=present,
            spectators=spectators,
            re=re,
        )
    )


def refused(
    refusal: Refusal, *, re: int | None, table: Table | None = None, seat: int | None = None
) -> bytes:
    """Why not, and if it was about a table, how that table stands."""
    view = None if table is None else view_json(table, seat)
    return encode_message(
        Refused(
            reason=reason_of(refusal),
            table=None if table is None else table.id,
            ply=None if table is None else table.ply,
            view=None if view is None else written(view),
            re=re,
        )
    )


class Telling:
    """One change at a table, in the words for each reader; each seat's are worked out once."""

    def __init__(self, entry: AnyEntry, before: Table, after: Table) -> None:
        self.entry = entry
        self.table = after
        self.since = 0 if before.game is None else len(before.game.events)
        self.is_move = isinstance(entry, Moved)
        self.info = None if self.is_move else encode_info(table_info(after))
        self._seen: dict[int | None, tuple[bytes | None, bytes]] = {}
        self._news: bytes | None = None
        """What all are told alike."""

    def update(self, person: str, seat: int | None, re: int | None = None) -> bytes:
        view, events = self._of(seat)
        return encode_message(
            Update(
                table=self.table.id,
                ply=self.table.ply,
                events=written(events),
                view=None if view is None else written(view),
                info=None if self.info is None else written(self.info),
                you=None if self.is_move else you_at(self.table, person, seat),
                clock=self._clock(),
                by_bot=isinstance(self.entry, Moved) and self.entry.is_bots,
                re=re,
            )
        )

    def _of(self, seat: int | None) -> tuple[bytes | None, bytes]:
        if seat not in self._seen:
            self._seen[seat] = view_json(self.table, seat), self._news_for(seat)
        return self._seen[seat]

    def _news_for(self, seat: int | None) -> bytes:
        if self._news is not None:
            return self._news
        news = news_json(self.table, seat, self.since)
        game = self.table.game
        if game is None or have_no_cards(game.events[self.since :]):
            self._news = news
        return news

    def _clock(self) -> Tick | None:
        clock = self.table.clock
        return None if clock is None else Tick(self.table.deadline, clock.banks)
