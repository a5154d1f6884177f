"""REST takes what it is given at its word, as the socket does: nothing is guessed, nothing is cut."""

from pathlib import Path
from typing import Any

from royalcrypt.live.wire.commands import Fault
from royalcrypt.locales import catalogue
from tests.server.harness import Host, Json, person, with_server

TABLES: dict[str, Json] = {
    "a number as text": {"settings": {"players": "1"}},
    "a number with a fraction": {"settings": {"players": 1.5}},
    "too many players": {"settings": {"players": 5}},
    "a switch as text": {"start": "true"},
    "a switch as a number": {"start": 1},
    "nothing for something": {"settings": {"is_listed": None}},
    "a seat as text": {"sit": ["0"]},
    "one seat instead of a list": {"sit": 0},
    "more seats than there can be": {"sit": [0, 1, 2, 3, 0]},
    "a clock of no kind": {"settings": {"clock": {"days": 2}}},
    "a clock of another kind": {"settings": {"clock": {"kind": "days", "move": 30}}},
    "a leader by name": {"settings": {"leader": "Ada"}},
    "a Collector that is none": {"settings": {"collectors": "AAAAAC"}},
    "Collectors and a line feed": {"settings": {"collectors": "AAAAAA\n"}},
    "entropy that must be escaped": {"entropy": "a|b"},
    "entropy and a line feed": {"entropy": "a\n"},
    "endless entropy": {"entropy": "a" * 65},
    "a field nobody knows": {"secret": "00"},
}


def test_a_table_that_is_not_described_exactly_is_not_opened(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            for words, body in TABLES.items():
                answer = await ada.http.post("/api/tables", json=body)
                assert (answer.status_code, answer.json()["code"]) == (400, "not_a_message"), words
            assert await host.service.journal.count_in_progress() == 0

    with_server(test, tmp_path)


PLACES = (
    ("GET", "/api/tables/short", 400),
    ("GET", f"/api/tables/{'a' * 33}", 400),
    ("GET", "/api/tables/never-was1%0A", 400),
    ("GET", "/api/tables/never%20was", 400),
    ("GET", "/api/tables/never-was1", 404),
    ("DELETE", "/api/tables/never-was1/seats/4", 400),
    ("DELETE", "/api/tables/never-was1/seats/-1", 400),
    ("DELETE", "/api/tables/never-was1/seats/one", 404),
    ("DELETE", "/api/tables/never-was1/seats/1", 404),
)


def test_an_address_that_no_table_could_have_is_refused_as_such(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            for method, path, status in PLACES:
                assert (await ada.http.request(method, path)).status_code == status, path
            for invite, status in (("", 400), ("a" * 65, 400), ("a", 404)):
                headers = {"X-Table-Invite": invite}
                answer = await ada.http.get("/api/tables/never-was1", headers=headers)
                assert answer.status_code == status, invite

    with_server(test, tmp_path)


FAULTS: tuple[tuple[dict[str, Any], Json], ...] = (
    ({"json": {"name": 7}}, {"why": "wrong", "field": "$.name"}),
    ({"json": {"name": "Ada", "age": 7}}, {"why": "unknown", "field": "$.age"}),
    ({"json": ["Ada"]}, {"why": "wrong", "field": "$"}),
    ({"content": b"{", "headers": {"Content-Type": "application/json"}}, {"why": "not_json"}),
    ({"content": b"\xff", "headers": {"Content-Type": "application/json"}}, {"why": "not_json"}),
    ({"content": b"name=Ada", "headers": {"Content-Type": "text/plain"}}, {"why": "not_json"}),
)


def test_faults_are_told_by_code_and_place_so_that_every_language_has_its_own_words(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada, host.client() as http:
            for sent, details in FAULTS:
                told = (await http.post("/api/me", **sent)).json()
                assert (told["code"], told["details"]) == ("not_a_message", details)
            assert (await http.delete("/api/bots")).json()["details"] == {"why": "method"}
            told = (await ada.http.get("/api/tables/short")).json()
            assert told["details"] == {"why": "wrong", "field": "table_id"}

    with_server(test, tmp_path)


def test_every_fault_has_words() -> None:
    assert {f"reason.not_a_message.{fault}" for fault in Fault} <= catalogue().keys()


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with host.client() as http:
            headers = {"Content-Type": "application/json"}
            empty = (await http.post("/api/me", headers=headers)).json()
            assert empty["details"] == {"why": "missing", "field": "data"}
            half = (await http.post("/api/me", json={})).json()
            assert half["details"] == {"why": "missing", "field": "$.name"}
            assert half["text"] == "This message was not understood: $.name is missing."

    with_server(test, tmp_path)
