"""For the host, behind the private link: people, tables, the server's rules, and everything to take along."""

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

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.limits import HOST
from royalcrypt.server.records import seal_of
from royalcrypt.server.rest.common import (
    AnyConnection,
    GivenService,
    PersonInPath,
    TableInPath,
    download,
    service_of,
    source_of,
)
from royalcrypt.server.rest.leaving import send_away
from royalcrypt.server.service import Service
from royalcrypt.server.version import VERSION
from royalcrypt.server.wire.messages import encode_message, written
from royalcrypt.storage.server_state import NoticeKind
from royalcrypt.tables import commands
from royalcrypt.tables.clocks import timestamp
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import TableInfo

SHOWN = 500


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
    """Ends the link that lets new people in: ``/#join=``."""
    notice: str


class HouseRulesChange(msgspec.Struct, forbid_unknown_fields=True):
    is_invite_only: bool


class NoticeText(msgspec.Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=500)]


class Flag(msgspec.Struct, forbid_unknown_fields=True):
    on: bool


def check_host(connection: AnyConnection, _: BaseRouteHandler) -> None:
    need_host(connection)


def need_host(connection: AnyConnection) -> None:
    """Only with the token of the printed link; who guesses is slowed down, who has it is not."""
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

    @get("/", operation_id="host_overview", summary="How the server is doing")
    async def overview(self, service: GivenService) -> Overview:

        return Overview(
            version=VERSION,
            started=service.started,
            connections=len(service.hub.connections) + service.herald.connections_elsewhere(),
            tables=await service.journal.counts(),
            is_invite_only=service.house_rules.is_invite_only,
            invitation=service.invitation(),
            notice=service.house_rules.notice,
        )

    @get("/people", operation_id="host_people", summary="Everybody")
    async def people(self, service: GivenService) -> list[PersonLine]:
        connected = await service.everybody_connected()
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

    @get("/tables", operation_id="host_tables", summary="Open and running tables, private ones too")
    async def tables(self, service: GivenService) -> list[TableInfo]:
        statuses = (Status.OPEN, Status.RUNNING)
        found = [
            *await service.journal.listings(statuses, is_listed=True, limit=SHOWN),
            *await service.journal.listings(statuses, is_listed=False, limit=SHOWN),
        ]
        return [written(listing.info) for listing in found]

    @put(
        "/people/{person_id:str}/mute",
        operation_id="host_mute",
        summary="Let somebody chat, or not",
        status_code=204,
    )
    async def mute(self, person_id: PersonInPath, data: JSONBody[Flag], service: GivenService) -> None:
        need(await service.people.update(person_id, is_muted=data.on))
        service.identities.forget(person_id)
        await service.proclaim(NoticeKind.PERSON, person_id)

    @put(
        "/people/{person_id:str}/kick",
        operation_id="host_kick",
        summary="Send somebody away, or let them in again",
        status_code=204,
    )
    async def kick(self, person_id: PersonInPath, data: JSONBody[Flag], service: GivenService) -> None:
        need(await service.people.update(person_id, is_banned=data.on))
        service.identities.forget(person_id)
        if data.on:
            await send_away(service, person_id, "kicked")
            for program in await service.programs.of(person_id):
                await send_away(service, program.id, "kicked")
        else:
            await service.proclaim(NoticeKind.PERSON, person_id)

    @post(
        "/tables/{table_id:str}/close",
        operation_id="host_close_table",
        summary="Close a table",
        status_code=204,
    )
    async def close_table(self, table_id: TableInPath, service: GivenService) -> None:
        await service.house.change(table_id, lambda table, now: commands.close(table, why="host", now=now))

    @put(
        "/rules",
        operation_id="host_set_rules",
        summary="Whether new people need an invitation",
        status_code=204,
    )
    async def set_rules(self, data: JSONBody[HouseRulesChange], service: GivenService) -> None:
        await service.housekeeping.set("is_invite_only", data.is_invite_only)
        await service.load_house_rules()
        await service.proclaim(NoticeKind.RULES, "")

    @put(
        "/notice",
        operation_id="host_set_notice",
        summary="A message to everybody; empty to take it back",
        status_code=204,
    )
    async def set_notice(self, data: JSONBody[NoticeText], service: GivenService) -> None:
        await service.housekeeping.set("notice", data.text.strip())
        await service.load_house_rules()
        service.tell_notice()
        await service.proclaim(NoticeKind.RULES, "")

    @get(
        "/export",
        operation_id="host_export",
        summary="People, tables, records and chat as one archive; running games as spectators see them",
        media_type="application/zip",
    )
    async def export(self, service: GivenService) -> Response[bytes]:
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
                await asyncio.to_thread(archive.writestr, name, content)  # tables are played meanwhile
        day = timestamp(service.house.now())[:10]
        return download(packed.getvalue(), f"royalcrypt-{day}.zip")


def need(is_there: bool) -> None:  # noqa: FBT001
    if not is_there:
        raise Refusal(Reason.NO_SUCH_PERSON)


async def people_lines(service: Service) -> AsyncIterator[bytes]:
    async for person in service.people.all():
        yield encode_message(person)


async def table_lines(service: Service) -> AsyncIterator[bytes]:
    for is_listed in (True, False):
        for listing in await service.journal.listings(tuple(Status), is_listed=is_listed, limit=1_000_000):
            yield listing.info


async def record_lines(service: Service) -> AsyncIterator[bytes]:
    """Who exports may play, too: what is sealed is left out until it is not."""
    async for kept in service.journal.all_records():
        if not await service.seals.holds(seal_of(kept.record)):
            yield kept.record


async def running_lines(service: Service) -> AsyncIterator[bytes]:
    for is_listed in (True, False):
        for listing in await service.journal.listings(
            (Status.RUNNING,), is_listed=is_listed, limit=1_000_000
        ):
            table = await service.house.table(listing.table)
            is_sealed = await service.seals.holds(table.seal)
            if table.game is not None and table.status is Status.RUNNING and not is_sealed:
                yield table.game.record_for(None).to_json().encode()


async def chat_lines(service: Service) -> AsyncIterator[bytes]:
    async for line in service.chat.all():
        yield encode_message(line)
