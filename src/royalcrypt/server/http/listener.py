"""The listening socket, which is opened before anything else so that the printed address is correct."""

import errno
import socket
import sys
from contextlib import suppress
from ipaddress import ip_address

from royalcrypt.notation.reasons import Reason, Refusal

PORTS_TRIED = 20
LAST_PORT = 65535
BACKLOG = 2048
TAKEN = {errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", errno.EADDRINUSE)}
TEST_ADDRESS = ("192.0.2.1", 9)
"""Reserved address (RFC 5737) that selects the outgoing network interface; nothing is sent to it."""


def listen(address: str, port: int, *, is_chosen: bool) -> socket.socket:
    """Open a listening socket on this port or, unless it was chosen explicitly, on the next free one."""
    last = port if is_chosen or port == 0 else min(port + PORTS_TRIED, LAST_PORT)
    for number in range(port, last + 1):
        try:
            return _bound(address, number)
        except (OSError, UnicodeError) as error:
            if getattr(error, "errno", None) not in TAKEN:
                why = getattr(error, "strerror", None) or str(error)
                raise Refusal(Reason.CANNOT_LISTEN, address=address, port=number, why=why) from None
    if last > port:
        raise Refusal(Reason.PORTS_TAKEN, address=address, port=port, last=last)
    raise Refusal(Reason.PORT_TAKEN, address=address, port=port)


def _bound(address: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, place = min(found, key=lambda each: each[0] != socket.AF_INET)
    listener = socket.socket(family, kind, protocol)
    try:
        if sys.platform == "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:  # Accept IPv4 on "::" as well.
            with suppress(OSError):
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(place)
        listener.listen(BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def port_of(listener: socket.socket) -> int:
    return listener.getsockname()[1]


def url_here(listener: socket.socket) -> str:
    """Return the server's URL for browsers on this machine."""
    host, port = listener.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = "127.0.0.1"
    return _url(host, port)


def urls_nearby(listener: socket.socket) -> tuple[str, ...]:
    """Return the server's URLs for other devices on the local network; empty if they cannot connect."""
    host, port = listener.getsockname()[:2]
    if ip_address(host).is_loopback:
        return ()
    hosts = addresses_nearby() if ip_address(host).is_unspecified else (host,)
    return tuple(_url(each, port) for each in hosts)


def addresses_nearby() -> tuple[str, ...]:
    """Return this machine's addresses on the local network, without causing network traffic."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(TEST_ADDRESS)
        found.append(probe.getsockname()[0])
    if not found:  # a network without a route to the internet
        with suppress(OSError):
            found += [place[4][0] for place in socket.getaddrinfo(socket.gethostname(), 0, socket.AF_INET)]  # pyright: ignore[reportAssignmentType]
    return tuple(dict.fromkeys(host for host in found if not ip_address(host).is_loopback))


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
