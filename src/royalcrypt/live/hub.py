"""Registry of open connections, the tables they watch, and the lists they follow."""

from collections.abc import Collection, Iterator, Mapping
from typing import Protocol

from royalcrypt.live.broadcasts import Broadcasts
from royalcrypt.live.connection import Close, Connection
from royalcrypt.tables.table import Table


class InterestListener(Protocol):
    """Learns when the first connection watches a table or follows its person's games, and when none does."""

    def on_table_interest(self, table: str, *, begins: bool) -> None: ...

    def on_person_interest(self, person: str, *, begins: bool) -> None: ...


class Hub:
    def __init__(self) -> None:
        self._listeners: list[InterestListener] = []
        self._broadcasts = Broadcasts()
        self.connections: set[Connection] = set()
        self.watchers: dict[str, dict[Connection, int | None]] = {}
        """Maps each table to its connections, and these to the seat whose view they see."""
        self.of_person: dict[str, set[Connection]] = {}
        self.lobby: set[Connection] = set()
        self.presence_changed: set[str] = set()
        """Tables whose present people in this process have changed since the last flush."""
        self.remote_presence_changed: set[str] = set()
        self._remote: dict[str, dict[str, frozenset[str]]] = {}
        """Maps each table and other process to the people who have the table open there."""
        self._assumed: set[tuple[str, str]] = set()
        """Pairs of table and person shown as present while a standing order moves for the person."""

    def subscribe(self, listener: InterestListener) -> None:
        self._listeners.append(listener)

    def add(self, connection: Connection) -> None:
        self.connections.add(connection)
        self.of_person.setdefault(connection.person, set()).add(connection)

    def remove(self, connection: Connection) -> None:
        self.connections.remove(connection)
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
            for listener in self._listeners:
                listener.on_table_interest(table, begins=True)
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
            for listener in self._listeners:
                listener.on_table_interest(table, begins=False)

    def follow_games(self, connection: Connection, *, is_following: bool) -> None:
        if connection.follows_games == is_following:
            return
        connection.follows_games = is_following
        others = self.of_person.get(connection.person, set()) - {connection}
        if not any(other.follows_games for other in others):
            for listener in self._listeners:
                listener.on_person_interest(connection.person, begins=is_following)

    def followers(self, person: str) -> list[Connection]:
        """Return a person's connections that follow the list of their games."""
        return [one for one in self.of_person.get(person, ()) if one.follows_games]

    def watching(self, table: str) -> Iterator[tuple[Connection, int | None]]:
        """Yield the table's connections with their seats; watchers may change during the iteration."""
        yield from list(self.watchers.get(table, {}).items())

    def present(self, table: Table) -> tuple[bool, ...]:
        """Return, for each seat, whether its person has the table open."""
        people = self.people_at(table.id) | self.remote_people(table.id)
        return tuple(place.person in people for place in table.seats)

    def spectators(self, table: Table) -> int:
        seated = {place.person for place in table.seats}
        return len((self._watching_people(table.id) | self.remote_people(table.id)) - seated)

    def people_at(self, table: str) -> set[str]:
        """Return the people with the table open in this process, including assumed presence."""
        return self._watching_people(table) | {person for at, person in self._assumed if at == table}

    def _watching_people(self, table: str) -> set[str]:
        return {connection.person for connection in self.watchers.get(table, ())}

    def remote_people(self, table: str) -> set[str]:
        """Return the people who have the table open in other processes."""
        return {person for people in self.remote_presence(table).values() for person in people}

    def remote_presence(self, table: str) -> Mapping[str, frozenset[str]]:
        """Map each other process with the table open to the people who have it open there."""
        return self._remote.get(table, {})

    def set_remote_presence(self, table: str, process: str, people: frozenset[str]) -> None:
        processes = self._remote.setdefault(table, {})
        if table in self.watchers and processes.get(process, frozenset()) != people:
            self.remote_presence_changed.add(table)
        if people and table in self.watchers:
            processes[process] = people
        else:
            processes.pop(process, None)
        if not processes:
            del self._remote[table]

    def retain_processes(self, running: set[str]) -> list[str]:
        """Keep the presence of these processes only; returns the tables open in removed ones."""
        gone = [
            (table, process)
            for table, processes in self._remote.items()
            for process in processes.keys() - running
        ]
        for table, process in gone:
            self.set_remote_presence(table, process, frozenset())
        return [table for table, _ in gone]

    def assume_presence(self, table: str, person: str) -> bool:
        """Show a person as present; returns whether the person was absent from this process."""
        self._assumed.add((table, person))
        return self._mark_unless_watching(table, person)

    def end_assumed_presence(self, table: str, person: str) -> None:
        self._assumed.discard((table, person))
        self._mark_unless_watching(table, person)

    def _mark_unless_watching(self, table: str, person: str) -> bool:
        is_absent = person not in self._watching_people(table)
        if is_absent:
            self.presence_changed.add(table)
        return is_absent

    def push_all(self, connections: Collection[Connection], message: bytes) -> None:
        self._broadcasts.send([connection.push for connection in connections], message)

    def push_changes(self, connections: Collection[Connection], message: bytes) -> None:
        """Send a change of a list to connections that follow it."""
        self._broadcasts.send([connection.push_change for connection in connections], message)

    def disconnect(self, person: str, code: Close = Close.POLICY) -> None:
        for connection in list(self.of_person.get(person, ())):
            connection.close(code)
