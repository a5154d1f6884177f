"""A server opens where it says, and ends well whatever it was doing."""

import asyncio
import http.client
import json
import signal
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TypeVar

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from royalcrypt.server.accounts.keys import load_keys
from royalcrypt.server.app import make_app
from royalcrypt.server.clock import wall_clock
from royalcrypt.server.operations.shutdown import SHUTDOWN_SECONDS
from royalcrypt.server.run import GameServer, make_config
from royalcrypt.server.settings import ServerSettings
from royalcrypt.storage.server_state import ALIVE_AT, ServerState
from royalcrypt.storage.sqlite.database import SqliteDatabase
from tests.server.processes import LITTLE, PATIENCE, REAL, Process, finished, wait_for

T = TypeVar("T")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def server(data: Path) -> Generator[Process]:
    with Process(data, "serve", "--port", "0") as process:
        yield process


def test_it_says_where_it_is_open_and_what_matters_to_its_host(server: Process, data: Path) -> None:
    token = load_keys(data).admin_token()
    assert server.said.splitlines() == [
        f"Royal Crypt is open at http://127.0.0.1:{server.port}",
        f"Admin link, for you alone: http://127.0.0.1:{server.port}/admin#{token}",
        f"Games are kept in {data}",
        "Stop with Ctrl-C.",
    ]
    answer, body = server.get("/health")
    assert (answer.status, body) == (200, "ok")
    assert answer.getheader("server") is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_well_with_a_signal(server: Process, data: Path, number: int) -> None:
    noted = json.loads((data / "server.json").read_text("utf-8"))
    assert noted == {"pid": server.process.pid, "url": server.url}
    assert server.end(number) == 0
    assert server.said.endswith("Stopped. All games are kept.\n")
    assert server.complaints() == ""
    assert (data / "closed").exists()
    assert not (data / "server.json").exists()


def test_a_second_signal_does_no_harm(server: Process, data: Path) -> None:
    assert server.end(times=5) == 0
    assert server.complaints() == ""
    assert (data / "closed").exists()


def test_it_ends_as_soon_as_it_is_told_and_does_not_mind_being_told_again(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("royalcrypt.server.run.TICK_SECONDS", 3600)
    settings = ServerSettings(data=data)
    app = make_app(settings)
    server = GameServer(make_config(app, settings, app.state.connections), lambda: None)
    server.config.load()

    async def life() -> None:
        async with asyncio.timeout(30):
            living = asyncio.create_task(server.main_loop())
            await asyncio.sleep(0.05)
            server.stop()
            await living

    asyncio.run(life())
    server.stop()


def socket_of(server: Process) -> str:
    return f"ws://127.0.0.1:{server.port}/socket"


def close_code(connection: ClientConnection) -> int:
    with pytest.raises(ConnectionClosed):
        connection.recv(timeout=30)
    assert connection.protocol.close_code is not None
    return connection.protocol.close_code


def test_open_sockets_are_told_that_the_server_restarts(server: Process) -> None:
    with ExitStack() as stack:
        opened = [stack.enter_context(connect(socket_of(server))) for _ in range(20)]
        opened[0].send("hello")
        assert opened[0].recv() == "hello"
        assert server.end() == 0
        assert {close_code(connection) for connection in opened} == {1012}
    assert server.complaints() == ""


@pytest.mark.parametrize("mood", ["clings", "never ends"])
def test_an_application_that_does_not_let_go_is_not_waited_for(data: Path, mood: str) -> None:
    assert SHUTDOWN_SECONDS < 2
    with Process(data, "serve", "--port", "0", LITTLE=mood) as server:
        with connect(socket_of(server)) as connection:
            assert server.end() == 0
            assert close_code(connection) == 1012
        assert "Traceback" not in server.complaints()


def test_a_request_without_an_end_is_cut_off(server: Process, data: Path) -> None:
    def ask() -> None:
        with suppress(http.client.HTTPException, OSError):
            assert server.get("/never")[0].status == 500

    asking = threading.Thread(target=ask)
    asking.start()
    wait_for(data / "asked")
    assert server.end() == 0
    asking.join()
    assert "Traceback" not in server.complaints()


def test_a_client_that_does_not_read_is_not_waited_for(server: Process) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as deaf:
        deaf.sendall(b"GET /health HTTP/1.1\r\n")
        time.sleep(0.2)
        assert server.end() == 0
        assert server.complaints() == ""


def test_it_can_be_stopped_while_it_starts(data: Path) -> None:
    with Process(data, "serve", "--port", "0", until="starting", LITTLE="never starts") as server:
        assert server.end() == 0
        assert server.complaints() == ""


def test_a_refusal_to_start_is_one_line(data: Path) -> None:
    done = finished(data, "serve", "--port", "0", LITTLE="refuses")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("royalcrypt: ")
    assert done.stderr.count("\n") == 1
    assert not (data / "server.json").exists()


def test_a_wrong_setting_is_one_line(data: Path) -> None:
    for arguments, variable in ((["--port", "70000"], {}), ([], {"ROYALCRYPT_PROT": "1"})):
        done = finished(data, "serve", *arguments, program=LITTLE, **variable)
        assert done.returncode == 2
        assert done.stderr.startswith("royalcrypt: ")
        assert done.stderr.count("\n") == 1


def test_a_port_that_was_chosen_and_is_taken_is_refused(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        words = f"Port {port} of 127.0.0.1 is taken by another program"
        for arguments, variable in ((["--port", port], {}), ([], {"ROYALCRYPT_PORT": port})):
            done = finished(data, "serve", *arguments, program=LITTLE, **variable)
            assert (done.returncode, done.stdout) == (2, "")
            assert words in done.stderr
            assert done.stderr.count("\n") == 1


def test_without_a_chosen_port_it_is_the_usual_one_or_one_of_the_next(data: Path) -> None:
    with Process(data, "serve") as first, Process(data.with_name("other"), "serve") as second:
        assert 8642 <= first.port < second.port <= 8662
        assert second.get("/health")[0].status == 200


def test_one_data_folder_has_one_server(server: Process, data: Path) -> None:
    done = finished(data, "serve", "--port", "0")
    assert done.returncode == 2
    assert (
        done.stderr
        == f"royalcrypt: A server runs on this data folder already, at http://127.0.0.1:{server.port}\n"
    )


def test_the_note_of_a_server_that_died_counts_for_nothing(server: Process, data: Path) -> None:
    server.process.kill()
    server.process.wait()
    assert (data / "server.json").exists()
    with Process(data, "serve", "--port", "0") as again:
        assert again.end() == 0


def test_a_new_admin_link_replaces_the_old_one(data: Path) -> None:
    with Process(data, "serve", "--port", "0", program=REAL) as server:
        old = load_keys(data).admin_token()
        server.end()
    with Process(data, "serve", "--port", "0", "--new-admin-link", program=REAL) as again:
        assert old not in again.said
        assert load_keys(data).admin_token() in again.said
        again.end()


def test_the_old_admin_link_stays_where_the_database_is_missing(data: Path) -> None:
    kept = load_keys(data)
    done = finished(data, "serve", "--port", "0", "--new-admin-link", program=REAL)
    assert (done.returncode, load_keys(data)) == (2, kept)
    assert "Nothing was changed." in done.stderr


def test_beside_a_running_server_a_new_admin_link_is_made_for_it(data: Path) -> None:
    def status(token: str) -> int:
        return server.get("/api/host/", Authorization=f"Bearer {token}")[0].status

    with Process(data, "serve", "--port", "0", program=REAL) as server:
        old = load_keys(data).admin_token()
        assert status(old) == 200
        done = finished(data, "serve", "--new-admin-link", program=REAL)
        new = load_keys(data).admin_token()
        assert (done.returncode, done.stderr, new != old) == (0, "", True)
        assert done.stdout == f"Admin link, for you alone: {server.url}/admin#{new}\n"
        deadline = time.monotonic() + PATIENCE
        while status(new) != 200:
            assert time.monotonic() < deadline
            time.sleep(0.25)  # Wrong tokens are limited.
        assert status(old) == 401
        server.end()


def test_a_new_admin_link_is_not_made_where_the_server_cannot_open(server: Process, data: Path) -> None:
    """Nobody would be told it."""
    other = data.with_name("other")
    kept = load_keys(other)
    done = finished(other, "serve", "--port", str(server.port), "--new-admin-link")
    assert (done.returncode, load_keys(other)) == (2, kept)


@pytest.mark.parametrize("hours", [-1, 1])
def test_the_machines_clock_is_accepted_if_the_stored_time_is_ahead_of_it(data: Path, hours: int) -> None:
    data.mkdir()
    stored = wall_clock() + hours * 3_600_000

    async def state(work: Callable[[ServerState], Awaitable[T]]) -> T:
        database = await SqliteDatabase.open(data / "royalcrypt.db")
        try:
            return await work(ServerState(database))
        finally:
            await database.close()

    asyncio.run(state(lambda state: state.beat(stored)))
    with Process(data, "serve", "--port", "0", "--accept-clock") as server:
        assert server.end() == 0
    found = asyncio.run(state(lambda state: state.get(ALIVE_AT)))
    assert stored - 3_600_000 <= found <= wall_clock()


def test_on_the_lan_others_are_told_how_to_come(data: Path) -> None:
    with Process(data, "serve", "--port", "0", "--lan") as server:
        nearby = server.said.splitlines()[1]
        assert nearby.startswith(("On the local network: http://", "This machine has no address"))
        assert "▀" not in server.said, "a QR code is for a screen"
        server.end()


def test_behind_a_proxy_the_public_address_is_told(data: Path) -> None:
    with Process(data, "serve", "--port", "0", "--public-url", "https://crypt.example.org/") as server:
        assert "open at https://crypt.example.org\n" in server.said
        assert "It listens at http://127.0.0.1:" in server.said
        assert "https://crypt.example.org/admin#" in server.said
        server.end()


FORWARDED = {"X_Forwarded_For": "203.0.113.9", "X_Forwarded_Proto": "https"}


def test_who_asks_is_believed_of_trusted_proxies_only(server: Process, data: Path) -> None:
    assert server.get("/who", **FORWARDED)[1] == "127.0.0.1 http"
    server.end()
    with Process(data, "serve", "--port", "0", "--trusted-proxies", "10.0.0.0/8") as stranger:
        assert stranger.get("/who", **FORWARDED)[1] == "127.0.0.1 http"
        stranger.end()
    with Process(data, "serve", "--port", "0", "--trusted-proxies", "127.0.0.0/8") as trusting:
        assert trusting.get("/who", **FORWARDED)[1] == "203.0.113.9 https"
        trusting.end()


def test_sockets_are_not_compressed_and_refuse_what_is_too_long(server: Process) -> None:
    with connect(socket_of(server)) as connection:
        assert connection.response is not None
        assert "sec-websocket-extensions" not in connection.response.headers
        connection.send("x" * 16384)
        assert connection.recv() == "x" * 16384
        connection.send("x" * 16385)
        assert close_code(connection) == 1009


def test_a_reader_who_has_had_enough_does_not_close_the_house(server: Process) -> None:
    server.output.close()
    assert server.get("/health")[0].status == 200
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(30) == 0
    assert server.complaints() == ""
