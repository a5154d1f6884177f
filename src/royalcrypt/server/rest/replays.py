"""Finished games to look at again: those of this server's tables, and records that somebody brings along."""

import asyncio
import gzip
from typing import Annotated, Any, Literal, cast

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.playback import Playback, Viewer
from royalcrypt.server.access import seat_shown
from royalcrypt.server.identities import Known
from royalcrypt.server.limits import REPLAYS
from royalcrypt.server.records import record_shown
from royalcrypt.server.rest.common import (
    AnyRequest,
    GivenKnown,
    GivenService,
    InviteHeader,
    TableInPath,
    known_of,
    source_of,
)
from royalcrypt.server.rest.tables import tried
from royalcrypt.server.service import Service
from royalcrypt.server.telling import you_at
from royalcrypt.server.wire.films import MOST_EVENTS, RecordedFrame, written_frame
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table

LONGEST_RECORD = 512 * 1024
"""Bytes; the longest games have about 20,000."""
EYES: dict[str, Viewer] = {"spectator": "spectator", "all": "all", "0": 0, "1": 1, "2": 2, "3": 3}
VIEWERS = r"^([0-3]|spectator|all)$(?!\n)"
EyesInQuery = Annotated[
    Annotated[str, Meta(pattern=VIEWERS)] | None,
    QueryParameter(required=False, pattern=VIEWERS),
]


class RecordedSeat(msgspec.Struct, frozen=True):
    name: str
    kind: str
    """``human``, or ``bot:`` and its level."""


class Replay(msgspec.Struct, frozen=True):
    """A finished game as one viewer knew it at each moment, or with all cards open."""

    viewer: int | Literal["all", "spectator"]
    players: int
    collectors: str
    seats: list[RecordedSeat]
    frames: list[RecordedFrame]
    result: dict[str, Any] | None
    created: str | None
    invite: str | None
    """The last part of a private table's link, for those who may pass it on."""


class ReplaysController(Controller):
    path = "/api"
    tags = ("replays",)

    @get(
        "/tables/{table_id:str}/replay",
        operation_id="replays_of_table",
        summary="A finished game as a viewer knew it at each moment, for all who may have its record",
    )
    async def of_table(
        self,
        request: AnyRequest,
        table_id: TableInPath,
        known: GivenKnown,
        service: GivenService,
        viewer: EyesInQuery = None,
        invite: InviteHeader = None,
    ) -> Response[Replay]:
        service.limits.take(REPLAYS, known.person.id)
        table, record = await finished_game(service, known, table_id, invite)
        own = seat_shown(table, known.person.id, None)
        eyes = "spectator" if own is None else own
        link = None if table.settings.is_listed else you_at(table, known.person.id, own).invite
        return await filmed(request, service, record, eyes if viewer is None else EYES[viewer], link)

    @post(
        "/replay",
        operation_id="replays_of_record",
        summary="The same of a record",
        status_code=200,
        request_max_body_size=LONGEST_RECORD,
    )
    async def of_record(
        self,
        request: AnyRequest,
        data: JSONBody[dict[str, Any]],
        service: GivenService,
        viewer: EyesInQuery = None,
    ) -> Response[Replay]:
        service.limits.take(REPLAYS, source_of(request))
        record = await brought_record(request, service, data)
        return await filmed(request, service, record, EYES[viewer or "all"])


async def finished_game(
    service: Service, known: Known, table_id: str, invite: str | None
) -> tuple[Table, Record]:
    """A table whose game is over, and its record as whoever asks may have it."""
    table = await tried(service, known, table_id, invite)
    record = await record_shown(service.seals, table, known.person.id, invite)
    if table.status is not Status.OVER:
        raise Refusal(Reason.NOT_OVER)
    return table, record


async def brought_record(request: AnyRequest, service: Service, found: dict[str, Any]) -> Record:
    """Of anybody, unless only those who are known are let in."""
    if service.house_rules.is_invite_only and await known_of(request) is None:
        raise Refusal(Reason.INVITE_ONLY)
    return await asyncio.to_thread(read_record, found)


def read_record(found: dict[str, Any]) -> Record:
    """What somebody brings along; refused before it costs much."""
    events = found.get("events")
    if isinstance(events, list) and len(cast("list[Any]", events)) > MOST_EVENTS:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="events")
    return Record.parse(found)


async def filmed(
    request: AnyRequest, service: Service, record: Record, viewer: Viewer, invite: str | None = None
) -> Response[Any]:
    """Worked out beside everything else."""
    async with service.filming:
        return await packed(request, await asyncio.to_thread(replay_json, record, viewer, invite))


async def packed(request: AnyRequest, content: bytes) -> Response[Any]:
    """JSON as small as the reader can unpack it: nothing is secret in it that lengths could betray."""
    is_packed = "gzip" in request.headers.get("accept-encoding", "")
    if is_packed:
        content = await asyncio.to_thread(gzip.compress, content, 6)
    headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if is_packed else {})
    return Response(content, headers=headers, media_type="application/json")


def replay_json(record: Record, viewer: Viewer, invite: str | None = None) -> bytes:
    try:
        film = Playback(record)
    except RecursionError:  # of what is nested deeper than any record
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON") from None
    return msgspec.json.encode(
        Replay(
            viewer=viewer,
            players=record.players,
            collectors=record.collectors,
            seats=[RecordedSeat(seat.name, seat.kind) for seat in record.seats],
            frames=[written_frame(frame) for frame in film.frames(viewer)],
            result=film.result,
            created=record.created,
            invite=invite,
        )
    )
