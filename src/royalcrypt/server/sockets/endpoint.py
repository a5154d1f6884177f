"""The WebSocket endpoint: one connection from the handshake to its end."""

from collections import Counter
from typing import Any, NamedTuple

from litestar import WebSocket, websocket
from litestar.connection.base import empty_receive, empty_send
from litestar.di import NamedDependency

from royalcrypt.live.connection import Close, Connection
from royalcrypt.live.hub import Hub
from royalcrypt.live.session import CommandHandler
from royalcrypt.live.updates import refused
from royalcrypt.live.wire.messages import Welcome, encode_message
from royalcrypt.locales import language_in, say
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.http.callers import SUBPROTOCOL, Callers, source_of
from royalcrypt.server.http.statuses import STATUS, UNAVAILABLE
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import HANDSHAKES, PERSON_SOCKETS, PROGRAM_SOCKETS, Bound
from royalcrypt.server.operations.host_rules import HostRules
from royalcrypt.server.operations.metrics import Metrics
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.sockets.policy import SocketPolicy
from royalcrypt.server.sockets.protocol import writer_of
from royalcrypt.server.sockets.transport import SocketTransport
from royalcrypt.server.version import VERSION
from royalcrypt.storage.people import People

AnySocket = WebSocket[Any, Any, Any]
FULL = (Reason.TOO_FAST, Reason.TOO_MANY)
PROTOCOLS = (1, 2)
"""Protocols that the server speaks. Programs that name none get 1, as the Bot API has promised."""


class SocketEndpoint(NamedTuple):
    """What sockets need of the service."""

    settings: ServerSettings
    hub: Hub
    commands: CommandHandler
    callers: Callers
    limits: Limiter
    people: People
    host_rules: HostRules
    metrics: Metrics
    addresses: Counter[str]
    """Number of open sockets of each address."""

    async def serve(self, socket: AnySocket) -> None:
        try:
            self.limits.take(HANDSHAKES, source_of(socket))
            protocol = protocol_of(socket)
            caller = await self._admit(socket)
        except Refusal as refusal:
            await socket.accept(subprotocol_of(socket))
            await socket.send_data(refused(refusal, re=None).decode())
            await socket.close(code=code_for(refusal))
            return
        await socket.accept(subprotocol_of(socket))
        source = source_of(socket)
        transport = SocketTransport(socket.send, writer_of(socket.scope), self.limits.count)
        connection = Connection(
            transport,
            person=caller.person.id,
            name=caller.person.name,
            device=caller.device,
            keeper=None if caller.keeper is None else caller.keeper.id,
            gets_views=protocol == 1,
        )
        self.hub.add(connection)
        self.addresses[source] += 1
        try:
            await self._welcome(socket, transport, connection, protocol)
            policy = SocketPolicy(connection, self.limits, self.people, self.metrics.count_refusal)
            while (
                transport.code is None and (message := await socket.receive())["type"] == "websocket.receive"
            ):
                if transport.code is None:  # messages after the close are ignored
                    await self.commands.handle(
                        connection, message.get("text") or message.get("bytes") or "", policy
                    )
                await transport.drained()
        finally:
            self.hub.remove(connection)
            self.addresses[source] -= 1
            if not self.addresses[source]:
                del self.addresses[source]

    async def _welcome(
        self, socket: AnySocket, transport: SocketTransport, connection: Connection, protocol: int
    ) -> None:
        """Send the first message, or close the socket if the caller was banned meanwhile."""
        code = await self._recheck(socket)
        if code is not None:
            transport.close(code)
            await transport.drained()
        transport.push(
            encode_message(
                Welcome(
                    person=connection.person,
                    name=connection.name,
                    now=self.commands.now(),
                    version=VERSION,
                    protocol=protocol,
                    notice=self._notice_for(socket, connection, protocol),
                )
            )
        )

    def _notice_for(self, socket: AnySocket, connection: Connection, protocol: int) -> str | None:
        """Tell a page of an earlier version to reload, and everybody else what the host has to say.

        Pages send an origin, as do programs in a browser, which speak protocol 1 for good.
        """
        is_page = connection.keeper is None and "origin" in socket.headers
        if is_page and protocol != PROTOCOLS[-1]:
            return say(
                "page.failed.outdated", language=language_in(socket.headers.get("accept-language", ""))
            )
        return self.host_rules.notice or None

    async def _admit(self, socket: AnySocket) -> Caller:
        """Authenticate a socket; raises Refusal without valid credentials or beyond connection limits."""
        source = source_of(socket)
        settings = self.settings
        if len(self.hub.connections) >= settings.max_connections:
            raise self.limits.refusal(Bound("max_connections", settings.max_connections))
        if self.addresses[source] >= settings.max_connections_per_address:
            raise self.limits.refusal(
                Bound("max_connections_per_address", settings.max_connections_per_address)
            )
        caller = await self.callers.of(socket)
        if caller is None:
            raise Refusal(Reason.NOT_SIGNED_IN)
        sockets = self.hub.of_person.get(caller.person.id, ())
        most = PERSON_SOCKETS if caller.keeper is None else PROGRAM_SOCKETS
        if len(sockets) >= most.most:
            raise self.limits.refusal(most)
        return caller

    async def _recheck(self, socket: AnySocket) -> Close | None:
        """Return the close code if the caller was banned or signed out during the handshake, else None."""
        try:
            return Close.POLICY if await self.callers.of(socket) is None else None
        except Refusal as refusal:
            return code_for(refusal)


def provide_sockets(socket: AnySocket) -> SocketEndpoint:
    return socket.app.state.service.sockets


@websocket("/socket", include_in_schema=False)
async def socket_route(socket: AnySocket, sockets: NamedDependency[SocketEndpoint]) -> None:
    """Serve one WebSocket connection."""
    try:
        await sockets.serve(socket)
    finally:
        socket.receive, socket.send = empty_receive, empty_send  # breaks reference cycles


def protocol_of(socket: AnySocket) -> int:
    """Return the protocol that the client asks for with ``?protocol=``."""
    asked = socket.query_params.get("protocol", "1")
    if asked not in map(str, PROTOCOLS):
        raise Refusal(Reason.WRONG_PROTOCOL, newest=PROTOCOLS[-1])
    return int(asked)


def subprotocol_of(socket: AnySocket) -> str | None:
    """Return the WebSocket subprotocol to confirm; None if the client offered none."""
    return SUBPROTOCOL if SUBPROTOCOL in socket.scope["subprotocols"] else None


def code_for(refusal: Refusal) -> Close:
    """Return the close code for a refused socket; clients decide by it whether to retry."""
    is_later = STATUS.get(refusal.reason) == UNAVAILABLE or refusal.reason in FULL
    return Close.TRY_AGAIN if is_later else Close.POLICY
