"""Servers on PostgreSQL and Redis, or one on SQLite, and those who play there."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.server.load import Arrival, Step
from benchmarks.server.prepare import prepare
from benchmarks.server.processes import Crowd, Server, busy_family, cores, crowd_at, our_server
from tests.services.postgres import Postgres
from tests.services.processes import Service
from tests.services.redis import Redis

SECONDS, FULL_SECONDS = 4, 1.5
"""Games would end if tables went on without a pause for long."""
MOST_MOVES = {1: 8, 2: 16, 4: 30}
"""Made before, by players: games have many more to go."""


class Services(NamedTuple):
    """Shared by all sides; each has a database and a number of its own there."""

    postgres: Postgres
    redis: Redis

    def busy(self) -> tuple[float, float]:
        """Seconds of processor time of both so far."""
        return busy_service(self.postgres), busy_service(self.redis)


@contextmanager
def services() -> Generator[Services]:
    """On whichever core is free."""
    with Postgres() as postgres, Redis() as redis:
        yield Services(postgres, redis)


def busy_service(service: Service) -> float:
    assert service.process is not None
    return busy_family(service.process.pid)


class Cost(NamedTuple):
    """Of a command, in µs of processor time."""

    servers: float
    postgres: float
    redis: float


class Timed(NamedTuple):
    cost: Cost
    step: Step


class Side:
    def __init__(self, servers: list[Server], crowd: Crowd, shared: Services) -> None:
        self.servers = servers
        self.crowd = crowd
        self.shared = shared

    def busy(self) -> float:
        return sum(server.busy() for server in self.servers)

    def measure(self, rate: float, seed: int) -> Cost:
        """Commands fall due at random moments."""
        return self.timed(rate, seed).cost

    def timed(self, rate: float, seed: int) -> Timed:
        before = self._spent()
        step = self.crowd.run(rate, SECONDS, seed)
        return Timed(self._cost_since(before, step.all), step)

    def measure_full(self, at_once: int) -> Cost:
        """So many tables never pause."""
        before = self._spent()
        return self._cost_since(before, self.crowd.full(at_once, FULL_SECONDS).all)

    def _spent(self) -> tuple[float, float, float]:
        """Seconds of processor time so far, with all games going on."""
        self.crowd.tell("play_again")
        return (self.busy(), *self.shared.busy())

    def _cost_since(self, before: tuple[float, float, float], commands: int) -> Cost:
        now = (self.busy(), *self.shared.busy())
        return Cost(*((late - early) * 1e6 / commands for early, late in zip(before, now, strict=True)))


class Prepared(NamedTuple):
    """A database with games in it, to be copied for each side."""

    template: str
    tables: list[dict[str, Any]]


def prepared(place: Path, shared: Services, tables: int, seats: int, *, most_moves: int = 0) -> Prepared:
    database = shared.postgres.new_database()
    moves = most_moves or MOST_MOVES[seats]
    found = prepare(
        place / f"prepared-{seats}", tables, seats=seats, most_moves=moves,
        database=database, channel=shared.redis.url,
    )  # fmt: skip
    return Prepared(database.rpartition("/")[2], found)


@contextmanager
def cluster_side(
    place: Path,
    shared: Services,
    games: Prepared,
    processes: int,
    *,
    number: int,
    playing: int | None = None,
    arrival: Arrival = Arrival.APART,
) -> Generator[Side]:
    """``number`` is the side's own on Redis; ``playing`` tables are played at, if not all."""
    database = shared.postgres.new_database(games.template)
    channel = f"redis://127.0.0.1:{shared.redis.port}/{number}"
    for_servers, for_crowd = cores()
    with ExitStack() as stack:
        servers = [
            stack.enter_context(
                our_server(place / f"side-{number}-{one}", for_servers, database=database, channel=channel)
            )
            for one in range(processes)
        ]
        crowd = stack.enter_context(crowd_at(for_crowd, *(server.host for server in servers)))
        seat_all(crowd, games.tables[:playing], arrival)
        yield Side(servers, crowd, shared)
    shared.postgres.drop(database)


@contextmanager
def unrelated_side(
    place: Path, shared: Services, games: Prepared, servers: int, *, number: int, playing: int
) -> Generator[Side]:
    """As many processes with as much to do, of which each is a server by itself.

    They have the core in common and nothing else: what that costs is not the price of being one server.
    """
    for_servers, for_crowd = cores()
    databases = [shared.postgres.new_database(games.template) for _ in range(servers)]
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                our_server(
                    place / f"unrelated-{number + one}",
                    for_servers,
                    database=database,
                    channel=f"redis://127.0.0.1:{shared.redis.port}/{number + one}",
                )
            )
            for one, database in enumerate(databases)
        ]
        crowd = stack.enter_context(crowd_at(for_crowd, *(server.host for server in running)))
        seat_all(crowd, games.tables[:playing], Arrival.TOGETHER)
        yield Side(running, crowd, shared)
    for database in databases:
        shared.postgres.drop(database)


@contextmanager
def single_side(place: Path, shared: Services, tables: int, seats: int) -> Generator[Side]:
    """One process on SQLite."""
    data = place / "single"
    games = prepare(data, tables, seats=seats, most_moves=MOST_MOVES[seats])
    for_server, for_crowd = cores()
    with our_server(data, for_server) as server, crowd_at(for_crowd, server.host) as crowd:
        seat_all(crowd, games)
        yield Side([server], crowd, shared)


def seat_all(crowd: Crowd, tables: list[dict[str, Any]], arrival: Arrival = Arrival.APART) -> None:
    crowd.tell("seat_live", tables=tables, arrival=arrival)
    crowd.tell("connect", first=0, last=len(tables))
    crowd.tell("watch")
