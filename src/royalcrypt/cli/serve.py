"""``royalcrypt serve``: serves the game to browsers, on this machine or in the local network."""

import argparse
import asyncio
import gc
import socket
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from royalcrypt.cli.output import write_if_open
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.http.listener import listen, port_of, url_here, urls_nearby
from royalcrypt.server.operations.lock_file import find_running, remove_lock_file, write_lock_file
from royalcrypt.server.operations.shutdown import Shutdown
from royalcrypt.server.settings import SETTINGS, LoadedSettings, ServerSettings, read_settings

WHITE_ON_BLACK, RESET = "\x1b[97;40m", "\x1b[0m"
QUIET_ZONE = 2
HEARTBEAT_SECONDS = 4
"""Seconds in which a running server stores the time at least once."""


def describe(parser: argparse.ArgumentParser) -> None:
    describe_settings(parser, SETTINGS)
    parser.add_argument("--no-browser", action="store_true", help=say("serve.option.no_browser"))
    parser.add_argument("--accept-clock", action="store_true", help=say("serve.option.accept_clock"))
    parser.add_argument("--new-admin-link", action="store_true", help=say("serve.option.new_admin_link"))


def describe_settings(parser: argparse.ArgumentParser, names: Iterable[str]) -> None:
    group = parser.add_argument_group(say("settings.title"))
    for name in ("config", *names):
        option, words = "--" + name.replace("_", "-"), say(f"settings.{name}")
        if name in SETTINGS and SETTINGS[name].type is bool:
            group.add_argument(option, action=argparse.BooleanOptionalAction, help=words)
        else:
            group.add_argument(option, metavar=say("settings.value"), help=words)


def run(arguments: argparse.Namespace) -> int:
    with Shutdown().handling_signals() as shutdown:
        loaded = read_options(arguments)
        running = None if loaded.settings.database else find_running(loaded.settings.data)
        if running is None:
            if arguments.accept_clock:
                accept_clock(loaded.settings)
            serve_until_signal(loaded, shutdown, is_link_new=arguments.new_admin_link)
        elif arguments.new_admin_link and not arguments.accept_clock:
            replace_link_of_running(loaded.settings, running)
        else:
            raise Refusal(Reason.ALREADY_SERVED, url=running)
        return 0


def replace_link_of_running(settings: ServerSettings, url: str) -> None:
    """Replace and print the admin link of the server that runs on the data folder."""
    from royalcrypt.server.accounts.keys import load_keys

    replace_link(settings)
    announce_link(settings.public_url or url, load_keys(settings.data).admin_token())


def accept_clock(settings: ServerSettings) -> None:
    """Set the stored time to the machine's, if that is earlier; raises Refusal beside a running server."""
    from royalcrypt.server.accounts.keys import KEY_FILE
    from royalcrypt.server.clock import wall_clock
    from royalcrypt.server.operations.backups import advising
    from royalcrypt.storage.database import open_database
    from royalcrypt.storage.postgres.connection import place_of
    from royalcrypt.storage.server_state import ALIVE_AT, ServerState

    async def accept() -> None:
        with advising(settings.data):
            key = settings.data / KEY_FILE
            database = await open_database(settings.database, settings.database_file, key)
        try:
            state = ServerState(database)
            if settings.database:
                before = await state.get(ALIVE_AT)
                await asyncio.sleep(HEARTBEAT_SECONDS)
                if await state.get(ALIVE_AT) != before:
                    raise Refusal(Reason.DATABASE_IN_USE, file=place_of(settings.database))
            await state.accept_time(await state.shared_time() if database.is_shared else wall_clock())
        finally:
            await database.close()

    settings.data.mkdir(parents=True, exist_ok=True)
    asyncio.run(accept())


def replace_link(settings: ServerSettings) -> None:
    """Invalidate the admin link, also in running servers."""
    from royalcrypt.server.accounts.keys import KEY_FILE, replace_admin_link, replace_shared_admin_link
    from royalcrypt.server.clock import wall_clock
    from royalcrypt.server.operations.backups import advising
    from royalcrypt.storage.database import open_database
    from royalcrypt.storage.sqlite.integrity import check_whole

    async def replace() -> None:
        database = await open_database(settings.database, settings.database_file)
        try:
            await replace_shared_admin_link(database, wall_clock())
        finally:
            await database.close()

    if settings.database:
        asyncio.run(replace())
        return
    with advising(settings.data):  # No link is replaced where no server can start.
        check_whole(settings.database_file, settings.data / KEY_FILE)
    replace_admin_link(settings.data)


def options_in(arguments: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(arguments, name, None) for name in ("config", *SETTINGS)}


def read_options(arguments: argparse.Namespace) -> LoadedSettings:
    return read_settings(options_in(arguments))


def data_with_file(arguments: argparse.Namespace) -> Path:
    """Return the data folder; raises Refusal unless the server's database is a file in it."""
    settings = read_options(arguments).settings
    if settings.database:
        raise Refusal(Reason.ONLY_WITH_A_FILE)
    return settings.data


def serve_until_signal(
    loaded: LoadedSettings,
    shutdown: Shutdown,
    *,
    is_link_new: bool = False,
    then: Callable[[str], object] | None = None,
) -> None:
    """Serve until a signal arrives, with a new admin link if ``is_link_new``.

    Calls ``then`` with the URL once the server responds.
    """
    from royalcrypt.server.operations.logs import configure_logs
    from royalcrypt.server.run import run as run_server

    settings = loaded.settings
    configure_logs(settings)
    listener = listen(settings.address, settings.port, is_chosen="port" in loaded.given)
    settings = msgspec.structs.replace(settings, port=port_of(listener))
    if is_link_new:  # Only now, as without a free port nobody would be told the new one.
        try:
            replace_link(settings)
        except BaseException:
            listener.close()
            raise
    app = load_app(settings)

    def on_open() -> None:
        if settings.database is None:
            write_lock_file(settings.data, url_here(listener))
        announce(settings, listener, app.state.service.keys.admin_token())
        if then is not None:
            then(public_url(settings, listener))

    try:
        run_server(
            app, settings, listener, connections=app.state.connections, shutdown=shutdown, on_open=on_open
        )
    finally:
        remove_lock_file(settings.data)
    write_if_open(say("serve.stopped"))


def load_app(settings: ServerSettings) -> Any:
    """Import the server with garbage collection off, and exempt the loaded objects from later collections."""
    gc.disable()
    try:
        from royalcrypt.server.app import make_app

        app = make_app(settings)
    finally:
        gc.enable()
    gc.freeze()
    return app


def public_url(settings: ServerSettings, listener: socket.socket) -> str:
    return settings.public_url or url_here(listener)


def announce(settings: ServerSettings, listener: socket.socket, token: str) -> None:
    url = public_url(settings, listener)
    write_if_open(say("serve.open", url=url))
    if settings.public_url is not None:
        write_if_open(say("serve.listening", url=url_here(listener)))
    if settings.is_lan:
        nearby = urls_nearby(listener)
        for each in nearby:
            write_if_open(say("serve.lan", url=each))
        if not nearby:
            write_if_open(say("serve.no_lan"))
        elif can_show_blocks():
            write_if_open(qr_code(nearby[0]))
    announce_link(url, token)
    if settings.database is None:
        write_if_open(say("serve.data", data=settings.data))
    else:
        from royalcrypt.storage.postgres.connection import place_of

        write_if_open(say("serve.database", place=place_of(settings.database)))
    write_if_open(say("serve.stop"))


def announce_link(url: str, token: str) -> None:
    write_if_open(say("serve.admin", link=f"{url}/admin#{token}"))


def can_show_blocks() -> bool:
    """Whether standard output is a terminal that can show a QR code."""
    try:
        "▀▄█".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return sys.stdout.isatty()


def qr_code(url: str) -> str:
    """Return a QR code in block characters, with fixed colours."""
    import io

    import segno

    drawn = io.StringIO()
    segno.make(url, error="l", micro=False).terminal(drawn, border=QUIET_ZONE, compact=True)
    return "\n".join(f"{WHITE_ON_BLACK}{line}{RESET}" for line in drawn.getvalue().splitlines())
