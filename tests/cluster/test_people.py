"""Those who simulate people notice what they are there to notice."""

import asyncio
import json
from copy import copy

import msgspec
import pytest

from tests.cluster.people import Guest, leaked
from tests.server.faults.crowd import Plan, crowd
from tests.server.faults.ledger import Kept, Ledger
from tests.server.harness import Host, with_server

FOR_TWO = (Plan((0, 1)),)
Played = tuple[list[Guest], Kept]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Two people whose game is over, and its record."""

    async def play(host: Host) -> Played:
        async with crowd(host, Ledger(), 1, FOR_TWO, Guest) as guests:
            await asyncio.gather(*(guest.play() for guest in guests))
            table = guests[0].table
            record = await guests[0].ask("GET", f"/api/tables/{table}/record")
            return guests, Kept({}, {}, {table: json.dumps(record).encode()})

    return with_server(play, tmp_path_factory.mktemp("people"))


def test_nobody_was_told_what_is_hidden_or_in_another_order(played: Played) -> None:
    guests, kept = played
    assert leaked(guests, kept) == []
    assert guests[0].ledger.gaps == 0


def test_whoever_hears_what_another_is_told_has_found_leaks(played: Played) -> None:
    (ada, bo), kept = played
    spy = copy(ada)
    spy.heard = [*ada.heard[:3], *bo.heard[3:]]
    assert leaked([spy, bo], kept) != []


@pytest.mark.parametrize("ply", [4, 6], ids=["told twice", "left out"])
def test_an_update_out_of_order_is_noticed(played: Played, ply: int) -> None:
    guest = copy(played[0][0])
    guest.ledger, guest.ply = Ledger(), 4
    guest.take_in(msgspec.json.encode({"type": "update", "table": guest.table, "ply": ply}))
    assert guest.ledger.gaps == 1
