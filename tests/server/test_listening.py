"""Where the server listens, and how it is reached."""

import socket
from contextlib import ExitStack, suppress

import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.http import listener
from royalcrypt.server.http.listener import addresses_nearby, listen, port_of, url_here, urls_nearby


def refusal(address: str, port: int, *, is_chosen: bool = True) -> Refusal:
    with pytest.raises(Refusal) as refused:
        listen(address, port, is_chosen=is_chosen).close()
    assert "\n" not in str(refused.value)
    return refused.value


def test_a_socket_hears_as_soon_as_its_address_is_known() -> None:
    with listen("127.0.0.1", 0, is_chosen=False) as listener:
        assert url_here(listener) == f"http://127.0.0.1:{port_of(listener)}"
        socket.create_connection(listener.getsockname()).close()


def test_a_taken_port_is_passed_over_unless_it_was_chosen() -> None:
    with listen("127.0.0.1", 0, is_chosen=False) as other:
        port = port_of(other)
        assert refusal("127.0.0.1", port).reason is Reason.PORT_TAKEN
        with listen("127.0.0.1", port, is_chosen=False) as listener:
            assert port < port_of(listener) <= port + 20


def test_when_all_are_taken_it_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "PORTS_TRIED", 2)
    with ExitStack() as stack:
        port = port_of(stack.enter_context(listen("127.0.0.1", 0, is_chosen=False)))
        for number in (port + 1, port + 2):
            with suppress(Refusal):  # Another program may have it.
                stack.enter_context(listen("127.0.0.1", number, is_chosen=True))
        refused = refusal("127.0.0.1", port, is_chosen=False)
        assert refused.reason is Reason.PORTS_TAKEN
        assert f"ports {port} to {port + 2}" in str(refused)


def test_the_last_port_is_the_last() -> None:
    with ExitStack() as stack:
        with suppress(Refusal):
            stack.enter_context(listen("127.0.0.1", 65535, is_chosen=True))
        assert refusal("127.0.0.1", 65535, is_chosen=False).reason is Reason.PORT_TAKEN


@pytest.mark.parametrize("address", ["192.0.2.77", "no.such.host.invalid", "1.2.3.4.5", "x" * 255, "a..b"])
def test_an_address_that_is_not_ours_is_refused(address: str) -> None:
    assert refusal(address, 0).reason is Reason.CANNOT_LISTEN


def test_for_the_local_network_there_is_an_address_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "addresses_nearby", lambda: ("192.168.1.5",))
    with listen("0.0.0.0", 0, is_chosen=False) as sock:
        assert url_here(sock) == f"http://127.0.0.1:{port_of(sock)}"
        assert urls_nearby(sock) == (f"http://192.168.1.5:{port_of(sock)}",)
    with listen("127.0.0.1", 0, is_chosen=False) as sock:
        assert urls_nearby(sock) == ()


def test_addresses_nearby_are_never_this_machines_alone() -> None:
    assert all(not address.startswith("127.") for address in addresses_nearby())


def test_a_network_that_leads_nowhere_else_is_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoWay(socket.socket):
        def connect(self, _: object) -> None:
            raise OSError(101, "Network is unreachable")

    def found(*_: object) -> list[object]:
        return [(0, 0, 0, "", (host, 0)) for host in ("127.0.1.1", "10.1.2.3", "10.1.2.3")]

    monkeypatch.setattr(socket, "socket", NoWay)
    monkeypatch.setattr(socket, "getaddrinfo", found)
    assert addresses_nearby() == ("10.1.2.3",)


def test_ipv6_will_do() -> None:
    try:
        listener = listen("::1", 0, is_chosen=False)
    except Refusal:
        pytest.skip("this machine has no IPv6")
    with listener:
        assert url_here(listener) == f"http://[::1]:{port_of(listener)}"
        socket.create_connection(("::1", port_of(listener))).close()
    with listen("::", 0, is_chosen=False) as listener:
        socket.create_connection(("127.0.0.1", port_of(listener))).close()
