"""REST routes for health checks, metrics and schemas."""

from typing import Literal

import msgspec
from litestar import Controller, Response, get

from royalcrypt.live.wire.messages import socket_schema
from royalcrypt.server.http.callers import address_of
from royalcrypt.server.http.common import AnyRequest, GivenService
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
    async def health(self, service: GivenService) -> Health:
        """Check that the server can read its database."""
        await service.state.get("alive_at")
        return Health("ok", VERSION, service.tables.now() - service.heartbeats.started)

    @get("/metrics", operation_id="server_metrics", media_type="text/plain")
    async def metrics(self, request: AnyRequest, service: GivenService) -> Response[bytes]:
        """Return metrics in the Prometheus format."""
        allowed = {"public": True, "local": is_local(request), "off": False}[service.settings.metrics]
        if not allowed:
            require_host(request)
        service.metrics.connections.set(len(service.hub.connections))
        service.metrics.tables.set(len(service.tables.loaded))
        if service.workers is not None:
            service.metrics.set_worker_processes(*service.workers.processes())
        return Response(service.metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    @get("/api/schema/openapi.json", operation_id="server_openapi", media_type="application/json")
    async def openapi(self, request: AnyRequest, service: GivenService) -> Response[bytes]:
        """Return the OpenAPI document of the REST interface."""
        return Response(openapi(request.app, service.identities.cookie_name))

    @get("/api/schema/socket.json", operation_id="server_socket_schema", media_type="application/json")
    async def socket_schema(self) -> Response[bytes]:
        """Return the JSON Schema of the WebSocket messages."""
        return Response(socket_schema())


def is_local(request: AnyRequest) -> bool:
    """Whether the request comes from this machine and not through a proxy."""
    return address_of(request) in LOOPBACK and not {"forwarded", "x-forwarded-for"} & set(request.headers)
