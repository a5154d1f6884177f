"""Places for connections: how many may be open, in all and of each address, and which must go first.

A connection waits while the server has no complete request of it: it is idle, or a request is unfinished.
Waiting connections are closed to make place for others; sockets and unanswered requests are not.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from enum import Enum
from ipaddress import ip_address, ip_network
from time import monotonic

from royalcrypt.server.http.address_queue import AddressQueue
from royalcrypt.server.http.callers import source_in
from royalcrypt.server.limits import CROWD, CROWDED_REQUEST_TIME, WAITING
from royalcrypt.server.settings import ServerSettings


class ConnectionState(Enum):
    IDLE = "idle"
    """Its last request was answered."""
    UNFINISHED = "unfinished"
    ANSWERED = "answered"
    """A complete request is being answered."""
    SOCKET = "socket"


class ConnectionPlace:
    """The place of one connection."""

    __slots__ = ("abort", "since", "source", "state")

    def __init__(self, source: str | None, abort: Callable[[], object]) -> None:
        self.source = source
        """The address for which the connection counts; None for a trusted proxy, which has no limit."""
        self.abort = abort
        self.state = ConnectionState.ANSWERED
        self.since = 0.0
        """When it began to wait."""


class ConnectionLimits:
    """Counts the open connections of a server process."""

    def __init__(self, settings: ServerSettings) -> None:
        self.on_limit: Callable[[str], object] = str
        """Counts each limit that is applied; set when the service starts."""
        self.on_request: Callable[[], object] = int
        """Called for each request and handshake; set when the service starts."""
        self.limits_rates = settings.rate_limits
        self.most = settings.max_connections
        self._most_of_address = settings.max_connections_per_address
        self._proxies = [ip_network(each, strict=False) for each in settings.trusted_proxies]
        self.count = 0
        """Number of open connections of all kinds."""
        self._waiting: dict[ConnectionState, OrderedDict[ConnectionPlace, None]] = {
            ConnectionState.IDLE: OrderedDict(),
            ConnectionState.UNFINISHED: OrderedDict(),
        }
        """Waiting connections except those of proxies, in the order in which they are closed."""
        self._requests: dict[str, dict[ConnectionPlace, None]] = {}
        """Connections of each address that are no sockets."""
        self._sockets: Counter[str] = Counter()
        self.queue = AddressQueue(self._count_limit)

    def _count_limit(self, name: str) -> None:
        self.on_limit(name)

    def enter(self, address: str, abort: Callable[[], object]) -> ConnectionPlace | None:
        """Give a new connection a place, and close waiting ones if needed; returns None if there is none."""
        source = None if self._is_proxy(address) else source_in(address)
        if not self._make_place_of(source) or not self._make_place():
            return None
        place = ConnectionPlace(source, abort)
        if source is not None:
            self._requests.setdefault(source, {})[place] = None
        self.count += 1
        self.move(place, ConnectionState.UNFINISHED)
        return place

    def move(self, place: ConnectionPlace, state: ConnectionState) -> None:
        if place.state is state:
            return
        if place.state in self._waiting:
            self._waiting[place.state].pop(place, None)
        place.state = state
        if state in self._waiting and place.source is not None:
            place.since = monotonic()
            self._waiting[state][place] = None

    def forwarded_source(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Return the address for which a trusted proxy sent a request; None if it names nobody else."""
        lines = [value.decode("latin-1") for name, value in headers if name == b"x-forwarded-for"]
        for address in reversed(",".join(lines).split(",")):
            if address.strip() and not self._is_proxy(address.strip()):
                return source_in(address.strip())
        return None

    def become_socket(self, place: ConnectionPlace) -> bool:
        """Move a connection to the sockets; returns False if its address has far too many.

        The endpoint counts sockets by the addresses that proxies forward, and refuses with a reason. Only
        sockets that are being opened or closed are more.
        """
        if place.source is not None:
            if self._sockets[place.source] >= 2 * self._most_of_address:
                self.on_limit("max_connections_per_address")
                return False
            self._drop_request(place, place.source)
            self._sockets[place.source] += 1
        self.move(place, ConnectionState.SOCKET)
        return True

    def leave(self, place: ConnectionPlace) -> None:
        self.count -= 1
        is_socket = place.state is ConnectionState.SOCKET
        self.move(place, ConnectionState.ANSWERED)
        if place.source is None:
            return
        if is_socket:
            self._sockets[place.source] -= 1
            if not self._sockets[place.source]:
                del self._sockets[place.source]
        else:
            self._drop_request(place, place.source)

    def _drop_request(self, place: ConnectionPlace, source: str) -> None:
        connections = self._requests[source]
        del connections[place]
        if not connections:
            del self._requests[source]

    def _make_place_of(self, source: str | None) -> bool:
        mine = () if source is None else self._requests.get(source, ())
        if len(mine) < self._most_of_address:
            return True
        self.on_limit("max_connections_per_address")
        return self._close_first(mine)

    def _make_place(self) -> bool:
        longest = [next(iter(places)) for places in self._waiting.values() if places]
        if sum(map(len, self._waiting.values())) >= WAITING.part * self.most:
            self.on_limit(WAITING.name)
            return self._close_first(longest)
        if self.count >= self.most:
            self.on_limit("max_connections")
            return self._close_first(longest)
        if self.count >= CROWD.part * self.most:
            late = monotonic() - CROWDED_REQUEST_TIME.seconds
            if self._close_first(
                [place for place in longest if place.state is ConnectionState.IDLE or place.since < late]
            ):
                self.on_limit(CROWD.name)
        return True

    def _close_first(self, places: Iterable[ConnectionPlace]) -> bool:
        """Close the longest idle connection, else the longest unfinished one; returns False without any."""
        waiting = (place for place in places if place.state in self._waiting)
        first = min(
            waiting, key=lambda place: (place.state is ConnectionState.UNFINISHED, place.since), default=None
        )
        if first is None:
            return False
        self.move(first, ConnectionState.ANSWERED)  # It keeps its place until the event loop has closed it.
        first.abort()
        return True

    def _is_proxy(self, address: str) -> bool:
        if not self._proxies:
            return False
        try:
            found = ip_address(address)
        except ValueError:
            return False
        found = getattr(found, "ipv4_mapped", None) or found
        return any(found in network for network in self._proxies)
