"""REST routes for health checks, metrics and schemas."""

from typing import Literal

import msgspec
from litestar import Controller, Response, get
from litestar.di import NamedDependency

from royalcrypt.live.hub import Hub
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.wire.messages import socket_schema
from royalcrypt.server.accounts.identities import Identities
from royalcrypt.server.bots.remote_workers import RemoteWorkers
from royalcrypt.server.http.callers import address_of
from royalcrypt.server.http.common import AnyRequest
from royalcrypt.server.http.host import require_host
from royalcrypt.server.http.openapi import openapi
from royalcrypt.server.operations.heartbeat import Heartbeats
from royalcrypt.server.operations.metrics import CONTENT_TYPE, Metrics
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.version import VERSION
from royalcrypt.storage.server_state import ServerState

GivenRegistry = NamedDependency[TableRegistry]
LOOPBACK = ("127.0.0.1", "::1")


class Health(msgspec.Struct):
    status: Literal["ok"]
    version: str
    uptime: int
    """Time since the start of the process, in ms."""


class StateController(Controller):
    tags = ("server",)

    @get("/health", operation_id="server_health")
    async def health(
        self,
        server_state: NamedDependency[ServerState],
        tables: GivenRegistry,
        heartbeats: NamedDependency[Heartbeats],
    ) -> Health:
        """Check that the server can read its database."""
        await server_state.get("alive_at")
        return Health("ok", VERSION, tables.now() - heartbeats.started)

    @get("/metrics", operation_id="server_metrics", media_type="text/plain")
    async def show_metrics(
        self,
        request: AnyRequest,
        settings: NamedDependency[ServerSettings],
        metrics: NamedDependency[Metrics],
        hub: NamedDependency[Hub],
        tables: GivenRegistry,
        workers: NamedDependency[RemoteWorkers | None],
    ) -> Response[bytes]:
        """Return metrics in the Prometheus format."""
        allowed = {"public": True, "local": is_local(request), "off": False}[settings.metrics]
        if not allowed:
            require_host(request)
        metrics.connections.set(len(hub.connections))
        metrics.tables.set(len(tables.loaded))
        if workers is not None:
            metrics.set_worker_processes(*workers.processes())
        return Response(metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    @get("/api/schema/openapi.json", operation_id="server_openapi", media_type="application/json")
    async def openapi(self, request: AnyRequest, identities: NamedDependency[Identities]) -> Response[bytes]:
        """Return the OpenAPI document of the REST interface."""
        return Response(openapi(request.app, identities.cookie_name))

    @get("/api/schema/socket.json", operation_id="server_socket_schema", media_type="application/json")
    async def socket_schema(self) -> Response[bytes]:
        """Return the JSON Schema of the WebSocket messages."""
        return Response(socket_schema())


def is_local(request: AnyRequest) -> bool:
    """Whether the request comes from this machine and not through a proxy."""
    return address_of(request) in LOOPBACK and not {"forwarded", "x-forwarded-for"} & set(request.headers)
