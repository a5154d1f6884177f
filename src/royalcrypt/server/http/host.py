"""REST routes for the host (behind the admin link): people, tables, server rules and data export."""

from typing import Annotated

import msgspec
from litestar import Controller, Response, get, post, put
from litestar.handlers import BaseRouteHandler
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.live.wire.messages import raw_json
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.http.callers import AnyConnection, source_of
from royalcrypt.server.http.common import PersonInPath, TableInPath, download
from royalcrypt.server.http.dependencies import (
    GivenExport,
    GivenHeartbeats,
    GivenHostRules,
    GivenHub,
    GivenIdentities,
    GivenJournal,
    GivenPeers,
    GivenPeople,
    GivenPrograms,
    GivenPublisher,
    GivenRegistry,
    GivenRemoval,
    component_of,
)
from royalcrypt.server.limits import HOST
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


class Invitation(msgspec.Struct):
    invitation: str
    """Last part of the new invitation link, after ``/#join=``."""


class Flag(msgspec.Struct, forbid_unknown_fields=True):
    on: bool


def check_host(connection: AnyConnection, _: BaseRouteHandler) -> None:
    require_host(connection)


def require_host(connection: AnyConnection) -> None:
    """Raise Refusal without the admin token; wrong tokens are rate-limited."""
    if not is_host(connection):
        component_of(connection, "limits").take(HOST, source_of(connection))
        raise Refusal(Reason.NOT_HOST)


def is_host(connection: AnyConnection) -> bool:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and component_of(connection, "keys").is_admin_token(token)


class HostController(Controller):
    path = "/api/host"
    tags = ("host",)
    guards = (check_host,)
    security = ({"host": []},)

    @get("/", operation_id="host_overview")
    async def overview(
        self,
        heartbeats: GivenHeartbeats,
        hub: GivenHub,
        peers: GivenPeers,
        journal: GivenJournal,
        host_rules: GivenHostRules,
    ) -> Overview:
        """Return an overview of the server's state."""
        return Overview(
            version=VERSION,
            started=heartbeats.started,
            connections=len(hub.connections) + peers.remote_connections(),
            tables=await journal.counts(),
            is_invite_only=host_rules.is_invite_only,
            invitation=host_rules.invitation(),
            notice=host_rules.notice,
        )

    @get("/people", operation_id="host_people")
    async def list_people(self, people: GivenPeople, peers: GivenPeers) -> list[PersonLine]:
        """List all people."""
        connected = await peers.connected_people()
        return [
            PersonLine(
                id=person.id,
                name=person.name,
                created=person.created,
                is_muted=person.is_muted,
                is_banned=person.is_banned,
                is_connected=person.id in connected,
            )
            async for person in people.all()
        ]

    @get("/tables", operation_id="host_tables")
    async def list_tables(self, journal: GivenJournal) -> list[TableInfo]:
        """List open and running tables, including private ones."""
        statuses = (Status.OPEN, Status.RUNNING)
        found = [
            *await journal.listings(statuses, is_listed=True, limit=MAX_SHOWN),
            *await journal.listings(statuses, is_listed=False, limit=MAX_SHOWN),
        ]
        return [raw_json(listing.info) for listing in found]

    @put("/people/{person_id:str}/mute", operation_id="host_mute", status_code=204)
    async def mute(
        self,
        person_id: PersonInPath,
        data: JSONBody[Flag],
        people: GivenPeople,
        identities: GivenIdentities,
        publisher: GivenPublisher,
    ) -> None:
        """Mute or unmute a person in chat."""
        require_found(await people.update(person_id, is_muted=data.on))
        identities.forget(person_id)
        await publisher.publish(NoticeKind.PERSON, person_id)

    @put("/people/{person_id:str}/kick", operation_id="host_kick", status_code=204)
    async def kick(
        self,
        person_id: PersonInPath,
        data: JSONBody[Flag],
        people: GivenPeople,
        programs: GivenPrograms,
        identities: GivenIdentities,
        removal: GivenRemoval,
        host_rules: GivenHostRules,
        publisher: GivenPublisher,
    ) -> None:
        """Ban a person from the server, which also renews the invitation, or lift the ban."""
        require_found(await people.update(person_id, is_banned=data.on))
        identities.forget(person_id)
        if data.on:
            await host_rules.renew_invitation()
            await publisher.publish(NoticeKind.RULES, "")
            await removal.remove(person_id, "kicked")
            for program in await programs.of(person_id):
                await removal.remove(program.id, "kicked")
        else:
            await publisher.publish(NoticeKind.PERSON, person_id)

    @post("/tables/{table_id:str}/close", operation_id="host_close_table", status_code=204)
    async def close_table(self, table_id: TableInPath, registry: GivenRegistry) -> None:
        """Close a table."""
        await registry.change(table_id, lambda table, now: commands.close(table, why="host", now=now))

    @put("/rules", operation_id="host_set_rules", status_code=204)
    async def set_rules(
        self, data: JSONBody[HouseRulesChange], host_rules: GivenHostRules, publisher: GivenPublisher
    ) -> None:
        """Set whether new people need an invitation."""
        await host_rules.set_invite_only(is_invite_only=data.is_invite_only)
        await publisher.publish(NoticeKind.RULES, "")

    @post("/invitation", operation_id="host_renew_invitation", status_code=200)
    async def renew_invitation(self, host_rules: GivenHostRules, publisher: GivenPublisher) -> Invitation:
        """Renew the invitation; the old link no longer works."""
        await host_rules.renew_invitation()
        await publisher.publish(NoticeKind.RULES, "")
        return Invitation(host_rules.invitation())

    @put("/notice", operation_id="host_set_notice", status_code=204)
    async def set_notice(
        self, data: JSONBody[NoticeText], host_rules: GivenHostRules, publisher: GivenPublisher
    ) -> None:
        """Set the notice that everyone sees; an empty text removes it."""
        await host_rules.set_notice(data.text.strip())
        await publisher.publish(NoticeKind.RULES, "")

    @get("/export", operation_id="host_export", media_type="application/zip")
    async def export(self, host_export: GivenExport, registry: GivenRegistry) -> Response[bytes]:
        """Download people, tables, records and chat as a ZIP file; running games as spectators see them."""
        day = timestamp(registry.now())[:10]
        return download(await host_export.packed(), f"royalcrypt-{day}.zip")


def require_found(is_found: bool) -> None:  # noqa: FBT001
    if not is_found:
        raise Refusal(Reason.NO_SUCH_PERSON)
