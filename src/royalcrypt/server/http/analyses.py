"""REST routes for analyses and *What if?* lines of finished games."""

from typing import Any

from litestar import Controller, Response, get, post
from litestar.params import JSONBody

from royalcrypt.live.heavy_work import Requester
from royalcrypt.live.wire.finished_games import GameAnalysis, LineOfRecord, LinePlayed, LineSoFar
from royalcrypt.server.http.callers import source_of
from royalcrypt.server.http.common import AnyRequest, InviteHeader, TableInPath, limit_invites
from royalcrypt.server.http.dependencies import (
    GivenAnalyses,
    GivenCaller,
    GivenCallers,
    GivenLimits,
    GivenLines,
)
from royalcrypt.server.http.replays import MAX_RECORD_SIZE, compressed
from royalcrypt.server.limits import ANALYSES, EXPLORATIONS

MAX_LINE_BYTES = 64 * 1024


class AnalysesController(Controller):
    path = "/api"
    tags = ("analyses",)

    @get("/tables/{table_id:str}/analysis", operation_id="analyses_of_table")
    async def of_table(
        self,
        request: AnyRequest,
        table_id: TableInPath,
        caller: GivenCaller,
        limits: GivenLimits,
        analyses: GivenAnalyses,
        invite: InviteHeader = None,
    ) -> Response[GameAnalysis]:
        """Grade every decision of a finished game; open to everyone who may read its record."""
        analyses.refuse_until_ready()
        limits.take(ANALYSES, caller.person.id)
        limit_invites(limits, caller, invite)
        person = caller.person.id
        requester = Requester(source_of(request), person)
        found = await analyses.of_table(person, table_id, invite, requester=requester)
        return await compressed(request, found)

    @post(
        "/analysis", operation_id="analyses_of_record", status_code=200, request_max_body_size=MAX_RECORD_SIZE
    )
    async def of_record(
        self,
        request: AnyRequest,
        data: JSONBody[dict[str, Any]],
        limits: GivenLimits,
        callers: GivenCallers,
        analyses: GivenAnalyses,
    ) -> Response[GameAnalysis]:
        """Grade every decision of an uploaded record."""
        analyses.refuse_until_ready()
        limits.take(ANALYSES, source_of(request))
        requester = await callers.requester(request)
        return await compressed(request, await analyses.of_record(data, requester=requester))

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
        limits: GivenLimits,
        lines: GivenLines,
        invite: InviteHeader = None,
    ) -> Response[LinePlayed]:
        """Continue a finished game from a chosen moment: bots move until the caller's next decision."""
        limits.take(EXPLORATIONS, caller.person.id)
        limit_invites(limits, caller, invite)
        person = caller.person.id
        requester = Requester(source_of(request), person)
        found = await lines.of_table(person, table_id, data, invite, requester=requester)
        return await compressed(request, found)

    @post(
        "/line",
        operation_id="analyses_line_of_record",
        status_code=200,
        request_max_body_size=MAX_RECORD_SIZE + MAX_LINE_BYTES,
    )
    async def line_of_record(
        self,
        request: AnyRequest,
        data: JSONBody[LineOfRecord],
        limits: GivenLimits,
        callers: GivenCallers,
        lines: GivenLines,
    ) -> Response[LinePlayed]:
        """Continue an uploaded record from a chosen moment."""
        limits.take(EXPLORATIONS, source_of(request))
        requester = await callers.requester(request)
        return await compressed(request, await lines.of_record(data, requester=requester))
