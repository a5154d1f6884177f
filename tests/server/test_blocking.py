"""No request may occupy the event loop for long; ``docs/blocking.md`` has the exact figures."""

import asyncio
from collections.abc import Generator
from pathlib import Path

import pytest

from benchmarks.blocking.cases import CASES
from benchmarks.blocking.measure import TABLE, Measurement, check_coverage, client_of, listed, needed
from benchmarks.blocking.probe import BUSY, ServerProcess, server_process
from benchmarks.blocking.state import SMALL, World, prepare
from benchmarks.blocking.visit import Visit

BOUND = 100.0
"""Longest block in ms, which a busy machine keeps in one of some attempts."""
ATTEMPTS = 4
IN_PROCESSES = ("analysis", "line")
"""Ends of routes whose work other processes do, which take seconds to start."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Path]:
    data = tmp_path_factory.mktemp("blocking")
    return prepare(data, SMALL), data


@pytest.fixture
def server(world: tuple[World, Path]) -> Generator[ServerProcess]:
    with server_process(world[1]) as running:
        yield running


def test_the_probe_notices_what_blocks_the_event_loop(server: ServerProcess) -> None:
    server.take()
    server.tell("busy")
    assert server.take() > BUSY * 1000 - BOUND / 2
    assert min(server.take() for _ in range(ATTEMPTS)) < BOUND


def test_no_request_blocks_the_event_loop_for_long(server: ServerProcess, world: tuple[World, Path]) -> None:
    check_coverage()

    async def slow() -> list[str]:
        async with client_of(server) as http:
            measurement = Measurement(server, Visit(http, world[0], server.admin), ATTEMPTS)
            cases = [case for case in CASES if not case.route.endswith(IN_PROCESSES)]
            lines = [
                await measurement.of_case(case, enough=BOUND)
                for case in sorted(cases, key=lambda one: one.is_last)
            ]
        return [f"{line.name}: {line.block:.0f} ms" for line in lines if line.block > BOUND]

    assert asyncio.run(slow()) == []


def test_the_page_has_every_route_and_command() -> None:
    assert needed() <= listed(TABLE.read_text("utf-8"))
