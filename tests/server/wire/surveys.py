"""Surveys: in the middle of a game everybody asks for everything that REST has, each route at least once."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from royalcrypt import Game
from royalcrypt.bots.warming import WarmUp
from royalcrypt.server.bots.analysis_process import AnalysisProcess
from royalcrypt.tables.orders import MAX_ORDERS, When
from royalcrypt.tables.seals import day_at
from tests.server.wire import steps
from tests.server.wire.scenes import PROGRAM, Scene, Turn
from tests.server.wire.scripts import Script
from tests.server.wire.stage import HOST, NOBODY, Stage
from tests.server.wire.steps import PATH, Step
from tests.server.wire.taps import Answer
from tests.server.wire.worlds import TABLE

Json = dict[str, Any]


class Asked(NamedTuple):
    """A request of a route; what it names is filled in when it is made."""

    endpoint: str
    body: Any = None
    query: str = ""
    places: Mapping[str, Any] = MappingProxyType({})
    """What differs from ``places_on``."""

    def in_round(self, number: int) -> "Asked":
        """Standing orders are for a round."""
        is_order = self.body is not None and "/orders" in self.endpoint
        return self._replace(body={"round": number, "orders": self.body}) if is_order else self


def places_on(stage: Stage) -> Json:
    return {
        "table_id": TABLE,
        "day": day_at(stage.clock.now),
        "person_id": stage.members["Gus"].id,
        "program_id": stage.members[PROGRAM].id,
        "duplicate_id": "no-duplicate",
        "file_path": "index.html",
        "seat": 0,
    }


SAME_FOR_ALL = (
    Asked("GET /"),
    Asked("GET /{file_path}"),
    Asked("GET /api/schema/openapi.json"),
    Asked("GET /api/schema/socket.json"),
    Asked("GET /mail/confirm"),
    Asked("POST /mail/confirm"),
    Asked("GET /mail/stop"),
    Asked("POST /mail/stop"),
)
"""Asked by nobody in particular, as some of them are long."""
SEATS = "/api/tables/{table_id}/seats/{seat}"
LINE = {"move": 0, "seat": 0, "level": "random"}
LOOKS = (
    Asked("GET /metrics"),
    Asked("GET /health"),
    Asked("GET /api/bots"),
    Asked("GET /api/tables"),
    Asked("GET /api/lobby"),
    Asked("GET /api/me"),
    Asked("GET /api/me/data"),
    Asked("GET /api/me/history"),
    Asked("GET /api/me/history", query="?players=2&company=people"),
    Asked("GET /api/me/statistics"),
    Asked("GET /api/me/recovery"),
    Asked("GET /api/me/programs"),
    Asked("GET /api/me/games"),
    Asked("GET /api/me/records"),
    Asked("GET /api/me/address"),
    Asked("GET /api/tables/{table_id}"),
    Asked("GET /api/tables/{table_id}", places={"table_id": "no-such-table"}),
    Asked("GET /api/tables/{table_id}/memo"),
    Asked("GET /api/tables/{table_id}/record"),
    *(Asked("GET /api/tables/{table_id}/replay", query=eyes) for eyes in ("", "?viewer=0", "?viewer=all")),
    Asked("GET /api/tables/{table_id}/analysis"),
    Asked("POST /api/tables/{table_id}/line", LINE),
    Asked("POST /api/tables/{table_id}/line", LINE | {"move": 3, "level": "greedy"}),
    Asked("GET /api/daily"),
    Asked("GET /api/daily/{day}"),
    Asked("GET /api/daily/{day}", places={"day": "2020-02-30"}),
    Asked("GET /api/duplicates"),
    Asked("GET /api/duplicates/{duplicate_id}"),
    Asked("GET /api/host"),
    Asked("GET /api/host/people"),
    Asked("GET /api/host/tables"),
    Asked("GET /api/host/export"),
)
"""What changes nothing."""
REFUSED = (
    Asked("POST /api/me", {"name": ""}),
    Asked("DELETE /api/me", {"name": "somebody else"}),
    Asked("PUT /api/me/address", {"address": "ada@mail.example"}),
    Asked("POST /api/sign-in", {"code": "0000-0000"}),
    Asked("POST /api/sign-in/phrase", {"phrase": "babab babab babab babab babab babab babab"}),
    Asked("POST /api/tables/{table_id}/start"),
    Asked("POST /api/tables/{table_id}/return"),
    Asked("POST /api/tables/{table_id}/close"),
    Asked("POST /api/tables/{table_id}/rematch", {}),
    Asked("POST /api/duplicates/{duplicate_id}/end"),
    Asked("POST /api/replay", {}),
    Asked("POST /api/analysis", {}),
    Asked("POST /api/line", LINE | {"record": {}}),
)
OF_ONES_OWN = (
    Asked("PATCH /api/me", {"name": "The Same"}),
    Asked("DELETE /api/me/address"),
    Asked("POST /api/me/codes"),
    Asked("POST /api/me/recovery"),
    Asked("PUT /api/tables/{table_id}/memo", {"text": "They took the third card."}),
    Asked("GET /api/tables/{table_id}/memo"),
    Asked("POST /api/tables", {"settings": {"players": 2, "leader": 0}, "sit": [0]}),
    Asked("POST /api/daily/{day}"),
    Asked("GET /api/daily/{day}"),
    Asked("POST /api/duplicates", {"tables": 2, "settings": {"leader": 0, "collectors": "BBBBBB"}}),
    Asked("GET /api/duplicates"),
    Asked("GET /api/me/games"),
    Asked("GET /api/me/data"),
)
"""What changes something, but nothing at this table."""
OF_THE_HOST = (
    Asked("PUT /api/host/people/{person_id}/mute", {"on": True}),
    Asked("PUT /api/host/people/{person_id}/kick", {"on": True}),
    Asked("PUT /api/host/notice", {"text": "Supper is ready."}),
    Asked("PUT /api/host/rules", {"is_invite_only": True}),
    Asked("POST /api/host/invitation"),
)
RETURN = Asked("POST /api/tables/{table_id}/return")
ENDINGS = (
    Asked("POST /api/me/programs", {"name": "Second"}),
    Asked("POST /api/me/programs/{program_id}/token"),
    Asked("GET /api/me/programs"),
    Asked("DELETE /api/me/programs/{program_id}"),
    Asked("POST /api/host/tables/{table_id}/close"),
)
AFTERWARDS = (
    Asked("GET /api/tables/{table_id}"),
    Asked("GET /api/tables/{table_id}/record"),
    Asked("GET /api/tables/{table_id}/replay"),
    Asked("GET /api/me/records"),
    Asked("GET /api/me/data"),
    Asked("DELETE /api/me/device"),
)


def of_seats(scene: Scene, name: str) -> Iterator[Asked]:
    """What names a seat: all of them, whoever sits there, and one too many."""
    all_seats = range(min(4, len(scene.holders) + 1))
    for seat in all_seats if name in scene.people else all_seats[-2:]:
        place = {"seat": seat}
        for method, path, body in (
            ("POST", "", {}),
            ("DELETE", "", None),
            ("PUT", "/bot", {"level": "random"}),
            ("PUT", "/program", {"program": "no-such-one"}),
            ("POST", "/hand-over", None),
            ("GET", "/orders", None),
        ):
            yield Asked(f"{method} {SEATS}{path}", body, places=place)
        given = list(orders()) if seat in scene.seats_of(name) else [[RECOVER]]
        for some in given:
            yield Asked(f"POST {SEATS}/orders/check", some, places=place)
        for method, body in (("PUT", given[0]), ("GET", None), ("DELETE", None)):
            yield Asked(f"{method} {SEATS}/orders", body, places=place)


RECOVER: Json = {"when": When.ALWAYS, "action": {"do": "recover"}}


def orders() -> Iterator[list[Json]]:
    """Each sort of condition and move on each card, and some that no order may have."""
    decline = {"when": When.NOT_PUSHED_OFF, "action": {"do": "decline"}}
    for slot in range(6):
        claims = [
            {"do": "claim", "place": [{"slot": slot, "dice": dice, "effort": effort}]}
            for dice, effort in ((1, 6), (3, 1))
        ]
        on_card = [
            {"when": when, "slot": slot, "action": action}
            for when in set(When) - {When.ALWAYS}
            for action in claims
        ]
        yield [RECOVER, *sorted(on_card, key=str), decline][:MAX_ORDERS]
    yield [{"when": When.ALWAYS, "action": {"do": "peek", "flip": [1]}}]
    yield [{"when": When.HELD, "action": {"do": "take", "slot": 2, "flip": [2, 3]}}]


async def ask(stage: Stage, name: str, request: Asked, **headers: str) -> Answer:
    method, _, path = request.endpoint.partition(" ")
    path = path.format(**places_on(stage) | dict(request.places)) + request.query
    return await stage.ask(name, method, path, request.body, **headers)


def uploaded(name: str, link: Callable[[Stage], dict[str, str]]) -> Step:
    """The record one is given of a running game goes to everything that takes records."""

    async def step(stage: Stage) -> None:
        record = msgspec.json.decode((await stage.ask(name, "GET", f"{PATH}/record", **link(stage))).body)
        for eyes in ("", "?viewer=0", "?viewer=all"):
            await stage.ask(name, "POST", f"/api/replay{eyes}", record)
        await stage.ask(name, "POST", "/api/analysis", record)
        for move in (0, 2):
            await stage.ask(name, "POST", "/api/line", LINE | {"move": move, "record": record})

    return step


async def analyses_ready(stage: Stage) -> None:
    """Else everybody would be told to wait."""
    stage.service.operations.analyses.analyser = AnalysisProcess(WarmUp(()), stage.service.limits)


class Survey(Script):
    """Plays a scene's moves and little else; then everybody asks."""

    def __init__(self, scene: Scene) -> None:
        self.endpoints: set[str] = set()
        """All that are asked."""
        self.statuses: defaultdict[str, set[int]] = defaultdict(set)
        """How each answered, in all worlds."""
        super().__init__(scene)

    def _extras(self, games: list[Game], before: Turn | None) -> Iterator[Step]:
        return iter(())

    def _closing(self) -> Iterator[Step]:
        askers = (*self.scene.people, "Eve", "Nel", "Finn", NOBODY, HOST)
        yield analyses_ready
        yield from self._asked(NOBODY, *SAME_FOR_ALL)
        for name in askers:
            yield from self._asked(name, *LOOKS, *REFUSED, *of_seats(self.scene, name))
        for name in (*self.scene.people, "Eve", "Finn", NOBODY):
            yield uploaded(name, self._link_of(name))
        yield from self._leaving()
        yield from map(steps.hung_up, (*self.scene.people, "Eve", "Nel", "Finn", "Gus"))
        for name in askers:
            yield from self._asked(name, *OF_ONES_OWN, *OF_THE_HOST, *ENDINGS)
        for name in askers:
            yield from self._asked(name, *AFTERWARDS)

    def _leaving(self) -> Iterator[Step]:
        """Who leaves is told on return what happened meanwhile; who hangs up can be handed over to a bot."""
        first, *others = self.scene.people
        for name in others:
            yield from self._asked(name, Asked("POST /api/tables/{table_id}/leave"), RETURN)
        if others:
            yield steps.hung_up(first)
            seat = {"seat": self.scene.seats_of(first)[0]}
            yield from self._asked(others[0], Asked(f"POST {SEATS}/hand-over", places=seat))
            yield from self._asked(first, RETURN)

    def _asked(self, name: str, *requests: Asked) -> Iterator[Step]:
        return (self._step(name, request) for request in requests)

    def _step(self, name: str, request: Asked) -> Step:
        self.endpoints.add(request.endpoint)

        async def step(stage: Stage) -> None:
            game = stage.table.game
            about = request.in_round(1 if game is None else game.round)
            answer = await ask(stage, name, about, **self._link_of(name)(stage))
            self.statuses[request.endpoint].add(answer.status)

        return step

    def _link_of(self, name: str) -> Callable[[Stage], dict[str, str]]:
        is_given = self._has_link and name in ("Eve", "Nel")
        return lambda stage: {"X-Table-Invite": stage.world.invite} if is_given else {}


@cache
def survey_of(scene: Scene) -> Survey:
    """The same for equal scenes."""
    return Survey(scene)
