"""Measure the longest block of the event loop by each route, command and periodic task.

A figure is the least of several repetitions: what is in all of them comes from the server, not the machine.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import httpx
from litestar.routes import HTTPRoute

from benchmarks.blocking.cases import CASES
from benchmarks.blocking.probe import ServerProcess, server_process
from benchmarks.blocking.refused import refused_requests
from benchmarks.blocking.sockets import COMMANDS, SocketMeasurement, raise_file_limit
from benchmarks.blocking.state import Scale, World, prepare
from benchmarks.blocking.visit import Ask, Case, Visit, content, headers
from benchmarks.figures import Figure
from royalcrypt.live.wire.commands import MAX_MESSAGE_LENGTH
from royalcrypt.server.app import make_app
from royalcrypt.server.http.static_files import FILES
from royalcrypt.server.settings import ServerSettings

REPEATS = 5
GOAL = 20.0
SHORT = 1.0
"""Milliseconds below which a block is not measured again."""
PATIENCE = 300.0
TABLE = Path(__file__).parents[2] / "docs" / "blocking.md"
MARK = "<!-- python -m benchmarks blocking -->\n"
"""Line of the page below which the benchmark writes its table."""


class Route(NamedTuple):
    name: str
    longest_body: int
    """In bytes; 0 for a route that reads none."""


class Line(NamedTuple):
    """One line of the table; times in ms."""

    name: str
    input: str
    block: float
    took: float
    status: int = 200


def routes() -> list[Route]:
    """Every route of the application."""
    app = make_app(ServerSettings(data=Path(tempfile.gettempdir())))
    found: set[Route] = set()
    for route in app.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            longest = handler.resolve_request_max_body_size() or MAX_MESSAGE_LENGTH
            has_body = handler.parsed_data_field is not None
            for method in handler.http_methods - {"OPTIONS", "HEAD"}:
                found.add(Route(f"{method} {route.path_format}", longest if has_body else 0))
    return sorted(found)


def largest_file() -> str:
    return max(FILES, key=lambda name: len(FILES[name].contents[""]))


class Measurement:
    def __init__(self, server: ServerProcess, visit: Visit, repeats: int = REPEATS) -> None:
        self.server = server
        self.visit = visit
        self.repeats = repeats

    async def of_case(self, case: Case, *, enough: float = 0) -> Line:
        """Measure until the longest block is short enough, at most as often as wanted."""
        best = Line(case.route, case.input, PATIENCE * 1000, PATIENCE * 1000)
        for number in range(min(self.repeats, case.repeats or self.repeats)):
            ask = await case.prepare(self.visit, number)
            ask = ask._replace(path=ask.path.replace("{largest_file}", largest_file().lstrip("/")))
            self.server.tell("unload")
            block, took, status = await self._measure(ask)
            best = best._replace(block=min(best.block, block), took=min(best.took, took), status=status)
            if best.block <= enough:
                break
        print(f"{best.block:8.1f} ms  {best.name}, {best.input}", flush=True)
        return best

    async def of_refused(self, route: Route) -> float:
        """Return the longest block, in ms, by any input that the route refuses."""
        worst = 0.0
        for ask in refused_requests(*route, self.visit):
            block = PATIENCE * 1000
            for _ in range(self.repeats):
                block = min(block, (await self._measure(ask))[0])
                if block <= worst:
                    break
            worst = max(worst, block)
        print(f"{worst:8.1f} ms  {route.name}, refused", flush=True)
        return worst

    async def _measure(self, ask: Ask) -> tuple[float, float, int]:
        """Return the longest block and the total time in ms, and the status; 0 if the server hangs up."""
        self.server.take()
        self.visit.http.cookies.clear()
        began = perf_counter()
        try:
            answer = await self.visit.http.request(
                ask.method, ask.path, content=content(ask), headers=headers(ask)
            )
            status = answer.status_code
        except httpx.ReadTimeout:
            raise
        except httpx.HTTPError:
            status = 0
        took = (perf_counter() - began) * 1000
        return self.server.take(), took, status


def client_of(server: ServerProcess) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=server.url, timeout=PATIENCE, verify=False)


def check_coverage() -> None:
    uncovered = {route.name for route in routes()} - {case.route for case in CASES}
    if uncovered:
        raise LookupError(f"no input in benchmarks/blocking/cases.py for {sorted(uncovered)}")


async def measured(server: ServerProcess, world: World, scale: Scale) -> tuple[list[Line], dict[str, float]]:
    """Return the lines of the table, and the longest block by refused inputs of each route."""
    check_coverage()
    async with client_of(server) as http:
        visit = Visit(http, world, server.admin)
        measurement = Measurement(server, visit)
        refused = {route.name: await Measurement(server, visit, 3).of_refused(route) for route in routes()}
        lines = [Line(*line) for line in await SocketMeasurement(server, visit, REPEATS, scale.sockets).all()]
        cases = sorted(CASES, key=lambda one: one.is_last)
        lines += [await measurement.of_case(case, enough=SHORT) for case in cases]
    return lines, refused


def table(lines: list[Line], refused: dict[str, float]) -> Iterator[str]:
    """Yield the lines of the Markdown table, without the refused inputs that no line can have."""
    yield "| request, command or task | largest input | longest block | total | longest block if refused |"
    yield "|---|---|---|---|---|"
    for line in sorted(lines):
        instead = f"{refused[line.name]:.1f}" if line.name in refused else ""
        took = f"{line.took:.0f}" if line.took >= 1 else "<1"
        yield f"| `{line.name}` | {line.input} | {marked(line.block)} | {took} | {instead} |"


def marked(block: float) -> str:
    return f"**{block:.1f}**" if block > GOAL else f"{block:.1f}"


def listed(page: str) -> set[str]:
    """Return the names of the requests, commands and tasks in the page's table."""
    rows = page.partition(MARK)[2].strip().splitlines()[2:]
    return {row.split("|")[1].strip().strip("`") for row in rows}


def needed() -> set[str]:
    """Return the names that the table must have."""
    return {route.name for route in routes()} | {one.command for one in COMMANDS}


def figures() -> list[Figure]:
    raise_file_limit()
    scale = Scale()
    with tempfile.TemporaryDirectory() as folder:
        world = prepare(Path(folder), scale)
        with server_process(Path(folder)) as server:
            lines, refused = asyncio.run(measured(server, world, scale))
    head, mark, _ = TABLE.read_text(encoding="utf-8").partition(MARK)
    TABLE.write_text(head + mark + "\n".join(table(lines, refused)) + "\n", encoding="utf-8")
    found = [Figure(f"{line.name}, {line.input}", line.block, "ms", at_most=GOAL) for line in lines]
    worst = max(refused, key=lambda name: refused[name])
    return [*found, Figure(f"refused input of {worst}", refused[worst], "ms", at_most=GOAL)]
