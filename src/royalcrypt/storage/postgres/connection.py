"""Connections to PostgreSQL through asyncpg: opening, retries, and classification of errors."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
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
"""Seconds of retries after which an unreachable database is reported."""
PAUSE = 0.1
STATEMENT_TIMEOUT = 10.0
CONNECT_SECONDS = 5.0
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


async def connect(url: str) -> AsyncpgConnection:
    library: Any = asyncpg
    return await library.connect(
        url, timeout=CONNECT_SECONDS, command_timeout=STATEMENT_TIMEOUT, server_settings=SESSION
    )


def place_of(url: str) -> str:
    """Return the part of a database URL that may be shown, without the password."""
    parts = urlsplit(url)
    host = parts.hostname or "PostgreSQL"
    return f"{host}:{parts.port}{parts.path}" if parts.port else f"{host}{parts.path}"


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


class ReconnectingConnection:
    """A connection that serves one caller at a time and reconnects after a failure."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: AsyncpgConnection | None = None
        self._lock = asyncio.Lock()

    async def do(
        self, work: Callable[[AsyncpgConnection, bool], Awaitable[T]], *, retry_seconds: float = RETRY_SECONDS
    ) -> T:
        """Run ``work``, and retry it while the database is unreachable, for up to ``retry_seconds``.

        The second argument of ``work`` is true if an earlier attempt has an unknown outcome.
        """
        deadline = monotonic() + retry_seconds
        was_begun = False
        async with self._lock:
            while True:
                try:
                    if self._connection is None or self._connection.is_closed():
                        self._connection = await connect(self._url)
                    was_begun, is_repeated = True, was_begun
                    return await work(self._connection, is_repeated)
                except TRANSIENT:
                    if self._connection is not None:
                        self._connection.terminate()
                    self._connection = None
                    if monotonic() + PAUSE > deadline:
                        raise
                await asyncio.sleep(PAUSE)

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*TRANSIENT):
                await connection.close(timeout=1)
