"""``royalcrypt bot-worker``: computes bots' moves for servers on other machines."""

import argparse
import asyncio
import os
from urllib.parse import urlsplit

from royalcrypt.bots.registry import COMPILED, can_compile, other_names
from royalcrypt.bots.warming import WarmUp
from royalcrypt.cli.output import write_if_open
from royalcrypt.cli.serve import describe_settings, options_in
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.operations.shutdown import Shutdown
from royalcrypt.server.settings import LoadedSettings, read_settings

USED_SETTINGS = ("data", "channel", "bot_workers", "compiled_bots", "log_format", "log_level")
"""Settings that this command reads; a file shared with a server may contain others."""
MAX_PROCESSES = 64


def describe(parser: argparse.ArgumentParser) -> None:
    describe_settings(parser, USED_SETTINGS)


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.server.cluster.channel import pool_at
    from royalcrypt.server.operations.logs import configure_logs

    with Shutdown().handling_signals() as shutdown:
        loaded = read_settings(options_in(arguments), required={})
        channel = loaded.settings.channel
        if channel is None:
            raise Refusal(Reason.NO_CHANNEL)
        pool_at(channel)  # Raises Refusal for a wrong address.
        configure_logs(loaded.settings)
        asyncio.run(work(channel, loaded, shutdown))
        write_if_open(say("bot_worker.stopped"))
        return 0


async def work(channel: str, loaded: LoadedSettings, shutdown: Shutdown) -> None:
    """Run the worker until a signal arrives."""
    from royalcrypt.server.bots.worker import BotWorker, log_failure

    warm_up = WarmUp(COMPILED)
    processes = processes_for(loaded)
    worker = BotWorker(channel, processes, is_ready=warm_up.is_ready)
    loop = asyncio.get_running_loop()

    def leave() -> None:
        loop.call_soon_threadsafe(worker.leave)

    shutdown.stop = leave
    if shutdown.is_requested:
        return
    if loaded.settings.compiled_bots and can_compile():
        warm_up.begin((*COMPILED, *other_names()), on_failure=log_failure)
    try:
        await worker.run(on_open=lambda: announce(channel, processes))
    finally:
        shutdown.stop = None
        warm_up.close()


def processes_for(loaded: LoadedSettings) -> int:
    """Return the number of processes: as set, otherwise one per core."""
    if "bot_workers" in loaded.given:
        return loaded.settings.bot_workers
    return min(MAX_PROCESSES, os.cpu_count() or 1)


def announce(channel: str, processes: int) -> None:
    """Print the channel's address without its password."""
    parts = urlsplit(channel)
    place = f"{parts.hostname or ''}:{parts.port or 6379}{parts.path or '/0'}"
    write_if_open(say("bot_worker.open", place=place, n=processes))
    write_if_open(say("serve.stop"))
