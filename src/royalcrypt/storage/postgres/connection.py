"""Connections to PostgreSQL through asyncpg: opening, retries, and classification of errors."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import urlsplit

import asyncpg
import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoneFree

from royalcrypt.notation.reasons import Reason, Refusal

T = TypeVar("T")
log = structlog.get_logger()
AsyncpgConnection = Any
"""Type of asyncpg's connections; ``Any``, because asyncpg's own types are incomplete."""
RETRY_SECONDS = 8.0
"""Seconds after which a move is refused if the database does not answer; waiting for others counts."""
ANSWER_SECONDS = 4.0
"""Seconds after which an attempt to read or write journals is given up and repeated on a new connection.

Shorter than RETRY_SECONDS, so that a move survives the failure of a host that then no longer answers.
"""
PAUSE = 0.1
STATEMENT_TIMEOUT = 10.0
CONNECT_SECONDS = 5.0
HOST_SECONDS = 2.0
"""Like CONNECT_SECONDS, for each of several hosts, so that a move still reaches the second one."""
SESSION = {
    "application_name": "royalcrypt",
    "client_encoding": "UTF8",
    # A process that hangs in a transaction must not block the others.
    "idle_in_transaction_session_timeout": "5s",
    "lock_timeout": "5s",
}
TRANSIENT: tuple[type[Exception], ...] = (
    OSError,
    TimeoutError,
    NoneFree,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
    asyncpg.LockNotAvailableError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.ReadOnlySQLTransactionError,
)
"""Transient errors that are worth a retry, such as a restart or fail-over of the database server."""


class Connector:
    """Opens connections to that one of a URL's hosts that accepts writes; begins with the last one that did.

    asyncpg can try several hosts, too, but with one time limit for all: a host that hangs would use it up.
    """

    def __init__(self, url: str) -> None:
        self._urls = urls_of(url)

    async def connect(self, *, seconds: float | None = STATEMENT_TIMEOUT) -> AsyncpgConnection:
        """Connect; ``seconds`` limits each statement."""
        library: Any = asyncpg
        limit = CONNECT_SECONDS if len(self._urls) == 1 else HOST_SECONDS
        problem: Exception = asyncpg.InterfaceError("no host")
        for url in list(self._urls):
            try:
                opened = await library.connect(
                    url,
                    timeout=limit,
                    command_timeout=seconds,
                    server_settings=SESSION,
                    target_session_attrs="read-write",
                )
            except TRANSIENT as failed:
                problem = failed
            else:
                self._urls.remove(url)
                self._urls.insert(0, url)
                return opened
        raise problem


async def connect(url: str) -> AsyncpgConnection:
    return await Connector(url).connect()


def urls_of(url: str) -> list[str]:
    """Return one URL for each host of a URL such as postgresql://user@one:5432,two:5432/name."""
    parts = urlsplit(url)
    user, separator, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return [url]
    return [parts._replace(netloc=f"{user}{separator}{host}").geturl() for host in hosts.split(",")]


def place_of(url: str) -> str:
    """Return the part of a database URL that may be shown, without the password."""
    parts = urlsplit(url)
    hosts = parts.netloc.rpartition("@")[2] or "PostgreSQL"
    return f"{hosts}{parts.path}"


def cause_of(problem: BaseException) -> BaseException:
    """Return the driver's error inside an SQLAlchemy error."""
    if isinstance(problem, DBAPIError) and problem.orig is not None:
        return problem.orig.__cause__ or problem.orig
    return problem


def is_passing(problem: BaseException) -> bool:
    is_cut = isinstance(problem, DBAPIError) and problem.connection_invalidated
    return is_cut or isinstance(cause_of(problem), TRANSIENT)


def failure(kind: type[Refusal], problem: BaseException) -> Refusal:
    """Log a failed read or write and return its reason for players, which names no host."""
    cause = cause_of(problem)
    name = type(cause).__name__
    is_full = isinstance(cause, asyncpg.DiskFullError)
    refusal = kind(Reason.DISK_FULL) if is_full else kind(Reason.STORAGE_SILENT, why=name)
    log.warning("storage failed", reason=refusal.reason, problem=f"{name}: {problem}")
    return refusal


def refusal_of(problem: BaseException, url: str) -> Refusal:
    """Return the reason why a database cannot be opened, for the administrator."""
    cause = cause_of(problem)
    why = str(cause).strip().partition("\n")[0] or type(cause).__name__
    return Refusal(Reason.DATABASE_UNREACHABLE, place=place_of(url), why=why)


class Availability:
    """Whether the database answers.

    After the first failure that took RETRY_SECONDS, whatever waits or comes is refused at once, until a
    probe reaches the database. Otherwise commands that wait for each other would each take that long.
    """

    def __init__(self, connector: Connector) -> None:
        self._connector = connector
        self._problem = ""
        self._probing: asyncio.Task[None] | None = None

    def check(self, kind: type[Refusal]) -> None:
        """Raise a Refusal of this kind while the database does not answer."""
        if self._probing is not None:
            raise kind(Reason.STORAGE_SILENT, why=self._problem)

    def report(self, problem: BaseException) -> None:
        """Refuse everything from now on, until the database answers."""
        if self._probing is None:
            self._problem = type(cause_of(problem)).__name__
            self._probing = asyncio.create_task(self._probe())

    async def _probe(self) -> None:
        began = monotonic()
        try:
            while True:
                with suppress(*TRANSIENT):
                    (await self._connector.connect()).terminate()
                    break
                await asyncio.sleep(PAUSE)
        finally:
            self._probing = None
        log.info("storage answers again", seconds=round(monotonic() - began, 1))

    async def close(self) -> None:
        if self._probing is not None:
            self._probing.cancel()
            with suppress(asyncio.CancelledError):
                await self._probing


class ReconnectingConnection:
    """A connection that serves one caller at a time and reconnects after a failure."""

    def __init__(self, connector: Connector, availability: Availability | None = None) -> None:
        """With ``availability``, for play: attempts take ANSWER_SECONDS, and failures become refusals."""
        self.opened = 0
        """How many connections were opened; a new one may lead to another server."""
        self._connector = connector
        self._availability = availability
        self._connection: AsyncpgConnection | None = None
        self._lock = asyncio.Lock()

    async def do(
        self,
        work: Callable[[AsyncpgConnection, bool], Awaitable[T]],
        *,
        kind: type[Refusal] = Refusal,
        since: float | None = None,
    ) -> T:
        """Run ``work``, and retry it while the database is unreachable, for up to RETRY_SECONDS.

        The second argument of ``work`` is true if an earlier attempt has an unknown outcome. The time runs
        from ``since`` (default: now). With ``availability`` raises a Refusal of this kind when it is over,
        and at once while the database is known not to answer; otherwise raises the driver's error.
        """
        deadline = (monotonic() if since is None else since) + RETRY_SECONDS
        try:
            async with time_limit(deadline):
                await self._lock.acquire()
            try:
                return await self._try(work, deadline, kind)
            finally:
                self._lock.release()
        except TRANSIENT as problem:
            if self._availability is None:
                raise
            self._availability.report(problem)
            raise failure(kind, problem) from problem

    async def _try(
        self, work: Callable[[AsyncpgConnection, bool], Awaitable[T]], deadline: float, kind: type[Refusal]
    ) -> T:
        was_begun = False
        while True:
            if self._availability is not None:
                self._availability.check(kind)
            try:
                async with time_limit(deadline):
                    connection = await self._open()
                was_begun, is_repeated = True, was_begun
                with self._terminated_at(deadline, connection):
                    return await work(connection, is_repeated)
            except TRANSIENT:
                if self._connection is not None:
                    self._connection.terminate()
                self._connection = None
                if monotonic() + PAUSE > deadline:
                    raise
            await asyncio.sleep(PAUSE)

    async def _open(self) -> AsyncpgConnection:
        if self._connection is None or self._connection.is_closed():
            seconds = STATEMENT_TIMEOUT if self._availability is None else None
            self._connection = await self._connector.connect(seconds=seconds)
            self.opened += 1
        return self._connection

    @contextmanager
    def _terminated_at(self, deadline: float, connection: AsyncpgConnection) -> Generator[None]:
        """Terminate the connection when the time of an attempt is over.

        A cancelled statement would ask PostgreSQL to cancel, too. A commit that waits for a standby would
        then be visible, although the standby lacks it.
        """
        if self._availability is None:
            yield
            return
        seconds = min(ANSWER_SECONDS, deadline - monotonic())
        timer = asyncio.get_running_loop().call_later(seconds, connection.terminate)
        try:
            yield
        finally:
            timer.cancel()

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*TRANSIENT):
                await connection.close(timeout=1)


def time_limit(deadline: float) -> asyncio.Timeout:
    """Raise TimeoutError in the block from ``deadline`` on, a time of the monotonic clock."""
    return asyncio.timeout(max(0.0, deadline - monotonic()))
