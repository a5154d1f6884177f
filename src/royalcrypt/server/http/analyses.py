"""REST routes for analyses and *What if?* lines of finished games."""

from typing import Any

from litestar import Controller, Response, get, post
from litestar.params import JSONBody

from royalcrypt.live.wire.finished_games import GameAnalysis, LinePlayed, LineSoFar
from royalcrypt.server.http.callers import source_of
from royalcrypt.server.http.common import (
    AnyRequest,
    GivenCaller,
    GivenService,
    InviteHeader,
    TableInPath,
)
from royalcrypt.server.http.rate_limits import ANALYSES, EXPLORATIONS
from royalcrypt.server.http.replays import MAX_RECORD_SIZE, compressed, finished_game, uploaded_record

MAX_LINE_BYTES = 64 * 1024


class LineOfRecord(LineSoFar, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A *What if?* line that starts at one moment of an uploaded record."""

    record: dict[str, Any]


class AnalysesController(Controller):
    path = "/api"
    tags = ("analyses",)

    @get("/tables/{table_id:str}/analysis", operation_id="analyses_of_table")
    async def of_table(
        self,
        request: AnyRequest,
        table_id: TableInPath,
        caller: GivenCaller,
        service: GivenService,
        invite: InviteHeader = None,
    ) -> Response[GameAnalysis]:
        """Grade every decision of a finished game; open to everyone who may read its record."""
        service.analysis_process.refuse_until_ready()
        service.limits.take(ANALYSES, caller.person.id)
        _, record = await finished_game(service, caller, table_id, invite)
        return await compressed(request, await service.analysis_process.analyse(record))

    @post(
        "/analysis", operation_id="analyses_of_record", status_code=200, request_max_body_size=MAX_RECORD_SIZE
    )
    async def of_record(
        self, request: AnyRequest, data: JSONBody[dict[str, Any]], service: GivenService
    ) -> Response[GameAnalysis]:
        """Grade every decision of an uploaded record."""
        service.analysis_process.refuse_until_ready()
        service.limits.take(ANALYSES, source_of(request))
        record = await uploaded_record(request, service, data)
        return await compressed(request, await service.analysis_process.analyse(record))

    @post(
        "/tables/{table_id:str}/line",
        operation_id="analyses_line_of_table",
        status_code=200,
        request_max_body_size=MAX_LINE_BYTES,
    )
    async def line_of_table(
        self,
        request: AnyRequest,
        table_id: TableInPath,
        data: JSONBody[LineSoFar],
        caller: GivenCaller,
        service: GivenService,
        invite: InviteHeader = None,
    ) -> Response[LinePlayed]:
        """Continue a finished game from a chosen moment: bots move until the caller's next decision."""
        service.limits.take(EXPLORATIONS, caller.person.id)
        _, record = await finished_game(service, caller, table_id, invite)
        return await compressed(request, await service.explorer.play_on(record, data))

    @post(
        "/line",
        operation_id="analyses_line_of_record",
        status_code=200,
        request_max_body_size=MAX_RECORD_SIZE + MAX_LINE_BYTES,
    )
    async def line_of_record(
        self, request: AnyRequest, data: JSONBody[LineOfRecord], service: GivenService
    ) -> Response[LinePlayed]:
        """Continue an uploaded record from a chosen moment."""
        service.limits.take(EXPLORATIONS, source_of(request))
        record = await uploaded_record(request, service, data.record)
        return await compressed(request, await service.explorer.play_on(record, data))
