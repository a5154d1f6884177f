"""Who is connected, and what each of them wants to be told."""

from collections import Counter
from collections.abc import Iterable, Iterator

from royalcrypt.server.connections import Close, Connection
from royalcrypt.tables.table import Table


class Hub:
    def __init__(self) -> None:
        self.connections: set[Connection] = set()
        self.watchers: dict[str, dict[Connection, int | None]] = {}
        self.of_person: dict[str, set[Connection]] = {}
        self.addresses: Counter[str] = Counter()
        self.lobby: set[Connection] = set()
        self.stirred: set[str] = set()
        """Tables whose comings and goings have not been told yet."""
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
        for table in list(connection.watching):
            self.unwatch(connection, table)
        mine = self.of_person.get(connection.person, set())
        mine.discard(connection)
        if not mine:
            self.of_person.pop(connection.person, None)

    def watch(self, connection: Connection, table: str, seat: int | None) -> None:
        self.watchers.setdefault(table, {})[connection] = seat
        connection.watching[table] = seat
        self.stirred.add(table)

    def unwatch(self, connection: Connection, table: str) -> None:
        connection.watching.pop(table, None)
        watchers = self.watchers.get(table)
        if watchers is None:
            return
        watchers.pop(connection, None)
        self.stirred.add(table)
        if not watchers:
            del self.watchers[table]

    def watching(self, table: str) -> Iterator[tuple[Connection, int | None]]:
        """Those who watch, with the seat whose view they see; the list may change meanwhile."""
        yield from list(self.watchers.get(table, {}).items())

    def present(self, table: Table) -> tuple[bool, ...]:
        """By seat, whether its person has the table open."""
        people = {connection.person for connection in self.watchers.get(table.id, ())}
        people |= {person for lent, person in self._lent if lent == table.id}
        return tuple(place.person in people for place in table.seats)

    def lend(self, table: str, person: str) -> bool:
        """Let somebody seem to have the table open; tells whether they had not."""
        self._lent.add((table, person))
        return self._stir_without(table, person)

    def take_back(self, table: str, person: str) -> None:
        self._lent.discard((table, person))
        self._stir_without(table, person)

    def _stir_without(self, table: str, person: str) -> bool:
        """Nothing changes where they really are."""
        is_away = all(connection.person != person for connection in self.watchers.get(table, ()))
        if is_away:
            self.stirred.add(table)
        return is_away

    def spectators(self, table: Table) -> int:
        seated = {place.person for place in table.seats}
        watchers = self.watchers.get(table.id, ())
        return len({connection.person for connection in watchers} - seated)

    def push_all(self, connections: Iterable[Connection], message: bytes) -> None:
        for connection in list(connections):
            connection.push(message)

    def disconnect(self, person: str, code: Close = Close.POLICY) -> None:
        for connection in list(self.of_person.get(person, ())):
            connection.close(code)
