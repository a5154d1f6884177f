"""REST routes for replays of this server's tables and of uploaded records."""

import asyncio
import gzip
from typing import Annotated, Any, Literal, cast

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from royalcrypt.live.access import seat_shown
from royalcrypt.live.seals import visible_record
from royalcrypt.live.updates import you_at
from royalcrypt.live.wire.finished_games import MAX_EVENTS, RecordedFrame, recorded_frame
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.playback import Playback, Viewer
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.http.callers import source_of
from royalcrypt.server.http.common import (
    AnyRequest,
    GivenCaller,
    GivenService,
    InviteHeader,
    TableInPath,
    caller_of,
)
from royalcrypt.server.http.rate_limits import REPLAYS
from royalcrypt.server.http.tables import find_table
from royalcrypt.server.service import Service
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table

MAX_RECORD_SIZE = 512 * 1024
"""Size limit of an uploaded record in bytes; long games have about 20,000."""
VIEWERS_BY_NAME: dict[str, Viewer] = {"spectator": "spectator", "all": "all", "0": 0, "1": 1, "2": 2, "3": 3}
VIEWERS = r"^([0-3]|spectator|all)$(?!\n)"
ViewerInQuery = Annotated[
    Annotated[str, Meta(pattern=VIEWERS)] | None,
    QueryParameter(required=False, pattern=VIEWERS),
]


class RecordedSeat(msgspec.Struct, frozen=True):
    name: str
    kind: str
    """Kind of player: ``human``, or ``bot:`` followed by the bot's name."""


class Replay(msgspec.Struct, frozen=True):
    """A finished game, frame by frame, as one viewer knew it or with all cards open."""

    viewer: int | Literal["all", "spectator"]
    players: int
    collectors: str
    seats: list[RecordedSeat]
    frames: list[RecordedFrame]
    result: dict[str, Any] | None
    created: str | None
    invite: str | None
    """Last part of a private table's link, for people who may share it."""


class ReplaysController(Controller):
    path = "/api"
    tags = ("replays",)

    @get("/tables/{table_id:str}/replay", operation_id="replays_of_table")
    async def of_table(
        self,
        request: AnyRequest,
        table_id: TableInPath,
        caller: GivenCaller,
        service: GivenService,
        viewer: ViewerInQuery = None,
        invite: InviteHeader = None,
    ) -> Response[Replay]:
        """Return the replay of a finished game; open to everyone who may read its record."""
        service.limits.take(REPLAYS, caller.person.id)
        table, record = await finished_game(service, caller, table_id, invite)
        own = seat_shown(table, caller.person.id, None)
        eyes = "spectator" if own is None else own
        link = None if table.settings.is_listed else you_at(table, caller.person.id, own).invite
        return await replay_response(
            request, service, record, eyes if viewer is None else VIEWERS_BY_NAME[viewer], link
        )

    @post("/replay", operation_id="replays_of_record", status_code=200, request_max_body_size=MAX_RECORD_SIZE)
    async def of_record(
        self,
        request: AnyRequest,
        data: JSONBody[dict[str, Any]],
        service: GivenService,
        viewer: ViewerInQuery = None,
    ) -> Response[Replay]:
        """Return the replay of an uploaded record."""
        service.limits.take(REPLAYS, source_of(request))
        record = await uploaded_record(request, service, data)
        return await replay_response(request, service, record, VIEWERS_BY_NAME[viewer or "all"])


async def finished_game(
    service: Service, caller: Caller, table_id: str, invite: str | None
) -> tuple[Table, Record]:
    """Return a finished table and its record as the caller may see it; raises Refusal if unfinished."""
    table = await find_table(service, caller, table_id, invite)
    record = await visible_record(service.seals, table, caller.person.id, invite)
    if table.status is not Status.OVER:
        raise Refusal(Reason.NOT_OVER)
    return table, record


async def uploaded_record(request: AnyRequest, service: Service, found: dict[str, Any]) -> Record:
    """Parse an uploaded record; an invite-only server refuses callers without an account."""
    if service.host_rules.is_invite_only and await caller_of(request) is None:
        raise Refusal(Reason.INVITE_ONLY)
    return await asyncio.to_thread(read_record, found)


def read_record(found: dict[str, Any]) -> Record:
    """Parse a record; raises Refusal early for too many events, because parsing is expensive."""
    events = found.get("events")
    if isinstance(events, list) and len(cast("list[Any]", events)) > MAX_EVENTS:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="events")
    return Record.parse(found)


async def replay_response(
    request: AnyRequest, service: Service, record: Record, viewer: Viewer, invite: str | None = None
) -> Response[Any]:
    """Compute a replay in a thread, with limited concurrency."""
    async with service.replay_slots:
        return await compressed(request, await asyncio.to_thread(replay_json, record, viewer, invite))


async def compressed(request: AnyRequest, content: bytes) -> Response[Any]:
    """Build a JSON response, gzipped if the client accepts that (safe, since it contains no secrets)."""
    is_compressed = "gzip" in request.headers.get("accept-encoding", "")
    if is_compressed:
        content = await asyncio.to_thread(gzip.compress, content, 6)
    headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if is_compressed else {})
    return Response(content, headers=headers, media_type="application/json")


def replay_json(record: Record, viewer: Viewer, invite: str | None = None) -> bytes:
    try:
        film = Playback(record)
    except RecursionError:  # The JSON is nested too deeply.
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON") from None
    return msgspec.json.encode(
        Replay(
            viewer=viewer,
            players=record.players,
            collectors=record.collectors,
            seats=[RecordedSeat(seat.name, seat.kind) for seat in record.seats],
            frames=[recorded_frame(frame) for frame in film.frames(viewer)],
            result=film.result,
            created=record.created,
            invite=invite,
        )
    )
