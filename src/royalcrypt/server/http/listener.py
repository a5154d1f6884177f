"""Where the server listens: a socket taken before anything else, so that the address told is the true one."""

import errno
import socket
import sys
from contextlib import suppress
from ipaddress import ip_address

from royalcrypt.notation.reasons import Reason, Refusal

MORE_PORTS = 20
LAST_PORT = 65535
BACKLOG = 2048
TAKEN = {errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", errno.EADDRINUSE)}
FAR_AWAY = ("192.0.2.1", 9)
"""An address of documentation: nothing is sent there, the system only tells which way it would go."""


def listen(address: str, port: int, *, is_chosen: bool) -> socket.socket:
    """A socket that hears already, at the port or, unless somebody chose that, at the next free one."""
    last = port if is_chosen or port == 0 else min(port + MORE_PORTS, LAST_PORT)
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
        if family == socket.AF_INET6:  # On "::" those who only speak IPv4 shall find us too.
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
    """How a browser on this machine gets there."""
    host, port = listener.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = "127.0.0.1"
    return _url(host, port)


def urls_nearby(listener: socket.socket) -> tuple[str, ...]:
    """How others on the local network get there; none if they cannot."""
    host, port = listener.getsockname()[:2]
    if ip_address(host).is_loopback:
        return ()
    hosts = addresses_nearby() if ip_address(host).is_unspecified else (host,)
    return tuple(_url(each, port) for each in hosts)


def addresses_nearby() -> tuple[str, ...]:
    """This machine's own on the local network, as well as it can be told without asking anybody."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(FAR_AWAY)
        found.append(probe.getsockname()[0])
    if not found:  # a network that leads nowhere else
        with suppress(OSError):
            found += [place[4][0] for place in socket.getaddrinfo(socket.gethostname(), 0, socket.AF_INET)]  # pyright: ignore[reportAssignmentType]
    return tuple(dict.fromkeys(host for host in found if not ip_address(host).is_loopback))


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
