"""Planted leaks of the server, in what sockets are told. Those of REST and lists are in ``rest_leaks``."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from royalcrypt.live.broadcaster import Broadcaster

from royalcrypt.live import broadcaster, session, updates
from royalcrypt.live.hub import Hub
from royalcrypt.live.session import SocketSession
from royalcrypt.live.updates import TableUpdate
from royalcrypt.live.wire.messages import Done, Tick, You, encode_message
from royalcrypt.notation.reasons import Refusal
from royalcrypt.tables.entries import Moved
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import Audience
from tests.faults.planting import admit_all, leak, mark_of, view_json, whole_events
from tests.server.wire.scenes import FOUR, HOT_SEAT, MEMORY, THREE, WITH_BOTS

# Views.


@leak("everybody gets the next seat's view", noticed_by="Ada")
def next_seats_view(patch: pytest.MonkeyPatch) -> None:
    def plant(table: Table, seat: int | None) -> bytes | None:
        return view_json(table, ((seat or 0) + 1) % len(table.seats))

    patch.setattr(updates, "view_json", plant)


@leak("spectators get the view of whoever decides", noticed_by="Eve", kind="length")
def actors_view(patch: pytest.MonkeyPatch) -> None:
    def plant(table: Table, seat: int | None) -> bytes | None:
        return view_json(table, table.actor if seat is None else seat)

    patch.setattr(updates, "view_json", plant)


@leak("spectators get the first seat's view", noticed_by="Nel", kind="length")
def first_seats_view(patch: pytest.MonkeyPatch) -> None:
    def plant(table: Table, seat: int | None) -> bytes | None:
        return view_json(table, seat or 0)

    patch.setattr(updates, "view_json", plant)


@leak("the first reader's view is kept for all", noticed_by="Bo", scene=FOUR)
def one_view_for_all(patch: pytest.MonkeyPatch) -> None:
    of = TableUpdate._of

    def plant(self: TableUpdate, seat: int | None) -> Any:
        return next(iter(self._by_seat.values()), None) or of(self, seat)

    patch.setattr(TableUpdate, "_of", plant)


@leak("a hot seat's window turns to the seat that decides", noticed_by="Ada", scene=HOT_SEAT)
def turning_window(patch: pytest.MonkeyPatch) -> None:
    def plant(self: Broadcaster, connection: Any, seat: int | None, after: Table) -> int | None:
        mine = after.seats_of(connection.person)
        return after.actor if after.actor in mine else next(iter(mine), None)

    patch.setattr(Broadcaster, "_seat_now", plant)


@leak("who refreshes after a refusal gets the first seat's view", noticed_by="Bo")
def refused_with_wrong_view(patch: pytest.MonkeyPatch) -> None:
    refused = updates.refused

    def plant(
        refusal: Refusal, *, re: int | None, table: Table | None = None, seat: int | None = None
    ) -> bytes:
        return refused(refusal, re=re, table=table, seat=0)

    patch.setattr(session, "refused", plant)


@leak("those who like to remember are shown all", noticed_by="Ada later", scene=MEMORY)
def remembering_view(patch: pytest.MonkeyPatch) -> None:
    def plant(table: Table, seat: int | None) -> bytes | None:
        return table.game.view(seat).to_json() if table.game else None

    patch.setattr(updates, "view_json", plant)


# Events.


@leak("news are told as they are", noticed_by="Eve", scene=THREE)
def whole_news(patch: pytest.MonkeyPatch) -> None:
    def plant(self: TableUpdate, seat: int | None) -> bytes:
        return whole_events(self.table, seat, self.since)

    patch.setattr(TableUpdate, "_new_events_for", plant)


@leak("who comes back is told everything as it was", noticed_by="Bo")
def whole_past(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(updates, "events_json", whole_events)


@leak("everybody hears what the mover may know", noticed_by="Cleo", scene=THREE)
def movers_news(patch: pytest.MonkeyPatch) -> None:
    news_for = TableUpdate._new_events_for

    def plant(self: TableUpdate, seat: int | None) -> bytes:
        return news_for(self, self.entry.seat if isinstance(self.entry, Moved) else seat)

    patch.setattr(TableUpdate, "_new_events_for", plant)


@leak("everybody hears what a bot may know", noticed_by="Ada", scene=WITH_BOTS)
def bots_news(patch: pytest.MonkeyPatch) -> None:
    of = TableUpdate._of

    def plant(self: TableUpdate, seat: int | None) -> Any:
        return of(self, self.entry.seat if isinstance(self.entry, Moved) and self.entry.is_bots else seat)

    patch.setattr(TableUpdate, "_of", plant)


@leak(
    "those who like to remember are told everything again",
    noticed_by="Nel",
    scene=MEMORY,
)
def remembering_events(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(updates, "events_json", updates.new_events_json)


# Refusals.


def details_planted(patch: pytest.MonkeyPatch, details: Callable[[Table], dict[str, Any]]) -> None:
    refused = updates.refused

    def plant(
        refusal: Refusal, *, re: int | None, table: Table | None = None, seat: int | None = None
    ) -> bytes:
        if table is not None:
            refusal.details |= details(table)
        return refused(refusal, re=re, table=table, seat=seat)

    patch.setattr(session, "refused", plant)


@leak("a refusal names the value of the newest card", noticed_by="Eve")
def value_in_details(patch: pytest.MonkeyPatch) -> None:
    def details(table: Table) -> dict[str, Any]:
        state = table.game.state if table.game else None
        return {"card": state.card_value[state.drawn - 1]} if state else {}

    details_planted(patch, details)


@leak("a refusal is as long as the hidden cards are good", noticed_by="Bo", kind="length")
def long_refusals(patch: pytest.MonkeyPatch) -> None:
    details_planted(patch, lambda table: {"hint": "." * mark_of(table)})


# What surrounds them.


@leak("an update is padded by what is hidden", noticed_by="Eve", kind="length")
def padded_updates(patch: pytest.MonkeyPatch) -> None:
    update = TableUpdate.update

    def plant(self: TableUpdate, person: str, seat: int | None, re: int | None = None) -> bytes:
        return update(self, person, seat, re) + b" " * mark_of(self.table)

    patch.setattr(TableUpdate, "update", plant)


@leak("something is sent besides when a hidden card is good", noticed_by="Bo", kind="count")
def telling_message(patch: pytest.MonkeyPatch) -> None:
    on_change = Broadcaster.on_change

    def plant(self: Broadcaster, entry: Any, before: Table, after: Table, trigger: object) -> None:
        on_change(self, entry, before, after, trigger)
        if mark_of(after) > 3:
            for connection, _ in self.hub.watching(after.id):
                connection.push(encode_message(Done(now=0)))

    patch.setattr(Broadcaster, "on_change", plant)


@leak("the order of messages depends on a hidden card", noticed_by="Ada again", kind="length")
def telling_order(patch: pytest.MonkeyPatch) -> None:
    on_change, owners = Broadcaster.on_change, Broadcaster._send_games

    def plant(self: Broadcaster, entry: Any, before: Table, after: Table, trigger: object) -> None:
        is_first = mark_of(after) > 3
        if is_first:
            owners(self, before, after)
        on_change(self, entry, before, after, trigger)
        if not is_first:
            owners(self, before, after)

    def later(self: Broadcaster, before: Table, after: Table) -> None:
        pass

    patch.setattr(Broadcaster, "on_change", plant)
    patch.setattr(Broadcaster, "_send_games", later)


@leak("who is present is told in an order that tells", noticed_by="Eve", scene=THREE)
def telling_presence(patch: pytest.MonkeyPatch) -> None:
    present = Hub.present

    def plant(self: Hub, table: Table) -> tuple[bool, ...]:
        return present(self, table)[:: 1 if mark_of(table) > 3 else -1]

    patch.setattr(Hub, "present", plant)


@leak("the clock runs a little longer for good cards", noticed_by="Bo", scene=THREE)
def telling_clock(patch: pytest.MonkeyPatch) -> None:
    clock = TableUpdate._clock

    def plant(self: TableUpdate) -> Tick | None:
        tick = clock(self)
        return tick and Tick((tick.deadline or 0) + mark_of(self.table), tick.banks)

    patch.setattr(TableUpdate, "_clock", plant)


@leak("spectators are given the table's link", noticed_by="Eve", kind="length")
def invite_for_all(patch: pytest.MonkeyPatch) -> None:
    def plant(table: Table, person: str, seat: int | None) -> You:
        return msgspec.structs.replace(you_at(table, person, seat), invite=table.invite)

    you_at = updates.you_at
    patch.setattr(updates, "you_at", plant)


# Talk.


@leak("players hear what spectators say", noticed_by="Ada", kind="length")
def loud_whispers(patch: pytest.MonkeyPatch) -> None:
    broadcast_chat = Broadcaster.broadcast_chat

    def plant(self: Broadcaster, table: Table, _: Audience, message: bytes) -> None:
        broadcast_chat(self, table, Audience.TABLE, message)

    patch.setattr(Broadcaster, "broadcast_chat", plant)


@leak("players who come in read what spectators said", noticed_by="Bo", kind="length")
def whispers_kept_for_all(patch: pytest.MonkeyPatch) -> None:
    async def plant(self: SocketSession, table: Table) -> Any:
        lines = [*await recent(self, table, Audience.TABLE), *await recent(self, table, Audience.SPECTATORS)]
        return [session.chat_line(line) for line in lines]

    async def recent(self: SocketSession, table: Table, audience: Audience) -> Any:
        return await self.service.chat.recent(table.id, audience)

    patch.setattr(SocketSession, "_chat", plant)


# Other tables.


@leak("the lobby is told of private tables as they change", noticed_by="Finn", kind="length")
def private_news(patch: pytest.MonkeyPatch) -> None:
    def plant(self: Broadcaster, before: Table, after: Table, *, is_move: bool) -> None:
        self._lobby[after.id] = broadcaster.encode_info(broadcaster.table_info(after))

    patch.setattr(Broadcaster, "_queue_for_lobby", plant)


@leak("everybody who follows their games is told of others' games", noticed_by="Ada again", kind="length")
def others_games(patch: pytest.MonkeyPatch) -> None:
    def plant(self: Broadcaster, before: Table, after: Table) -> None:
        message = encode_message(broadcaster.Games(games=[broadcaster.game_line(after, "")], is_change=True))
        self.hub.push_all([one for one in self.hub.connections if one.follows_games], message)

    patch.setattr(Broadcaster, "_send_games", plant)


@leak("a private table is shown without its link", noticed_by="Finn", kind="count")
def open_doors(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(session, "admit", admit_all)
