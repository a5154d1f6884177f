"""REST routes for health checks, metrics and schemas."""

from typing import Literal

import msgspec
from litestar import Controller, Response, get

from royalcrypt.live.wire.messages import socket_schema
from royalcrypt.server.http.callers import address_of
from royalcrypt.server.http.common import AnyRequest
from royalcrypt.server.http.dependencies import (
    GivenHealthCheck,
    GivenHeartbeats,
    GivenHub,
    GivenIdentities,
    GivenMetrics,
    GivenRegistry,
    GivenSettings,
    GivenWorkers,
)
from royalcrypt.server.http.host import require_host
from royalcrypt.server.http.openapi import openapi
from royalcrypt.server.operations.metrics import CONTENT_TYPE
from royalcrypt.server.version import VERSION

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
        self, health_check: GivenHealthCheck, registry: GivenRegistry, heartbeats: GivenHeartbeats
    ) -> Health:
        """Check that the server can read its database; fails after a second."""
        await health_check.check()
        return Health("ok", VERSION, registry.now() - heartbeats.started)

    @get("/metrics", operation_id="server_metrics", media_type="text/plain")
    async def show_metrics(
        self,
        request: AnyRequest,
        settings: GivenSettings,
        metrics: GivenMetrics,
        hub: GivenHub,
        registry: GivenRegistry,
        workers: GivenWorkers,
    ) -> Response[bytes]:
        """Return metrics in the Prometheus format."""
        allowed = {"public": True, "local": is_local(request), "off": False}[settings.metrics]
        if not allowed:
            require_host(request)
        metrics.connections.set(len(hub.connections))
        metrics.tables.set(len(registry.loaded))
        if workers is not None:
            metrics.set_worker_processes(*workers.processes())
        return Response(metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    @get("/api/schema/openapi.json", operation_id="server_openapi", media_type="application/json")
    async def openapi(self, request: AnyRequest, identities: GivenIdentities) -> Response[bytes]:
        """Return the OpenAPI document of the REST interface."""
        return Response(openapi(request.app, identities.cookie_name))

    @get("/api/schema/socket.json", operation_id="server_socket_schema", media_type="application/json")
    async def socket_schema(self) -> Response[bytes]:
        """Return the JSON Schema of the WebSocket messages."""
        return Response(socket_schema())


def is_local(request: AnyRequest) -> bool:
    """Whether the request comes from this machine and not through a proxy."""
    return address_of(request) in LOOPBACK and not {"forwarded", "x-forwarded-for"} & set(request.headers)
