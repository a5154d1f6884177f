"""Tells other processes that something has changed, and hears it from them."""

import asyncio
from collections.abc import Iterable
from itertools import count
from secrets import token_hex
from time import monotonic
from typing import Protocol

import msgspec
import structlog

from royalcrypt.server.channel import Channel, open_channel
from royalcrypt.server.cluster.following import Follower
from royalcrypt.server.cluster.hints import (
    EVERYBODY,
    LOBBY,
    Alive,
    Answer,
    AnyHint,
    Listed,
    Moved,
    Noticed,
    Present,
    Reacted,
    RollCall,
    Said,
    WhoIsThere,
    about_person,
    about_table,
    decode_hint,
    encode_hint,
    for_process,
    person_in,
    table_in,
)
from royalcrypt.server.cluster.lists import Lists
from royalcrypt.server.hub import Hub
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import Audience

ANSWER_SECONDS = 0.4
"""So long others are waited for."""
SILENT_SECONDS = 7.0
"""After which a process that has not said that it is alive is taken to have gone."""
log = structlog.get_logger()


class Talk(Protocol):
    """What is said at tables, and to all processes."""

    def hear_reaction(self, table: str, audience: Audience, message: bytes) -> None: ...

    def look_for_lines(self) -> None: ...

    def look_for_notices(self) -> None: ...


class Herald:
    """Hears the topics of the tables that are watched here, and of the people who follow their games here."""

    def __init__(self, url: str | None, key: bytes, hub: Hub, follower: Follower, lists: Lists) -> None:
        self.process = token_hex(6)
        self._hub = hub
        self._follower = follower
        self._lists = lists
        self.talk: Talk | None = None
        self._processes: dict[str, tuple[float, int]] = {}
        """When each other process was last heard, and how many connections it has."""
        self._numbers = count()
        self._answers: dict[int, set[str]] = {}
        self._heard_since: dict[str, float] = {}
        """Tables whose topics are heard, and since when."""
        self._up_since = monotonic()
        self.channel: Channel = open_channel(url, self)
        self.is_alone = url is None
        if self.is_alone:
            return
        from royalcrypt.server.cluster.envelopes import Envelopes  # noqa: PLC0415 (an extra)

        self._envelopes = Envelopes(key)
        for topic in (EVERYBODY, LOBBY, for_process(self.process)):
            self.channel.subscribe(topic)
        hub.on_table = self._heed_table
        hub.on_person = self._heed_person

    def _heed_table(self, name: str, *, begins: bool) -> None:
        self._heard_since.pop(name, None)
        self._heed_topic(about_table(name), begins=begins)

    def _heed_person(self, name: str, *, begins: bool) -> None:
        if begins:
            self._lists.begin_following(name)
        else:
            self._lists.end_following(name)
        self._heed_topic(about_person(name), begins=begins)

    def _heed_topic(self, topic: str, *, begins: bool) -> None:
        if begins:
            self.channel.subscribe(topic)
        else:
            self.channel.unsubscribe(topic)

    # What others are told.

    def _say(self, topic: str, hint: AnyHint) -> None:
        if not self.is_alone:
            self.channel.publish(topic, self._envelopes.closed(encode_hint(hint), topic))

    def moved(self, table: Table) -> None:
        """Tell processes where the table is open; until they had time to say so, all that subscribe."""
        for process in self._hub.elsewhere(table.id):
            self._hint_at(table, for_process(process))
        if not self._knows_who_watches(table.id):
            self._hint_at(table, about_table(table.id))

    def _hint_at(self, table: Table, topic: str) -> None:
        self._say(topic, Moved(self.process, table.id, table.ply))

    def _knows_who_watches(self, table: str) -> bool:
        """Whether others had time to say so, since this process began to hear them."""
        since = self._heard_since.get(table)
        return since is not None and monotonic() - since > ANSWER_SECONDS

    def listed(self, table: str, people: set[str], *, is_for_lobby: bool) -> None:
        hint = Listed(self.process, table)
        if is_for_lobby:
            self._say(LOBBY, hint)
        for person in people:
            self._say(about_person(person), hint)

    def said(self, table: str) -> None:
        self._say(about_table(table), Said(self.process))

    def reacted(self, table: str, audience: Audience, message: bytes) -> None:
        self._say(about_table(table), Reacted(self.process, audience, message))

    def announce(self, table: str) -> None:
        """Who has it open here."""
        self._say(about_table(table), Present(self.process, tuple(self._hub.people_at(table))))

    def remind(self, tables: Iterable[str]) -> None:
        """Others moved on there without telling this process: they may not know that anybody is here."""
        for table in tables:
            if table in self._hub.watchers:
                self.announce(table)

    def noticed(self) -> None:
        self._say(EVERYBODY, Noticed(self.process))

    def beat(self) -> None:
        self._say(EVERYBODY, Alive(self.process, len(self._hub.connections)))
        self._forget_the_silent()

    async def people_elsewhere(self, table: str) -> set[str]:
        """Who has a table open in other processes, as far as they answer in time."""
        number = next(self._numbers)
        return await self._ask(about_table(table), number, WhoIsThere(self.process, number))

    async def everybody_elsewhere(self) -> set[str]:
        """Who is connected to other processes, as far as they answer in time."""
        number = next(self._numbers)
        return await self._ask(EVERYBODY, number, RollCall(self.process, number))

    async def _ask(self, topic: str, number: int, question: AnyHint) -> set[str]:
        if self.is_alone:
            return set()
        found = self._answers[number] = set()
        self._say(topic, question)
        await asyncio.sleep(ANSWER_SECONDS)
        del self._answers[number]
        return found

    @property
    def hears(self) -> bool:
        """Whether other processes can be heard."""
        return not self.is_alone and self.channel.is_up

    def connections_elsewhere(self) -> int:
        return sum(connections for _, connections in self._processes.values())

    # What others tell.

    def hear(self, topic: str, hint: bytes) -> None:
        if self._envelopes.is_own(hint) or (topic == LOBBY and not self._hub.lobby):
            return  # whoever comes to look at the lobby reads it as it is then
        content = self._envelopes.opened(hint, topic)
        try:
            heard = None if content is None else decode_hint(content)
        except msgspec.DecodeError:  # a process of another version
            heard = None
        if heard is None:
            log.warning("hint not understood", topic=topic)
        else:
            self._heed(table_in(topic) or "", heard)

    def _heed(self, table: str, heard: AnyHint) -> None:
        match heard:
            case Moved():
                self._follower.look_at(heard.table, heard.ply)
            case Listed():
                self._lists.note(heard.table)
            case Said() if self.talk:
                self.talk.look_for_lines()
            case Reacted() if self.talk:
                self.talk.hear_reaction(table, heard.audience, heard.message)
            case Noticed() if self.talk:
                self.talk.look_for_notices()
            case Present():
                self._note_present(table, heard)
            case WhoIsThere():
                self._answer_who_is_there(table, heard)
            case RollCall():
                self._answer(heard, tuple(self._hub.of_person))
            case Answer() if heard.number in self._answers:
                self._answers[heard.number].update(heard.people)
            case Alive():
                self._note_alive(heard.process, heard.connections)
            case _:
                pass

    def _note_alive(self, process: str, connections: int | None = None) -> None:
        """Without their number, it has as many connections as it said last."""
        if connections is None:
            _, connections = self._processes.get(process, (0.0, 0))
        self._processes[process] = monotonic(), connections

    def _note_present(self, table: str, heard: Present) -> None:
        """A process that has just come may have looked before the last move was made, and was not told."""
        self._note_alive(heard.process)
        is_new = heard.people and heard.process not in self._hub.elsewhere(table)
        self._hub.note_elsewhere(table, heard.process, frozenset(heard.people))
        found = self._follower.in_use(table) if is_new else None
        if found is not None:
            self._hint_at(found, for_process(heard.process))

    def _answer_who_is_there(self, table: str, asked: WhoIsThere) -> None:
        people = tuple(self._hub.people_at(table))
        if asked.number is not None:
            self._answer(asked, people)
        elif people:
            self.announce(table)

    def _answer(self, asked: WhoIsThere | RollCall, people: tuple[str, ...]) -> None:
        self._say(for_process(asked.process), Answer(self.process, asked.number or 0, people))

    def now_hearing(self, topic: str) -> None:
        table = table_in(topic)
        if table is not None:
            self._heard_since[table] = monotonic()
            self._follower.look_at(table)
            self._ask_who_watches(table)
            self.announce(table)
        person = person_in(topic)
        if person is not None:
            self._lists.now_hearing(person)

    def _ask_who_watches(self, table: str) -> None:
        self._say(about_table(table), WhoIsThere(self.process))

    def _forget_the_silent(self) -> None:
        """Not while the channel itself is silent. One that was only held up answers once it goes on."""
        now = monotonic()
        if not self.channel.is_up:
            self._up_since = now
        if now - self._up_since < SILENT_SECONDS:
            return
        for process, (heard_at, _) in list(self._processes.items()):
            if now - heard_at > SILENT_SECONDS:
                del self._processes[process]
        for table in self._hub.keep_elsewhere(set(self._processes)):
            self._ask_who_watches(table)

    async def close(self) -> None:
        await self._follower.close()
        await self.channel.close()
