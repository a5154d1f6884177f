"""REST routes for the host (behind the admin link): people, tables, server rules and data export."""

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from litestar import Controller, Response, get, post, put
from litestar.handlers import BaseRouteHandler
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.live.seals import seal_of
from royalcrypt.live.wire.messages import encode_message, raw_json
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.http.callers import AnyConnection, source_of
from royalcrypt.server.http.common import (
    GivenService,
    PersonInPath,
    TableInPath,
    download,
    service_of,
)
from royalcrypt.server.http.rate_limits import HOST
from royalcrypt.server.service import Service
from royalcrypt.server.version import VERSION
from royalcrypt.storage.server_state import NoticeKind
from royalcrypt.tables import commands
from royalcrypt.tables.clocks import timestamp
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import TableInfo

MAX_SHOWN = 500


class PersonLine(msgspec.Struct):
    id: str
    name: str
    created: int
    is_muted: bool
    is_banned: bool
    is_connected: bool


class Overview(msgspec.Struct):
    version: str
    started: int
    connections: int
    tables: dict[Status, int]
    is_invite_only: bool
    invitation: str
    """Last part of the invitation link, after ``/#join=``."""
    notice: str


class HouseRulesChange(msgspec.Struct, forbid_unknown_fields=True):
    is_invite_only: bool


class NoticeText(msgspec.Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=500)]


class Flag(msgspec.Struct, forbid_unknown_fields=True):
    on: bool


def check_host(connection: AnyConnection, _: BaseRouteHandler) -> None:
    require_host(connection)


def require_host(connection: AnyConnection) -> None:
    """Raise Refusal without the admin token; wrong tokens are rate-limited."""
    if not is_host(connection):
        service_of(connection).limits.take(HOST, source_of(connection))
        raise Refusal(Reason.NOT_HOST)


def is_host(connection: AnyConnection) -> bool:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and service_of(connection).keys.is_admin_token(token)


class HostController(Controller):
    path = "/api/host"
    tags = ("host",)
    guards = (check_host,)
    security = ({"host": []},)

    @get("/", operation_id="host_overview")
    async def overview(self, service: GivenService) -> Overview:
        """Return an overview of the server's state."""
        return Overview(
            version=VERSION,
            started=service.heartbeats.started,
            connections=len(service.hub.connections) + service.peers.remote_connections(),
            tables=await service.journal.counts(),
            is_invite_only=service.host_rules.is_invite_only,
            invitation=service.host_rules.invitation(),
            notice=service.host_rules.notice,
        )

    @get("/people", operation_id="host_people")
    async def people(self, service: GivenService) -> list[PersonLine]:
        """List all people."""
        connected = await service.connected_people()
        return [
            PersonLine(
                id=person.id,
                name=person.name,
                created=person.created,
                is_muted=person.is_muted,
                is_banned=person.is_banned,
                is_connected=person.id in connected,
            )
            async for person in service.people.all()
        ]

    @get("/tables", operation_id="host_tables")
    async def tables(self, service: GivenService) -> list[TableInfo]:
        """List open and running tables, including private ones."""
        statuses = (Status.OPEN, Status.RUNNING)
        found = [
            *await service.journal.listings(statuses, is_listed=True, limit=MAX_SHOWN),
            *await service.journal.listings(statuses, is_listed=False, limit=MAX_SHOWN),
        ]
        return [raw_json(listing.info) for listing in found]

    @put("/people/{person_id:str}/mute", operation_id="host_mute", status_code=204)
    async def mute(self, person_id: PersonInPath, data: JSONBody[Flag], service: GivenService) -> None:
        """Mute or unmute a person in chat."""
        require_found(await service.people.update(person_id, is_muted=data.on))
        service.identities.forget(person_id)
        await service.publisher.publish(NoticeKind.PERSON, person_id)

    @put("/people/{person_id:str}/kick", operation_id="host_kick", status_code=204)
    async def kick(self, person_id: PersonInPath, data: JSONBody[Flag], service: GivenService) -> None:
        """Ban a person from the server, or lift the ban."""
        require_found(await service.people.update(person_id, is_banned=data.on))
        service.identities.forget(person_id)
        if data.on:
            await service.removal.remove(person_id, "kicked")
            for program in await service.programs.of(person_id):
                await service.removal.remove(program.id, "kicked")
        else:
            await service.publisher.publish(NoticeKind.PERSON, person_id)

    @post("/tables/{table_id:str}/close", operation_id="host_close_table", status_code=204)
    async def close_table(self, table_id: TableInPath, service: GivenService) -> None:
        """Close a table."""
        await service.tables.change(table_id, lambda table, now: commands.close(table, why="host", now=now))

    @put("/rules", operation_id="host_set_rules", status_code=204)
    async def set_rules(self, data: JSONBody[HouseRulesChange], service: GivenService) -> None:
        """Set whether new people need an invitation."""
        await service.host_rules.set_invite_only(is_invite_only=data.is_invite_only)
        await service.publisher.publish(NoticeKind.RULES, "")

    @put("/notice", operation_id="host_set_notice", status_code=204)
    async def set_notice(self, data: JSONBody[NoticeText], service: GivenService) -> None:
        """Set the notice that everyone sees; an empty text removes it."""
        await service.host_rules.set_notice(data.text.strip())
        await service.publisher.publish(NoticeKind.RULES, "")

    @get("/export", operation_id="host_export", media_type="application/zip")
    async def export(self, service: GivenService) -> Response[bytes]:
        """Download people, tables, records and chat as a ZIP file; running games as spectators see them."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, lines in (
                ("people.jsonl", people_lines(service)),
                ("tables.jsonl", table_lines(service)),
                ("records.jsonl", record_lines(service)),
                ("running.jsonl", running_lines(service)),
                ("chat.jsonl", chat_lines(service)),
            ):
                content = b"".join([line + b"\n" async for line in lines])
                await asyncio.to_thread(archive.writestr, name, content)  # does not block the event loop
        day = timestamp(service.tables.now())[:10]
        return download(packed.getvalue(), f"royalcrypt-{day}.zip")


def require_found(is_found: bool) -> None:  # noqa: FBT001
    if not is_found:
        raise Refusal(Reason.NO_SUCH_PERSON)


async def people_lines(service: Service) -> AsyncIterator[bytes]:
    async for person in service.people.all():
        yield encode_message(person)


async def table_lines(service: Service) -> AsyncIterator[bytes]:
    for is_listed in (True, False):
        for listing in await service.journal.listings(tuple(Status), is_listed=is_listed, limit=1_000_000):
            yield listing.info


async def record_lines(service: Service) -> AsyncIterator[bytes]:
    """Yield the records of finished games, except sealed ones, because the host may be a player."""
    async for kept in service.journal.all_records():
        if not await service.seals.holds(seal_of(kept.record)):
            yield kept.record


async def running_lines(service: Service) -> AsyncIterator[bytes]:
    for is_listed in (True, False):
        for listing in await service.journal.listings(
            (Status.RUNNING,), is_listed=is_listed, limit=1_000_000
        ):
            table = await service.tables.table(listing.table)
            is_sealed = await service.seals.holds(table.seal)
            if table.game is not None and table.status is Status.RUNNING and not is_sealed:
                yield table.game.record_for(None).to_json().encode()


async def chat_lines(service: Service) -> AsyncIterator[bytes]:
    async for line in service.chat_lines.all():
        yield encode_message(line)
