"""Startup and shutdown of the service and its periodic tasks."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable

import structlog

from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.accounts.keys import KEY_FILE, load_keys, shared_keys
from royalcrypt.server.clock import ServerClock
from royalcrypt.server.operations.backups import advising
from royalcrypt.server.service import Service
from royalcrypt.server.settings import ServerSettings
from royalcrypt.storage.database import Database, open_database
from royalcrypt.storage.server_state import ServerState

SWEEP_SECONDS, FLUSH_SECONDS, HEARTBEAT_SECONDS, TIDY_SECONDS, BACKUP_SECONDS = 1.0, 0.25, 2.0, 15.0, 600.0
RATE_SECONDS, VACUUM_SECONDS = 5.0, 60.0
MAIL_SECONDS = 30.0
POLL_SECONDS = 1.0
LINK_SECONDS = 1.0
log = structlog.get_logger()


@contextlib.asynccontextmanager
async def running_service(
    settings: ServerSettings, *, clock: Callable[[], int] | None = None
) -> AsyncGenerator[Service]:
    """Run a service with its database open and its periodic tasks running; closes it on exit.

    A ``clock`` that is no ServerClock replaces both the machine's clock and the steady one.
    """
    settings.data.mkdir(parents=True, exist_ok=True)
    with advising(settings.data):
        database = await open_database(settings.database, settings.database_file, settings.data / KEY_FILE)
    try:
        service = await _build(settings, database, _server_clock(clock))
        tasks = [
            asyncio.create_task(_repeat(task, every))
            for task, every in (
                (service.sweep, SWEEP_SECONDS),
                (service.flush, FLUSH_SECONDS),
                (service.heartbeat, HEARTBEAT_SECONDS),
                (service.tidy, TIDY_SECONDS),
                (service.update_ratings, RATE_SECONDS),
                (service.purge_deleted, VACUUM_SECONDS),
                (service.back_up, BACKUP_SECONDS),
                *([(service.send_reminders, MAIL_SECONDS)] if service.mailing.is_on else []),
                (service.poll, POLL_SECONDS)
                if service.is_shared
                else (service.reload_admin_link, LINK_SECONDS),
            )
        ]
        try:
            service.warm_up_bots()
            yield service
        finally:
            service.warm_up.close()
            await service.analysis_process.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await service.close()
            with contextlib.suppress(Refusal):  # Without it, clocks lose a few seconds of credit.
                await service.heartbeats.end()
    finally:
        await database.close()


async def _build(settings: ServerSettings, database: Database, now: ServerClock) -> Service:
    is_shared = database.is_shared
    keys = await shared_keys(ServerState(database)) if is_shared else load_keys(settings.data)
    service = Service(settings, database, keys, now)
    await service.prepare()
    return service


def _server_clock(clock: Callable[[], int] | None) -> ServerClock:
    if isinstance(clock, ServerClock):
        return clock
    return ServerClock() if clock is None else ServerClock(clock, steady=clock)


async def _repeat(task: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Run a task periodically; errors are logged and do not stop it."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await task()
        except Refusal as refusal:
            log.warning("task refused", task=task.__name__, reason=refusal.reason, words=str(refusal))
        except Exception:
            log.exception("task failed", task=task.__name__)
