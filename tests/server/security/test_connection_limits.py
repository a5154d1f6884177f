"""Who gets a place when there are few."""

from pathlib import Path

from royalcrypt.server.http.address_queue import AddressQueue
from royalcrypt.server.http.connection_limits import ConnectionLimits, ConnectionPlace, ConnectionState
from royalcrypt.server.limits import CROWD, REQUESTS_AT_ONCE, WAITING
from royalcrypt.server.settings import ServerSettings

FULL = 20


class Doors:
    """Limits, and what they closed and counted."""

    def __init__(self, **settings: object) -> None:
        chosen = {"data": Path(), "max_connections": FULL, "max_connections_per_address": FULL}
        self.limits = ConnectionLimits(ServerSettings(**chosen | settings))  # pyright: ignore[reportArgumentType]
        self.counted: list[str] = []
        self.limits.on_limit = self.counted.append
        self.closed: list[int] = []
        self.opened = 0

    def enter(self, address: str) -> ConnectionPlace | None:
        number = self.opened
        self.opened += 1
        place: list[ConnectionPlace | None] = []

        def abort() -> None:
            self.closed.append(number)
            if place[0] is not None:
                self.limits.leave(place[0])

        place.append(self.limits.enter(address, abort))
        return place[0]

    def busy(self, address: str) -> ConnectionPlace:
        """A place of somebody whose request is being answered."""
        place = self.enter(address)
        assert place is not None
        self.limits.move(place, ConnectionState.ANSWERED)
        return place


def test_the_longest_waiting_connection_of_an_address_makes_place_for_its_next_one() -> None:
    doors = Doors(max_connections_per_address=3, max_connections=1000)
    first, _, third = (doors.enter("192.0.2.1") for _ in range(3))
    assert first is not None
    assert third is not None
    doors.limits.move(third, ConnectionState.IDLE)
    assert doors.enter("192.0.2.1") is not None
    assert doors.closed == [2], "who was answered goes first"
    assert doors.enter("192.0.2.1") is not None
    assert doors.closed == [2, 0]
    assert set(doors.counted) == {"max_connections_per_address"}
    assert doors.enter("192.0.2.2") is not None
    assert len(doors.closed) == 2


def test_an_address_whose_requests_are_all_being_answered_gets_no_more_places() -> None:
    doors = Doors(max_connections_per_address=3, max_connections=1000)
    places = [doors.busy("192.0.2.1") for _ in range(3)]
    assert doors.enter("192.0.2.1") is None
    assert doors.enter("::ffff:192.0.2.1") is None
    doors.limits.leave(places[0])
    assert doors.enter("192.0.2.1") is not None


def test_sockets_and_other_connections_of_an_address_are_counted_apart() -> None:
    doors = Doors(max_connections_per_address=3, max_connections=1000)
    sockets = [doors.busy("192.0.2.1") for _ in range(3)]
    assert all(doors.limits.become_socket(place) for place in sockets)
    assert all(doors.enter("192.0.2.1") is not None for _ in range(3))
    assert doors.closed == []
    for place in sockets:
        doors.limits.leave(place)
    assert doors.limits.count == 3


def test_a_network_of_64_bits_is_one_address_and_a_trusted_proxy_is_none() -> None:
    doors = Doors(max_connections_per_address=1, max_connections=1000, trusted_proxies=("10.0.0.0/8", "::1"))
    doors.busy("2001:db8::1")
    assert doors.enter("2001:db8::2") is None
    assert doors.enter("2001:db8:0:1::2") is not None
    for proxy in ("10.1.2.3", "::ffff:10.1.2.3", "::1"):
        for _ in range(5):
            doors.busy(proxy)


def test_requests_through_a_trusted_proxy_count_for_whom_it_names() -> None:
    limits = Doors(trusted_proxies=("10.0.0.0/8",)).limits
    assert limits.forwarded_source([(b"x-forwarded-for", b"192.0.2.9, 192.0.2.1, 10.1.1.1")]) == "192.0.2.1"
    assert limits.forwarded_source([(b"x-forwarded-for", b"2001:db8::5")]) == "2001:db8::/64"
    assert limits.forwarded_source([(b"x-forwarded-for", b"10.1.1.1"), (b"host", b"x")]) is None


def test_a_trusted_proxy_keeps_its_idle_connections() -> None:
    doors = Doors(trusted_proxies=("10.0.0.0/8",))
    for _ in range(FULL):
        doors.limits.move(doors.busy("10.1.2.3"), ConnectionState.IDLE)
    assert doors.enter("192.0.2.1") is None
    assert doors.closed == []


def test_waiting_connections_never_take_the_places_of_sockets() -> None:
    doors = Doors()
    for number in range(5 * FULL):
        assert doors.enter(f"192.0.2.{number}") is not None
    assert doors.limits.count == WAITING.part * FULL
    assert set(doors.counted) == {WAITING.name}
    sockets = [doors.busy(f"198.51.100.{number}") for number in range(FULL)]
    assert all(doors.limits.become_socket(place) for place in sockets)
    assert doors.limits.count == FULL
    assert doors.enter("203.0.113.1") is None
    doors.limits.leave(sockets[0])
    assert doors.enter("203.0.113.1") is not None


def test_in_a_crowd_idle_connections_are_closed_before_they_must() -> None:
    doors = Doors()
    idle = [doors.busy(f"192.0.2.{number}") for number in range(2)]
    for place in idle:
        doors.limits.move(place, ConnectionState.IDLE)
    for number in range(int(CROWD.part * FULL) - 2):
        doors.busy(f"198.51.100.{number}")
    assert doors.closed == []
    doors.busy("203.0.113.1")
    doors.busy("203.0.113.2")
    assert doors.closed == [0, 1]
    assert set(doors.counted) == {CROWD.name}


def test_of_one_address_few_requests_run_at_a_time_and_all_in_their_order() -> None:
    counted: list[str] = []
    queue = AddressQueue(counted.append)
    begun: list[int] = []
    most = REQUESTS_AT_ONCE.most
    for number in range(most + 4):
        queue.start("one", number, lambda number=number: begun.append(number))
    queue.start("another", 0, lambda: begun.append(-1))
    assert begun == [*range(most), -1]
    assert counted == [REQUESTS_AT_ONCE.name] * 4
    queue.cancel("one", most + 1)
    for _ in range(3):
        queue.end("one")
    assert begun[most + 1 :] == [most, most + 2, most + 3]
    for _ in range(most):
        queue.end("one")
    queue.end("another")
    assert not queue._running
    assert not queue._queued
