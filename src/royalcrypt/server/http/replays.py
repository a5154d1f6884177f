"""REST routes for replays of this server's tables and of uploaded records."""

import asyncio
import gzip
from typing import Annotated, Any

from litestar import Controller, Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from royalcrypt.live.heavy_work import Requester
from royalcrypt.live.wire.finished_games import Replay
from royalcrypt.server.http.callers import source_of
from royalcrypt.server.http.common import AnyRequest, InviteHeader, TableInPath, limit_invites
from royalcrypt.server.http.dependencies import GivenCaller, GivenCallers, GivenLimits, GivenReplays
from royalcrypt.server.limits import REPLAYS

MAX_RECORD_SIZE = 512 * 1024
"""Size limit of an uploaded record in bytes; long games have about 20,000."""
VIEWERS = r"^([0-3]|spectator|all)$(?!\n)"
ViewerInQuery = Annotated[
    Annotated[str, Meta(pattern=VIEWERS)] | None, QueryParameter(required=False, pattern=VIEWERS)
]


class ReplaysController(Controller):
    path = "/api"
    tags = ("replays",)

    @get("/tables/{table_id:str}/replay", operation_id="replays_of_table")
    async def of_table(
        self,
        request: AnyRequest,
        table_id: TableInPath,
        caller: GivenCaller,
        limits: GivenLimits,
        replays: GivenReplays,
        viewer: ViewerInQuery = None,
        invite: InviteHeader = None,
    ) -> Response[Replay]:
        """Return the replay of a finished game; open to everyone who may read its record."""
        limits.take(REPLAYS, caller.person.id)
        limit_invites(limits, caller, invite)
        person = caller.person.id
        requester = Requester(source_of(request), person)
        found = await replays.of_table(person, table_id, viewer, invite, requester=requester)
        return await compressed(request, found)

    @post("/replay", operation_id="replays_of_record", status_code=200, request_max_body_size=MAX_RECORD_SIZE)
    async def of_record(
        self,
        request: AnyRequest,
        data: JSONBody[dict[str, Any]],
        limits: GivenLimits,
        callers: GivenCallers,
        replays: GivenReplays,
        viewer: ViewerInQuery = None,
    ) -> Response[Replay]:
        """Return the replay of an uploaded record."""
        limits.take(REPLAYS, source_of(request))
        requester = await callers.requester(request)
        return await compressed(request, await replays.of_record(data, viewer, requester=requester))


async def compressed(request: AnyRequest, content: bytes) -> Response[Any]:
    """Build a JSON response, gzipped if the client accepts that (safe, since it contains no secrets)."""
    is_compressed = "gzip" in request.headers.get("accept-encoding", "")
    if is_compressed:
        content = await asyncio.to_thread(gzip.compress, content, 6)
    headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if is_compressed else {})
    return Response(content, headers=headers, media_type="application/json")
