"""Every endpoint, asked by everybody: nobody acts for another, or reads a private table without its link."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from litestar.routes import HTTPRoute

from royalcrypt.server.app import make_app
from royalcrypt.server.settings import ServerSettings
from tests.server.harness import Host, Json, with_server
from tests.server.security.cast import ACTORS, Cast, cast

# At a private table: `open` has a free seat, `full` none, in `away` bots play for both.
# nobody stranger invited spectator seated owner foreign tampered revoked banned host: see `cast`.
TABLE = """
GET    /                                          full    | 200 200 200 200 200 200 200 200 200 200 200
GET    /index.html                                full    | 200 200 200 200 200 200 200 200 200 200 200
GET    /health                                    full    | 200 200 200 200 200 200 200 200 200 200 200
GET    /metrics                                   full    | 401 401 401 401 401 401 401 401 401 401 200
GET    /api/schema/openapi.json                   full    | 200 200 200 200 200 200 200 200 200 200 200
GET    /api/schema/socket.json                    full    | 200 200 200 200 200 200 200 200 200 200 200
GET    /api/bots                                  full    | 200 200 200 200 200 200 200 200 200 200 200
GET    /api/tables                                full    | 200 200 200 200 200 200 200 200 200 200 200
GET    /api/lobby                                 full    | 200 200 200 200 200 200 200 200 200 200 200
GET    /api/me                                    full    | 200 200 200 200 200 200 200 200 200 403 401
POST   /api/me                                    full    | 201 409 409 409 409 409 201 201 201 403 401
PATCH  /api/me                                    full    | 401 200 200 200 200 200 401 401 401 403 401
DELETE /api/me                                    full    | 401 409 409 409 409 409 401 401 401 403 401
GET    /api/me/data                               over    | 401 200 200 200 200 200 401 401 401 403 401
GET    /api/me/history                            over    | 401 200 200 200 200 200 401 401 401 403 401
GET    /api/me/statistics                         over    | 401 200 200 200 200 200 401 401 401 403 401
GET    /api/me/recovery                           full    | 401 200 200 200 200 200 401 401 401 403 401
POST   /api/me/recovery                           full    | 401 201 201 201 201 201 401 401 401 403 401
POST   /api/sign-in/phrase                        full    | 403 403 403 403 403 403 403 403 403 403 403
DELETE /api/me/device                             full    | 401 204 204 204 204 204 401 401 401 403 401
POST   /api/me/codes                              full    | 401 201 201 201 201 201 401 401 401 403 401
GET    /api/me/programs                           full    | 401 200 200 200 200 200 401 401 401 403 401
POST   /api/me/programs                           full    | 401 201 201 201 201 201 401 401 401 403 401
POST   /api/me/programs/{program_id}/token        full    | 401 404 404 404 404 200 401 401 401 403 401
DELETE /api/me/programs/{program_id}              full    | 401 404 404 404 404 204 401 401 401 403 401
GET    /api/me/games                              full    | 401 200 200 200 200 200 401 401 401 403 401
GET    /api/me/records                            over    | 401 200 200 200 200 200 401 401 401 403 401
GET    /api/me/address                            full    | 401 200 200 200 200 200 401 401 401 403 401
PUT    /api/me/address                            full    | 401 409 409 409 409 409 401 401 401 403 401
DELETE /api/me/address                            full    | 401 204 204 204 204 204 401 401 401 403 401
GET    /mail/confirm                              full    | 404 404 404 404 404 404 404 404 404 404 404
POST   /mail/confirm                              full    | 404 404 404 404 404 404 404 404 404 404 404
GET    /mail/stop                                 full    | 200 200 200 200 200 200 200 200 200 200 200
POST   /mail/stop                                 full    | 200 200 200 200 200 200 200 200 200 200 200
POST   /api/sign-in                               full    | 403 403 403 403 403 403 403 403 403 403 403
POST   /api/tables                                full    | 401 201 201 201 201 201 401 401 401 403 401
GET    /api/tables/{table_id}                     open    | 401 404 200 404 200 200 401 401 401 403 401
GET    /api/tables/{table_id}                     running | 401 404 200 404 200 200 401 401 401 403 401
GET    /api/tables/{table_id}                     over    | 401 404 200 404 200 200 401 401 401 403 401
POST   /api/tables/{table_id}/seats/0             open    | 401 404 409 404 409 200 401 401 401 403 401
POST   /api/tables/{table_id}/seats/1             open    | 401 404 409 404 200 409 401 401 401 403 401
POST   /api/tables/{table_id}/seats/2             open    | 401 404 200 404 200 200 401 401 401 403 401
POST   /api/tables/{table_id}/seats/0             running | 401 404 409 404 409 409 401 401 401 403 401
DELETE /api/tables/{table_id}/seats/0             open    | 401 404 404 404 403 200 401 401 401 403 401
DELETE /api/tables/{table_id}/seats/1             open    | 401 404 404 404 200 200 401 401 401 403 401
PUT    /api/tables/{table_id}/seats/2/bot         open    | 401 404 404 404 403 200 401 401 401 403 401
PUT    /api/tables/{table_id}/seats/2/program     open    | 401 404 404 404 404 200 401 401 401 403 401
POST   /api/tables/{table_id}/seats/1/hand-over   running | 401 404 404 404 200 200 401 401 401 403 401
GET    /api/tables/{table_id}/memo                running | 401 404 404 404 200 200 401 401 401 403 401
PUT    /api/tables/{table_id}/memo                running | 401 404 404 404 200 200 401 401 401 403 401
GET    /api/tables/{table_id}/seats/1/orders      running | 401 404 404 404 200 403 401 401 401 403 401
PUT    /api/tables/{table_id}/seats/1/orders      running | 401 404 404 404 200 403 401 401 401 403 401
DELETE /api/tables/{table_id}/seats/1/orders      running | 401 404 404 404 200 403 401 401 401 403 401
POST   /api/tables/{table_id}/seats/1/orders/check running | 401 404 404 404 200 403 401 401 401 403 401
POST   /api/tables/{table_id}/start               full    | 401 404 404 404 403 200 401 401 401 403 401
POST   /api/tables/{table_id}/leave               open    | 401 404 404 404 200 200 401 401 401 403 401
POST   /api/tables/{table_id}/leave               running | 401 404 404 404 200 200 401 401 401 403 401
POST   /api/tables/{table_id}/return              away    | 401 404 404 404 200 200 401 401 401 403 401
POST   /api/tables/{table_id}/close               full    | 401 404 404 404 403 200 401 401 401 403 401
POST   /api/tables/{table_id}/close               running | 401 404 404 404 409 409 401 401 401 403 401
POST   /api/tables/{table_id}/rematch             over    | 401 404 404 404 200 200 401 401 401 403 401
GET    /api/tables/{table_id}/record              running | 401 404 200 404 200 200 401 401 401 403 401
GET    /api/tables/{table_id}/record              over    | 401 404 200 404 200 200 401 401 401 403 401
GET    /api/tables/{table_id}/replay              running | 401 404 409 404 409 409 401 401 401 403 401
GET    /api/tables/{table_id}/replay              over    | 401 404 200 404 200 200 401 401 401 403 401
POST   /api/replay                                full    | 400 400 400 400 400 400 400 400 400 403 401
GET    /api/tables/{table_id}/analysis            running | 401 404 409 404 409 409 401 401 401 403 401
GET    /api/tables/{table_id}/analysis            over    | 401 404 409 404 409 409 401 401 401 403 401
POST   /api/analysis                              full    | 400 400 400 400 400 400 400 400 400 403 401
POST   /api/tables/{table_id}/line                running | 401 404 409 404 409 409 401 401 401 403 401
POST   /api/tables/{table_id}/line                over    | 401 404 200 404 200 200 401 401 401 403 401
POST   /api/line                                  full    | 400 400 400 400 400 400 400 400 400 403 401
GET    /api/daily                                 full    | 200 200 200 200 200 200 200 200 200 403 401
GET    /api/daily/{day}                           full    | 200 200 200 200 200 200 200 200 200 403 401
POST   /api/daily/{day}                           full    | 401 200 200 200 200 200 401 401 401 403 401
GET    /api/duplicates                            full    | 401 200 200 200 200 200 401 401 401 403 401
POST   /api/duplicates                            full    | 401 201 201 201 201 201 401 401 401 403 401
GET    /api/duplicates/{duplicate_id}             full    | 401 404 404 404 404 404 401 401 401 403 401
POST   /api/duplicates/{duplicate_id}/end         full    | 401 404 404 404 404 404 401 401 401 403 401
GET    /api/host                                  full    | 401 401 401 401 401 401 401 401 401 401 200
GET    /api/host/people                           full    | 401 401 401 401 401 401 401 401 401 401 200
GET    /api/host/tables                           full    | 401 401 401 401 401 401 401 401 401 401 200
PUT    /api/host/people/{person_id}/mute          full    | 401 401 401 401 401 401 401 401 401 401 204
PUT    /api/host/people/{person_id}/kick          running | 401 401 401 401 401 401 401 401 401 401 204
POST   /api/host/tables/{table_id}/close          full    | 401 401 401 401 401 401 401 401 401 401 204
PUT    /api/host/rules                            full    | 401 401 401 401 401 401 401 401 401 401 204
POST   /api/host/invitation                       full    | 401 401 401 401 401 401 401 401 401 401 200
PUT    /api/host/notice                           full    | 401 401 401 401 401 401 401 401 401 401 204
GET    /api/host/export                           full    | 401 401 401 401 401 401 401 401 401 401 200
"""
NO_PROGRAM = {"program": "never-was1"}
BODIES: dict[str, Json] = {
    "POST /api/me": {"name": "Cy"},
    "PATCH /api/me": {"name": "Cy"},
    "DELETE /api/me": {"name": "somebody else"},
    "PUT /api/me/address": {"address": "cy@mail.example"},
    "POST /api/sign-in": {"code": "0000-0000"},
    "POST /api/sign-in/phrase": {"phrase": "babab babab babab babab babab babab babab"},
    "POST /api/me/programs": {"name": "Robot"},
    "POST /api/tables": {},
    "POST /api/tables/{table_id}/seats/{seat}": {},
    "PUT /api/tables/{table_id}/seats/{seat}/bot": {"level": "random"},
    "PUT /api/tables/{table_id}/seats/{seat}/program": NO_PROGRAM,
    "POST /api/tables/{table_id}/rematch": {},
    "POST /api/replay": {},
    "POST /api/analysis": {},
    "POST /api/tables/{table_id}/line": {"move": 0, "seat": 0, "level": "random"},
    "POST /api/line": {"move": 0, "seat": 0, "level": "random", "record": {}},
    "POST /api/duplicates": {"tables": 2},
    "PUT /api/tables/{table_id}/memo": {"text": "hello"},
    "PUT /api/tables/{table_id}/seats/{seat}/orders": {"round": 1, "orders": []},
    "POST /api/tables/{table_id}/seats/{seat}/orders/check": {"round": 1, "orders": []},
    "PUT /api/host/people/{person_id}/mute": {"on": True},
    "PUT /api/host/people/{person_id}/kick": {"on": True},
    "PUT /api/host/rules": {"is_invite_only": False},
    "PUT /api/host/notice": {"text": "hello"},
}
PLACES = {"/index.html": "/{file_path}"}


class Row(NamedTuple):
    method: str
    path: str
    state: str
    expected: dict[str, int]

    @property
    def endpoint(self) -> str:
        path = PLACES.get(self.path, self.path)
        for seat in "012":
            path = path.replace(f"/seats/{seat}", "/seats/{seat}")
        return f"{self.method} {path}"


def rows() -> list[Row]:
    found: list[Row] = []
    for line in TABLE.strip().splitlines():
        asked, _, statuses = line.partition("|")
        method, path, state = asked.split()
        expected = dict(zip(ACTORS, map(int, statuses.split()), strict=True))
        found.append(Row(method, path, state, expected))
    return found


ROWS = rows()


def test_every_endpoint_has_its_row_in_the_table(tmp_path: Path) -> None:
    app = make_app(ServerSettings(data=tmp_path))
    there = {
        f"{method} {route.path_format}"
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method in set(route.methods) - {"OPTIONS", "HEAD"}
    }
    assert {row.endpoint for row in ROWS} == there


async def check(row: Row, host: Host) -> None:
    """Refusals change nothing, so people and table serve until somebody succeeds."""
    left = list(ACTORS)
    while left:
        async with cast(host) as people:
            table = await people.set_table(row.state, leader=0)
            path = row.path.format(
                table_id=table.id,
                person_id=people.id("seated"),
                program_id=people.program,
                day=host.service.operations.daily.today,
                duplicate_id="nowhere",
            )
            body = BODIES.get(row.endpoint)
            body = {"program": people.program} if body == NO_PROGRAM else body
            while left:
                actor = left.pop(0)
                before = await state_of(people)
                answer = await people.ask(actor, row.method, path, body)
                assert answer.status_code == row.expected[actor], (
                    row.endpoint,
                    row.state,
                    actor,
                    answer.text,
                )
                if answer.is_success and row.method != "GET":
                    break
                assert await state_of(people) == before, actor
                assert "set-cookie" not in answer.headers, actor
                assert table.invite not in answer.text or actor in ("seated", "owner"), actor


async def state_of(people: Cast) -> object:
    """What could have changed."""
    service = people.host.service
    assert people.table is not None
    return (
        (await service.tables.table(people.table.id)).ply,
        await service.journal.counts(),
        [person async for person in service.people.all()],
        [await service.identities.identify(people.cookies[name]) for name in ("seated", "owner")],
        service.host_rules,
    )


PARTS: dict[str, Callable[[str], bool]] = {
    "people": lambda path: path.startswith(("/api/me", "/api/sign-in")),
    "tables": lambda path: path.startswith("/api/tables"),
    "the host": lambda path: path.startswith("/api/host"),
    "the rest": lambda path: not path.startswith(("/api/me", "/api/sign-in", "/api/tables", "/api/host")),
}


@pytest.mark.parametrize("part", PARTS)
def test_each_gets_what_is_theirs_and_nothing_else(part: str, tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        for row in ROWS:
            if PARTS[part](row.path):
                await check(row, host)

    with_server(test, tmp_path, metrics="off")
