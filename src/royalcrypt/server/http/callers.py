"""Identification of callers by cookie or token, and of clients by address."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller, Identities
from royalcrypt.server.accounts.tokens import Tokens
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import TOKEN_ATTEMPTS
from royalcrypt.server.operations.host_rules import HostRules

AnyConnection = ASGIConnection[Any, Any, Any, Any]
IPV6_PREFIX = 64
SUBPROTOCOL, TOKEN_PREFIX = "royalcrypt", "bearer."
"""The WebSocket subprotocol, and the prefix for a token in a browser, which cannot set headers."""


class Callers:
    def __init__(
        self, identities: Identities, tokens: Tokens, limits: Limiter, host_rules: HostRules
    ) -> None:
        self._identities = identities
        self._tokens = tokens
        self._limits = limits
        self._host_rules = host_rules

    async def of(self, connection: AnyConnection) -> Caller | None:
        """Return the caller; None without a valid cookie. Raises Refusal for banned people, wrong tokens.

        A token takes precedence over a cookie.
        """
        token = token_in(connection)
        if token is None:
            caller = await self._identities.identify(connection.cookies.get(self._identities.cookie_name))
        else:
            caller = await self._tokens.identify(token)
            if caller is None or caller.person.id in self._identities.deleting:
                self._limits.take(TOKEN_ATTEMPTS, source_of(connection))
                raise Refusal(Reason.WRONG_TOKEN)
        if caller is not None and caller.is_banned:
            raise Refusal(Reason.BANNED)
        return caller

    async def reader(self, connection: AnyConnection) -> str | None:
        """Return the caller's id; None without an account, which an invite-only server refuses."""
        caller = await self.of(connection)
        if caller is None:
            self._host_rules.check_stranger()
        return None if caller is None else caller.person.id

    async def check_stranger(self, connection: AnyConnection) -> None:
        """Raise Refusal for somebody without an account on an invite-only server."""
        if self._host_rules.is_invite_only:
            await self.reader(connection)


def token_in(connection: AnyConnection) -> str | None:
    """Return the bearer token from the Authorization header or a socket's subprotocols, if there is one."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    if connection.scope["type"] != ScopeType.WEBSOCKET:
        return None
    offered = connection.scope["subprotocols"]
    tokens = (one.removeprefix(TOKEN_PREFIX) for one in offered if one.startswith(TOKEN_PREFIX))
    return next(tokens, None)


def address_of(connection: AnyConnection) -> str:
    """Return the client's IP address; IPv4-mapped IPv6 addresses are unwrapped."""
    return _unwrapped(connection.client.host if connection.client else "unknown")


def source_of(connection: AnyConnection) -> str:
    """Return the rate-limit key of a client: its IPv4 address, or its IPv6 network of 64 bits."""
    return source_in(address_of(connection))


def source_in(address: str) -> str:
    """Return the rate-limit key of an IP address."""
    found = _unwrapped(address)
    if isinstance(_read_address(found), IPv6Address):
        return str(ip_network((found.partition("%")[0], IPV6_PREFIX), strict=False))
    return found


def _unwrapped(address: str) -> str:
    return str(getattr(_read_address(address), "ipv4_mapped", None) or address)


def _read_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None
