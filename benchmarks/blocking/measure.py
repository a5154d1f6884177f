"""Measure the longest block of the event loop by each route, command and periodic task.

A figure is the least of several repetitions: what is in all of them comes from the server and not from the machine.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import httpx
from litestar.routes import HTTPRoute

from benchmarks.blocking.cases import CASES, Case, Visit, content, headers, refused
from benchmarks.blocking.probe import ServerProcess, server_process
from benchmarks.blocking.state import Scale, World, prepare
from benchmarks.figures import Figure
from royalcrypt.server.app import make_app
from royalcrypt.server.http.errors import MAX_MESSAGE_LENGTH
from royalcrypt.server.http.static_files import FILES
from royalcrypt.server.settings import ServerSettings

REPEATS = 5
GOAL = 20.0
PATIENCE = 300.0


class Route(NamedTuple):
    name: str
    longest_body: int
    """In bytes; 0 for a route that reads none."""


class Line(NamedTuple):
    """One line of the table; times in ms."""

    route: str
    input: str
    block: float
    took: float
    status: int = 0


def routes() -> list[Route]:
    """Every route of the application."""
    app = make_app(ServerSettings(data=Path(tempfile.gettempdir())))
    found: list[Route] = []
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                for method in sorted(handler.http_methods - {"OPTIONS", "HEAD"}):
                    longest = handler.resolve_request_max_body_size() or MAX_MESSAGE_LENGTH
                    has_body = handler.parsed_data_field is not None
                    found.append(Route(f"{method} {route.path_format}", longest if has_body else 0))
    return sorted(set(found))


def largest_file() -> str:
    return max(FILES, key=lambda name: len(FILES[name].contents[""]))


class Measurement:
    def __init__(self, server: ServerProcess, visit: Visit, repeats: int) -> None:
        self.server = server
        self.visit = visit
        self.repeats = repeats

    async def of_case(self, case: Case) -> Line:
        blocks: list[float] = []
        times: list[float] = []
        status = 0
        for number in range(min(self.repeats, case.repeats or self.repeats)):
            ask = await case.prepare(self.visit, number)
            ask = ask._replace(path=ask.path.replace("{largest_file}", largest_file().lstrip("/")))
            self.server.tell("unload")
            self.server.take()
            began = perf_counter()
            answer = await self.visit.http.request(
                ask.method, ask.path, content=content(ask), headers=headers(ask)
            )
            self.visit.http.cookies.clear()
            if not answer.is_success:
                print(case.route, answer.text[:200])
            times.append((perf_counter() - began) * 1000)
            blocks.append(self.server.take())
            status = answer.status_code
        return Line(case.route, case.input, min(blocks), min(times), status)

    async def of_refused(self, route: Route) -> Line:
        """The longest block by any input that the route refuses."""
        method, _, pattern = route.name.partition(" ")
        one = self.visit.rich(0)
        path = pattern.format(
            table_id=one.over[0],
            seat=0,
            duplicate_id=one.duplicate,
            day="2000-01-01",
            person_id="nobody",
            program_id="nobody",
            file_path="nothing.html",
        )
        who = {"Cookie": one.cookie} | (self.visit.host if pattern.startswith("/api/host") else {})
        worst = Line(route.name, "", 0, 0)
        for ask in refused(method, path, route.longest_body):
            blocks: list[float] = []
            began = perf_counter()
            for _ in range(self.repeats):
                self.server.take()
                try:
                    answer = await self.visit.http.request(
                        method, ask.path, content=content(ask), headers=who | headers(ask)
                    )
                    status = answer.status_code
                except httpx.HTTPError:
                    status = 0
                blocks.append(self.server.take())
            if min(blocks) > worst.block:
                took = (perf_counter() - began) / self.repeats * 1000
                what = (content(ask) or str(ask.headers or ask.path).encode())[:24].decode(errors="replace")
                worst = Line(route.name, what, min(blocks), took, status)
        return worst


async def measured(
    server: ServerProcess, world: World, *, repeats: int = REPEATS, cases: list[Case] = CASES
) -> list[Line]:
    uncovered = {route.name for route in routes()} - {case.route for case in CASES}
    if uncovered:
        raise NotImplementedError(f"no input for {', '.join(sorted(uncovered))}")
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE, verify=False) as http:  # noqa: S501
        measurement = Measurement(server, Visit(http, world, server.admin), repeats)
        lines = [await measurement.of_case(case) for case in sorted(cases, key=lambda one: one.repeats == 1)]
        return lines


async def measured_refused(server: ServerProcess, world: World, *, repeats: int = REPEATS) -> list[Line]:
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE, verify=False) as http:  # noqa: S501
        measurement = Measurement(server, Visit(http, world, server.admin), repeats)
        return [await measurement.of_refused(route) for route in routes()]


def table(lines: list[Line]) -> Iterator[str]:
    yield "| route | input | longest block, ms | total, ms |"
    yield "|---|---|---|---|"
    for line in sorted(lines):
        block = f"**{line.block:.1f}**" if line.block > GOAL else f"{line.block:.1f}"
        yield f"| `{line.route}` | {line.input} | {block} | {line.took:.0f} |"


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        world = prepare(Path(folder), Scale())
        with server_process(Path(folder)) as server:
            lines = asyncio.run(measured(server, world))
    print(*table(lines), sep="\n")
    return [Figure(f"{line.route}, {line.input}", line.block, "ms", at_most=GOAL) for line in lines]
