"""``royalcrypt bot-worker``: computes bots' moves for servers elsewhere."""

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
from royalcrypt.server.ending import Ending
from royalcrypt.server.settings import Reading, read_settings

USED = ("data", "channel", "bot_workers", "compiled_bots", "log_format", "log_level")
"""The settings it reads; a file shared with a server may hold others."""
MOST_PROCESSES = 64


def describe(parser: argparse.ArgumentParser) -> None:
    describe_settings(parser, USED)


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.server.channel.address import pool_at
    from royalcrypt.server.logs import configure_logs

    with Ending().heard() as ending:
        reading = read_settings(options_in(arguments), companions={})
        channel = reading.settings.channel
        if channel is None:
            raise Refusal(Reason.NO_CHANNEL)
        pool_at(channel)  # Raises Refusal for a wrong address.
        configure_logs(reading.settings)
        asyncio.run(work(channel, reading, ending))
        write_if_open(say("bot_worker.stopped"))
        return 0


async def work(channel: str, reading: Reading, ending: Ending) -> None:
    """Work until a signal comes."""
    from royalcrypt.server.worker import BotWorker, note_failure

    warm_up = WarmUp(COMPILED)
    processes = processes_for(reading)
    worker = BotWorker(channel, processes, is_ready=warm_up.is_ready)
    loop = asyncio.get_running_loop()

    def leave() -> None:
        loop.call_soon_threadsafe(worker.leave)

    ending.ask = leave
    if ending.is_asked:
        return
    if reading.settings.compiled_bots and can_compile():
        warm_up.begin((*COMPILED, *other_names()), on_failure=note_failure)
    try:
        await worker.run(on_open=lambda: announce(channel, processes))
    finally:
        ending.ask = None
        warm_up.close()


def processes_for(reading: Reading) -> int:
    """All cores unless the setting says otherwise: this process needs none for tables."""
    if "bot_workers" in reading.given:
        return reading.settings.bot_workers
    return min(MOST_PROCESSES, os.cpu_count() or 1)


def announce(channel: str, processes: int) -> None:
    """Print the address without its password."""
    parts = urlsplit(channel)
    place = f"{parts.hostname or ''}:{parts.port or 6379}{parts.path or '/0'}"
    write_if_open(say("bot_worker.open", place=place, n=processes))
    write_if_open(say("serve.stop"))
