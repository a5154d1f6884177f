"""Whatever strangers send over TCP, others play on: a state machine over several raw connections at once."""

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    precondition,
    rule,
    run_state_machine_as_test,
)

from royalcrypt.live import session
from royalcrypt.live.connection import Connection
from royalcrypt.live.hub import Hub
from tests.faults import wire_leaks
from tests.fuzz import edge
from tests.fuzz.edge import MOST_CONNECTIONS, Edge, Step
from tests.fuzz.streams import (
    CLOSE,
    CLOSE_CODES,
    CUTS,
    GREETING,
    NOISE,
    PING,
    SOUND,
    TEXT,
    TEXTS,
    WATCH,
    fragments,
    frame,
    frames,
    handshakes,
    pieces,
    requests,
)
from tests.server import harness

EXAMPLES, STEPS = 15, 20
CAMPAIGN = int(3000 * float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1")))
WHICH = st.integers(0, MOST_CONNECTIONS - 1)


class Neighbours(RuleBasedStateMachine):
    """Some are sockets, some speak HTTP, and none keeps to what it began."""

    edge: ClassVar[Edge]
    run: ClassVar[Any]

    @precondition(lambda self: len(self.edge.open_connections) < MOST_CONNECTIONS)
    @rule()
    def connect(self) -> None:
        self._do(Step("connect"))

    @precondition(lambda self: len(self.edge.open_connections) < MOST_CONNECTIONS)
    @rule(first=st.sampled_from([b"", frame(TEXT, WATCH)]))
    def connect_socket(self, first: bytes) -> None:
        self._do(Step("connect"))
        newest = len(self.edge.open_connections) - 1
        self._send(newest, GREETING, [])
        self._send(newest, first, [])

    @rule(which=WHICH, data=requests() | SOUND, cuts=CUTS)
    def request(self, which: int, data: bytes, cuts: list[float]) -> None:
        self._send(which, data, cuts)

    @rule(which=WHICH, several=st.lists(requests() | SOUND, min_size=2, max_size=12), cuts=CUTS)
    def pipeline(self, which: int, several: list[bytes], cuts: list[float]) -> None:
        self._send(which, b"".join(several), cuts)

    @rule(which=WHICH, data=handshakes(), cuts=CUTS)
    def shake_hands(self, which: int, data: bytes, cuts: list[float]) -> None:
        self._send(which, data, cuts)

    @rule(which=WHICH, several=st.lists(frames() | fragments(), min_size=1, max_size=6), cuts=CUTS)
    def frames(self, which: int, several: list[bytes], cuts: list[float]) -> None:
        self._send(which, b"".join(several), cuts)

    @rule(which=WHICH, several=st.lists(TEXTS, min_size=1, max_size=8))
    def commands(self, which: int, several: list[bytes]) -> None:
        self._send(which, b"".join(frame(TEXT, text) for text in several), [])

    @rule(which=WHICH, count=st.integers(1, 60), size=st.sampled_from([0, 1, 125]))
    def pings(self, which: int, count: int, size: int) -> None:
        self._send(which, frame(PING, b"p" * size) * count, [])

    @rule(which=WHICH, data=NOISE, cuts=CUTS)
    def noise(self, which: int, data: bytes, cuts: list[float]) -> None:
        self._send(which, data, cuts)

    @rule(which=WHICH, reason=CLOSE_CODES, after=st.sampled_from([b"", frame(TEXT, b'{"type":"ping"}')]))
    def close_frame(self, which: int, reason: bytes, after: bytes) -> None:
        self._send(which, frame(CLOSE, reason) + after, [])

    @rule(
        which=WHICH, how=st.sampled_from(["abort", "close", "write_eof", "pause_reading", "resume_reading"])
    )
    def end(self, which: int, how: Any) -> None:
        """Hung up, or half of it; or it stops reading."""
        self._do(Step(how, which))

    def teardown(self) -> None:
        self.run(self.edge.checked(self.edge.hang_up()))

    def _send(self, which: int, data: bytes, cuts: list[float]) -> None:
        parts = tuple(piece.decode("latin-1") for piece in pieces(data, cuts))
        self._do(Step("send", which, parts))

    def _do(self, step: Step) -> None:
        self.run(self.edge.checked(self.edge.do(step)))


@contextlib.contextmanager
def opened(data: Path) -> Generator[tuple[asyncio.Runner, Edge]]:
    with asyncio.Runner() as runner:
        life = Edge.opened(data)
        found = runner.run(life.__aenter__())
        try:
            yield runner, found
        finally:
            runner.run(life.__aexit__(None, None, None))


def campaign(data: Path, *, examples: int, derandomize: bool) -> str:
    with opened(data) as (runner, found):
        return play(runner, found, examples=examples, derandomize=derandomize)


def play(runner: asyncio.Runner, found: Edge, *, examples: int, derandomize: bool) -> str:
    """The first fault; empty if there is none."""
    chosen = settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        derandomize=derandomize,
        database=None,
        phases=[Phase.generate],  # The server stays as it is, so that nothing can be tried again.
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    Neighbours.edge, Neighbours.run = found, staticmethod(runner.run)
    try:
        run_state_machine_as_test(Neighbours, settings=chosen)
    except BaseException:
        if not found.fault:
            raise
    return found.fault


def test_others_play_on_whatever_strangers_send(tmp_path: Path) -> None:
    assert not (fault := campaign(tmp_path, examples=EXAMPLES, derandomize=True)), fault


@pytest.mark.faults
def test_others_play_on_however_long_strangers_send_anything(tmp_path: Path) -> None:
    assert not (fault := campaign(tmp_path, examples=CAMPAIGN, derandomize=False)), fault


def failing(patch: pytest.MonkeyPatch) -> None:
    def plant(text: str | bytes) -> Any:
        raise IndexError(text[0])

    patch.setattr(session, "read_command", plant)


def blocking(patch: pytest.MonkeyPatch) -> None:
    read = session.read_command

    def plant(text: str | bytes) -> Any:
        if "watch" not in str(text) and '"act"' not in str(text):
            time.sleep(0.5)  # the fault
        return read(text)

    patch.setattr(edge, "QUICK", 0.4)
    patch.setattr(session, "read_command", plant)


def forgetful(patch: pytest.MonkeyPatch) -> None:
    def plant(self: Hub, connection: Connection) -> None:
        self.connections.discard(connection)

    patch.setattr(harness, "PATIENCE", 1.0)
    patch.setattr(Hub, "remove", plant)


@pytest.mark.parametrize(
    "plant",
    [
        failing,
        wire_leaks.actors_view,
        *(pytest.param(plant, marks=pytest.mark.faults) for plant in (blocking, forgetful)),
    ],
)
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as (runner, found):
        plant(monkeypatch)
        assert play(runner, found, examples=EXAMPLES, derandomize=True)
