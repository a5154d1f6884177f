"""Planted leaks of the server, in what sockets are told. Those of REST and lists are in ``rest_leaks``."""

from collections.abc import Callable
from copy import copy
from typing import Any

import msgspec
import pytest

from royalcrypt.live import session, updates
from royalcrypt.live.changes import Change
from royalcrypt.live.chat import Chat
from royalcrypt.live.connection import Connection
from royalcrypt.live.dispatcher import Dispatcher
from royalcrypt.live.hub import Hub
from royalcrypt.live.lists import Lists, game_line
from royalcrypt.live.updates import EncodedUpdate, TableUpdates
from royalcrypt.live.wire.messages import ChatLine, Done, Games, Tick, You, encode_message
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.redaction import News
from royalcrypt.play.view_changes import Changes, changes_between
from royalcrypt.play.view_parts import ViewParts
from royalcrypt.play.views import View
from royalcrypt.tables.entries import Moved
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import Audience
from tests.faults.planting import admit_all, leak, mark_of, whole_events, whole_view
from tests.server.wire.scenes import FOUR, HOT_SEAT, MEMORY, THREE, WITH_BOTS

true_parts = Table._make_parts


def view_planted(patch: pytest.MonkeyPatch, parts: Callable[[Table, int | None], ViewParts | None]) -> None:
    patch.setattr(Table, "_make_parts", parts)


def next_seat(table: Table, seat: int | None) -> int:
    return ((-1 if seat is None else seat) + 1) % len(table.seats)


# Views.


@leak("everybody gets the next seat's view", noticed_by="Ada")
def next_seats_view(patch: pytest.MonkeyPatch) -> None:
    view_planted(patch, lambda table, seat: true_parts(table, next_seat(table, seat)))


@leak("spectators get the view of whoever decides", noticed_by="Eve", kind="length")
def actors_view(patch: pytest.MonkeyPatch) -> None:
    view_planted(patch, lambda table, seat: true_parts(table, table.actor if seat is None else seat))


@leak("spectators get the first seat's view", noticed_by="Nel", kind="length")
def first_seats_view(patch: pytest.MonkeyPatch) -> None:
    view_planted(patch, lambda table, seat: true_parts(table, seat or 0))


@leak("the first reader's view is kept for all", noticed_by="Bo", scene=FOUR)
def one_view_for_all(patch: pytest.MonkeyPatch) -> None:
    for_seat = EncodedUpdate.for_seat

    def plant(self: EncodedUpdate, person: str, seat: int | None, *, is_complete: bool) -> bytes:
        known = (message for key, message in self._of_moves.items() if key[1] == is_complete)
        return next(known, None) or for_seat(self, person, seat, is_complete=is_complete)

    patch.setattr(EncodedUpdate, "for_seat", plant)


@leak("a hot seat's window turns to the seat that decides", noticed_by="Ada", scene=HOT_SEAT)
def turning_window(patch: pytest.MonkeyPatch) -> None:
    send = TableUpdates._send

    def plant(self: TableUpdates, update: EncodedUpdate, connection: Connection, before: int | None) -> None:
        after = update.change.after
        is_mine = after.actor in after.seats_of(connection.person)
        send(self, update, connection, after.actor if is_mine else before)

    patch.setattr(TableUpdates, "_send", plant)


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
    view_planted(patch, lambda table, seat: table.game.view_parts(seat) if table.game else None)


@leak("a list in the view leaves out the discards that are good", noticed_by="Ada", kind="length", scene=FOUR)
def telling_discards(patch: pytest.MonkeyPatch) -> None:
    def plant(table: Table, seat: int | None) -> ViewParts | None:
        parts, game = true_parts(table, seat), table.game
        if parts is None or game is None:
            return parts
        values, knowledge = game.state.card_value, copy(parts.knowledge)
        poor = tuple(card for card in knowledge.cards.discards if values[card.number] < 3)
        knowledge.cards = knowledge.cards._replace(discards=poor)
        return parts._replace(knowledge=knowledge)

    view_planted(patch, plant)


# Changes of views.


def changes_planted(
    patch: pytest.MonkeyPatch, changes: Callable[[Change, int | None, Changes], Changes]
) -> None:
    """By the change of the table, the reader's seat and the true changes of the view."""
    encode = EncodedUpdate._encode
    now: list[tuple[Change, int | None]] = []

    def remember(self: EncodedUpdate, seat: int | None, you: You | None, *, is_complete: bool) -> bytes:
        now[:] = [(self.change, seat)]
        return encode(self, seat, you, is_complete=is_complete)

    def plant(before: ViewParts, after: ViewParts) -> Changes:
        return changes(*now[0], changes_between(before, after))

    patch.setattr(EncodedUpdate, "_encode", remember)
    patch.setattr(updates, "changes_between", plant)


def changes_of(before: View | None, after: View | None) -> Changes:
    return {} if before is None or after is None else changes_between(before.parts, after.parts)


@leak("changes are those of the next seat's view", noticed_by="Eve", kinds={2: "bytes"}, scene=THREE)
def next_seats_changes(patch: pytest.MonkeyPatch) -> None:
    def plant(change: Change, seat: int | None, _: Changes) -> Changes:
        before, after = change.before, change.after
        other = next_seat(after, seat)
        return changes_of(before.view(other), after.view(other))

    changes_planted(patch, plant)


@leak("changes are computed from the state", noticed_by="Ada", kinds={2: "bytes"})
def changes_of_state(patch: pytest.MonkeyPatch) -> None:
    def plant(change: Change, seat: int | None, _: Changes) -> Changes:
        return changes_of(whole_view(change.before, seat), whole_view(change.after, seat))

    changes_planted(patch, plant)


@leak("changes are from the view that another seat had", noticed_by="Bo", kinds={2: "length"}, scene=THREE)
def changes_from_another_view(patch: pytest.MonkeyPatch) -> None:
    def plant(change: Change, seat: int | None, _: Changes) -> Changes:
        before, after = change.before, change.after
        return changes_of(before.view(next_seat(before, seat)), after.view(seat))

    changes_planted(patch, plant)


@leak("a field that stayed is sent when a hidden card is good", noticed_by="Eve", kinds={2: "length"})
def telling_field(patch: pytest.MonkeyPatch) -> None:
    def plant(change: Change, _: int | None, changes: Changes) -> Changes:
        game = change.after.game
        return changes | ({"round": game.round} if game is not None and mark_of(change.after) > 3 else {})

    changes_planted(patch, plant)


@leak("as many cards are said to have changed as are good", noticed_by="Bo", kinds={2: "length"})
def telling_number_of_changes(patch: pytest.MonkeyPatch) -> None:
    def plant(change: Change, _: int | None, changes: Changes) -> Changes:
        row: Changes = {slot: {} for slot in range(mark_of(change.after) % 4)}
        return changes | {"row": row | changes["row"]} if isinstance(changes.get("row"), dict) else changes

    changes_planted(patch, plant)


@leak("an update is sent only if it hides something new that is good", noticed_by="Eve", kind="count")
def telling_silence(patch: pytest.MonkeyPatch) -> None:
    send = TableUpdates._send

    def hides_good_cards(change: Change) -> bool:
        before, after = change.before.game, change.after.game
        if before is None or after is None:
            return True
        return before.state.drawn == after.state.drawn or mark_of(change.after) > 2

    def plant(self: TableUpdates, update: EncodedUpdate, connection: Connection, before: int | None) -> None:
        change = update.change
        is_answer = change.sender is not None and change.sender.connection is connection
        if is_answer or not change.is_move or hides_good_cards(change):
            send(self, update, connection, before)

    patch.setattr(TableUpdates, "_send", plant)


# Events.


def news_planted(patch: pytest.MonkeyPatch, news: Callable[[EncodedUpdate, News, int | None], bytes]) -> None:
    begin = EncodedUpdate.__init__

    class Planted(News):
        update: EncodedUpdate
        true: News

        def for_viewer(self, seat: int | None) -> bytes:
            return news(self.update, self.true, seat)

    def plant(self: EncodedUpdate, change: Change) -> None:
        begin(self, change)
        if self._news is not None:
            planted = Planted(self._news._events, self._news._state, self._news._since)
            planted.update, planted.true = self, self._news
            self._news = planted

    patch.setattr(EncodedUpdate, "__init__", plant)


@leak("news are told as they are", noticed_by="Eve", scene=THREE)
def whole_news(patch: pytest.MonkeyPatch) -> None:
    news_planted(patch, lambda update, true, seat: whole_events(update.change.after, seat, true._since))


@leak("who comes back is told everything as it was", noticed_by="Bo")
def whole_past(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(updates, "events_json", whole_events)


@leak("everybody hears what the mover may know", noticed_by="Cleo", scene=THREE)
def movers_news(patch: pytest.MonkeyPatch) -> None:
    def plant(update: EncodedUpdate, true: News, seat: int | None) -> bytes:
        entry = update.change.entry
        return true.for_viewer(entry.seat if isinstance(entry, Moved) else seat)

    news_planted(patch, plant)


@leak("everybody hears what a bot may know", noticed_by="Ada", scene=WITH_BOTS)
def bots_news(patch: pytest.MonkeyPatch) -> None:
    encode = EncodedUpdate._encode

    def plant(self: EncodedUpdate, seat: int | None, you: You | None, *, is_complete: bool) -> bytes:
        entry = self.change.entry
        shown = entry.seat if isinstance(entry, Moved) and entry.is_bots else seat
        return encode(self, shown, you, is_complete=is_complete)

    patch.setattr(EncodedUpdate, "_encode", plant)


@leak(
    "those who like to remember are told everything again",
    noticed_by="Nel",
    scene=MEMORY,
)
def remembering_events(patch: pytest.MonkeyPatch) -> None:
    def plant(table: Table, seat: int | None, since: int) -> bytes:
        return b"[]" if table.game is None else table.game.news(since).for_viewer(seat)

    patch.setattr(updates, "events_json", plant)


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
    encode = EncodedUpdate._encode

    def plant(self: EncodedUpdate, seat: int | None, you: You | None, *, is_complete: bool) -> bytes:
        message = encode(self, seat, you, is_complete=is_complete)
        return b"{" + b" " * mark_of(self.change.after) + message[1:]

    patch.setattr(EncodedUpdate, "_encode", plant)


@leak("something is sent besides when a hidden card is good", noticed_by="Bo", kind="count")
def telling_message(patch: pytest.MonkeyPatch) -> None:
    on_change = TableUpdates.on_change

    def plant(self: TableUpdates, change: Change) -> None:
        on_change(self, change)
        if mark_of(change.after) > 3:
            for connection, _ in self._hub.watching(change.after.id):
                connection.push(encode_message(Done(now=0)))

    patch.setattr(TableUpdates, "on_change", plant)


@leak("the order of messages depends on a hidden card", noticed_by="Ada again", kind="length")
def telling_order(patch: pytest.MonkeyPatch) -> None:
    publish = Dispatcher.publish

    def plant(self: Dispatcher, change: Change) -> None:
        subscribers = self._subscribers
        if mark_of(change.after) > 3:
            self._subscribers = subscribers[::-1]
        publish(self, change)
        self._subscribers = subscribers

    patch.setattr(Dispatcher, "publish", plant)


@leak("who is present is told in an order that tells", noticed_by="Eve", scene=THREE)
def telling_presence(patch: pytest.MonkeyPatch) -> None:
    present = Hub.present

    def plant(self: Hub, table: Table) -> tuple[bool, ...]:
        return present(self, table)[:: 1 if mark_of(table) > 3 else -1]

    patch.setattr(Hub, "present", plant)


@leak("the clock runs a little longer for good cards", noticed_by="Bo", scene=THREE)
def telling_clock(patch: pytest.MonkeyPatch) -> None:
    begin = EncodedUpdate.__init__

    def plant(self: EncodedUpdate, change: Change) -> None:
        begin(self, change)
        tick = self._clock
        self._clock = tick and Tick((tick.deadline or 0) + mark_of(change.after), tick.banks)

    patch.setattr(EncodedUpdate, "__init__", plant)


@leak("spectators are given the table's link", noticed_by="Eve", kind="length")
def invite_for_all(patch: pytest.MonkeyPatch) -> None:
    def plant(table: Table, person: str, seat: int | None) -> You:
        return msgspec.structs.replace(you_at(table, person, seat), invite=table.invite)

    you_at = updates.you_at
    patch.setattr(updates, "you_at", plant)


# Talk.


@leak("players hear what spectators say", noticed_by="Ada", kind="length")
def loud_whispers(patch: pytest.MonkeyPatch) -> None:
    broadcast = Chat.broadcast

    def plant(self: Chat, table_id: str, _: Audience, message: bytes) -> None:
        broadcast(self, table_id, Audience.TABLE, message)

    patch.setattr(Chat, "broadcast", plant)


@leak("players who come in read what spectators said", noticed_by="Bo", kind="length")
def whispers_kept_for_all(patch: pytest.MonkeyPatch) -> None:
    recent = Chat.recent

    async def plant(self: Chat, table: str, _: Audience) -> list[ChatLine]:
        return await recent(self, table, Audience.SPECTATORS)

    patch.setattr(Chat, "recent", plant)


# Other tables.


@leak("the lobby is told of private tables as they change", noticed_by="Finn", kind="length")
def private_news(patch: pytest.MonkeyPatch) -> None:
    on_change = Lists.on_change

    def plant(self: Lists, change: Change) -> None:
        on_change(self, change)
        self._queue_for_lobby(change.after)

    patch.setattr(Lists, "on_change", plant)


@leak("everybody who follows their games is told of others' games", noticed_by="Ada again", kind="length")
def others_games(patch: pytest.MonkeyPatch) -> None:
    def plant(self: Lists, table: Table, _: set[str]) -> None:
        message = encode_message(Games(games=[game_line(table, "")], is_change=True))
        self._hub.push_all([one for one in self._hub.connections if one.follows_games], message)

    patch.setattr(Lists, "_send_games", plant)


@leak("a private table is shown without its link", noticed_by="Finn", kind="count")
def open_doors(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(session, "admit", admit_all)
