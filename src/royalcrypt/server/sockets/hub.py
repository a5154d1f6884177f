"""Who is connected, and what each of them wants to be told."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from royalcrypt.server.sockets.connection import Close, Connection
from royalcrypt.tables.table import Table


class Heed(Protocol):
    """Told when something begins to be of interest here, and when it ceases to."""

    def __call__(self, name: str, *, begins: bool) -> None: ...


def nobody_minds(name: str, *, begins: bool) -> None:
    """There is but one process."""


class Hub:
    def __init__(self) -> None:
        self.on_table: Heed = nobody_minds
        """Tables that somebody watches."""
        self.on_person: Heed = nobody_minds
        """People who follow their games."""
        self.connections: set[Connection] = set()
        self.watchers: dict[str, dict[Connection, int | None]] = {}
        self.of_person: dict[str, set[Connection]] = {}
        self.addresses: Counter[str] = Counter()
        self.lobby: set[Connection] = set()
        self.presence_changed: set[str] = set()
        """Tables whose comings and goings here have not been told yet."""
        self.remote_presence_changed: set[str] = set()
        self._remote: dict[str, dict[str, frozenset[str]]] = {}
        """By table and process, who has it open there."""
        self._lent: set[tuple[str, str]] = set()
        """Tables and people who seem to have them open, because something is done in their name."""
        self.lines_said = 0
        """Of chat, at all tables."""

    def add(self, connection: Connection) -> None:
        self.connections.add(connection)
        self.addresses[connection.address] += 1
        self.of_person.setdefault(connection.person, set()).add(connection)

    def remove(self, connection: Connection) -> None:
        self.connections.remove(connection)
        self.addresses[connection.address] -= 1
        if not self.addresses[connection.address]:
            del self.addresses[connection.address]
        self.lobby.discard(connection)
        self.follow_games(connection, is_following=False)
        for table in list(connection.watching):
            self.unwatch(connection, table)
        mine = self.of_person.get(connection.person, set())
        mine.discard(connection)
        if not mine:
            self.of_person.pop(connection.person, None)

    def watch(self, connection: Connection, table: str, seat: int | None) -> None:
        if table not in self.watchers:
            self.watchers[table] = {}
            self.on_table(table, begins=True)
        self.watchers[table][connection] = seat
        connection.watching[table] = seat
        self.presence_changed.add(table)

    def unwatch(self, connection: Connection, table: str) -> None:
        connection.watching.pop(table, None)
        watchers = self.watchers.get(table)
        if watchers is None:
            return
        watchers.pop(connection, None)
        self.presence_changed.add(table)
        if not watchers:
            del self.watchers[table]
            self._remote.pop(table, None)
            self.on_table(table, begins=False)

    def follow_games(self, connection: Connection, *, is_following: bool) -> None:
        if connection.follows_games == is_following:
            return
        connection.follows_games = is_following
        others = self.of_person.get(connection.person, set()) - {connection}
        if not any(other.follows_games for other in others):
            self.on_person(connection.person, begins=is_following)

    def watching(self, table: str) -> Iterator[tuple[Connection, int | None]]:
        """Those who watch, with the seat whose view they see; the list may change meanwhile."""
        yield from list(self.watchers.get(table, {}).items())

    def present(self, table: Table) -> tuple[bool, ...]:
        """By seat, whether its person has the table open."""
        people = self.people_at(table.id) | self.remote_people(table.id)
        return tuple(place.person in people for place in table.seats)

    def people_at(self, table: str) -> set[str]:
        """Who has it open here, or seems to."""
        people = {connection.person for connection in self.watchers.get(table, ())}
        return people | {person for lent, person in self._lent if lent == table}

    def remote_people(self, table: str) -> set[str]:
        """Who has it open in other processes."""
        return {person for people in self.remote_presence(table).values() for person in people}

    def remote_presence(self, table: str) -> Mapping[str, frozenset[str]]:
        """By other process, who has it open there; none where nobody has."""
        return self._remote.get(table, {})

    def set_remote_presence(self, table: str, process: str, people: frozenset[str]) -> None:
        """Another process tells who has a table open there."""
        known = self._remote.setdefault(table, {})
        if table in self.watchers and known.get(process, frozenset()) != people:
            self.remote_presence_changed.add(table)
        if people and table in self.watchers:
            known[process] = people
        else:
            known.pop(process, None)
        if not known:
            del self._remote[table]

    def retain_processes(self, processes: set[str]) -> list[str]:
        """All others are gone, and whoever was there with them; gives the tables that they had open."""
        left = [
            (table, process) for table, known in self._remote.items() for process in known.keys() - processes
        ]
        for table, process in left:
            self.set_remote_presence(table, process, frozenset())
        return [table for table, _ in left]

    def assume_presence(self, table: str, person: str) -> bool:
        """Let somebody seem to have the table open; tells whether they had not."""
        self._lent.add((table, person))
        return self._stir_without(table, person)

    def end_assumed_presence(self, table: str, person: str) -> None:
        self._lent.discard((table, person))
        self._stir_without(table, person)

    def _stir_without(self, table: str, person: str) -> bool:
        """Nothing changes where they really are."""
        is_away = all(connection.person != person for connection in self.watchers.get(table, ()))
        if is_away:
            self.presence_changed.add(table)
        return is_away

    def spectators(self, table: Table) -> int:
        seated = {place.person for place in table.seats}
        here = {connection.person for connection in self.watchers.get(table.id, ())}
        return len((here | self.remote_people(table.id)) - seated)

    def push_all(self, connections: Iterable[Connection], message: bytes) -> None:
        for connection in list(connections):
            connection.push(message)

    def disconnect(self, person: str, code: Close = Close.POLICY) -> None:
        for connection in list(self.of_person.get(person, ())):
            connection.close(code)
