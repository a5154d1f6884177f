"""Standing orders at a real server: carried out once, as ordinary moves, and known to nobody else."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest

from royalcrypt.live import registry
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Moved, decode_entry
from tests.server.harness import Host, Json, Person, catch_up, people, run, seated, serving, with_server
from tests.server.registries import Hands
from tests.server.wire.worlds import Tokens

RECOVER: Json = {"do": "recover"}
AT_ONCE: Json = {"when": "always", "action": RECOVER}


def claim(slot: int, dice: int, effort: int) -> Json:
    return {"do": "claim", "place": [{"slot": slot, "dice": dice, "effort": effort}]}


def orders_of(table: str, seat: int) -> str:
    return f"/api/tables/{table}/seats/{seat}/orders"


async def give(giver: Person, table: str, seat: int, *orders: Json, **options: Any) -> Json:
    return await giver.ask("PUT", orders_of(table, seat), {"round": 1, "orders": orders}, **options)


async def moves_at(host: Host, table: str) -> list[tuple[int, str, bool]]:
    entries = [decode_entry(line) for line in await host.service.journal.entries(table)]
    return [(entry.seat, entry.move, entry.is_bots) for entry in entries if isinstance(entry, Moved)]


def test_an_order_is_carried_out_when_its_case_comes_about(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)
            await ada.act(table, claim(0, 1, 2))
            pushed = {"when": "pushed_off", "slot": 0, "action": claim(1, 1, 3)}
            told = await give(ada, table, 0, pushed, AT_ONCE)
            assert [order["objection"] for order in told["orders"]] == [None, None]
            assert [order["is_so"] for order in told["orders"]] == [False, True]
            await catch_up(bo, ada.ply)
            await bo.act(table, claim(0, 1, 3))
            await catch_up(bo, bo.ply + 1)
            assert (await moves_at(host, table))[-1] == (0, "2:1x3", False)
            after = await ada.ask("GET", orders_of(table, 0))
            assert after["orders"] == []
            assert [done["round"] for done in after["done"]] == [1]

    with_server(test, tmp_path)


def test_who_has_no_order_that_fits_is_asked_as_usual(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)
            too_low = {"when": "always", "action": claim(0, 1, 2)}
            never = {"when": "free", "slot": 0, "action": RECOVER}
            told = await give(bo, table, 1, too_low, never)
            assert [order["objection"] for order in told["orders"]] == [None, None]
            await ada.act(table, claim(0, 1, 2))
            await catch_up(bo, ada.ply)
            for _ in range(2):
                await host.service.standing_orders.sweep()
            assert len(await moves_at(host, table)) == 1
            assert (await bo.ask("GET", orders_of(table, 1)))["orders"][0]["objection"]["code"] == (
                "effort_too_low"
            )
            assert (await bo.act(table, claim(0, 1, 3)))["type"] == "update"
            assert (await bo.ask("GET", orders_of(table, 1)))["orders"] == [], "a move by hand ends them"

    with_server(test, tmp_path)


def test_orders_survive_a_restart_and_are_carried_out_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with contextlib.AsyncExitStack() as stack:
            host = await stack.enter_async_context(serving(tmp_path, bot_pause=600.0))
            two = await stack.enter_async_context(people(host, 2))
            table = await seated(two, leader=0)
            cookies = two[1].http.cookies
            await give(two[1], table, 1, AT_ONCE)
            await two[0].act(table, claim(0, 1, 2))
            await host.service.standing_orders.sweep()
            assert len(await moves_at(host, table)) == 1, "it takes its time"
        async with serving(tmp_path) as host:
            await asyncio.gather(*(host.service.standing_orders.sweep() for _ in range(3)))
            await host.service.standing_orders.sweep()
            assert await moves_at(host, table) == [(0, "1:1x2", False), (1, "recover", False)]
            async with host.client(cookies=cookies) as http:
                found = (await http.get(orders_of(table, 1))).json()
            assert (found["orders"], len(found["done"])) == ([], 1)

    run(test())


def test_orders_that_were_withdrawn_are_not_carried_out(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)
            await give(bo, table, 1, AT_ONCE)
            assert (await bo.ask("DELETE", orders_of(table, 1)))["orders"] == []
            await ada.act(table, RECOVER)
            await host.service.standing_orders.sweep()
            assert len(await moves_at(host, table)) == 1

    with_server(test, tmp_path)


def test_orders_are_carried_out_well_before_the_time_runs_out(tmp_path: Path) -> None:
    hands = Hands()

    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            clock = {"kind": "live", "move": 10, "bank": 0}
            table = await seated(two, leader=0, clock=clock)
            await give(bo, table, 1, AT_ONCE)
            await ada.act(table, RECOVER)
            await host.service.standing_orders.sweep()
            assert len(await moves_at(host, table)) == 1
            hands.turn(5)
            host.service.heartbeats._beaten = hands.now
            await host.service.sweep()
            assert await moves_at(host, table) == [(0, "recover", False), (1, "recover", False)]

    with_server(test, tmp_path, clock=hands, bot_pause=100.0)


def test_bad_orders_are_refused_with_a_reason(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)

            async def code(someone: Person, seat: int, *orders: Json, number: int = 1) -> str:
                answer = await someone.http.put(
                    orders_of(table, seat), json={"round": number, "orders": orders}
                )
                assert answer.status_code in (400, 403, 409)
                return answer.json()["code"]

            assert await code(ada, 0, AT_ONCE) == "orders_at_turn"
            assert await code(bo, 0, AT_ONCE) == "not_your_seat"
            assert await code(bo, 1, AT_ONCE, number=2) == "other_round"
            assert await code(bo, 1, *[AT_ONCE] * 9) == "too_many"
            assert await code(bo, 1, {"when": "held", "action": RECOVER}) == "wrong_order"
            assert await code(bo, 1, {"when": "always", "action": {"do": "peek"}}) == "wrong_order"
            assert await code(bo, 1, {"when": "always", "action": claim(3, 1, 1)}) == "no_such_card"
            assert await code(bo, 1, {"when": "always", "action": claim(0, 1, 7)}) == "not_a_message"
            assert (await bo.ask("GET", orders_of(table, 1)))["orders"] == []

    with_server(test, tmp_path)


def test_a_check_keeps_nothing(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)
            await ada.act(table, claim(0, 1, 3))
            low = {"when": "always", "action": claim(0, 1, 2)}
            await ada.act(table, RECOVER, seat=0)
            body = {"round": 1, "orders": [low, AT_ONCE]}
            refused = await bo.ask("POST", orders_of(table, 1) + "/check", body, status=409)
            assert refused["code"] == "orders_at_turn"
            checked = await ada.post(orders_of(table, 0) + "/check", body)
            assert checked["turns_left"] == 1
            assert checked["orders"][0]["objection"]["code"] == "own_card"
            assert (await ada.ask("GET", orders_of(table, 0)))["orders"] == []

    with_server(test, tmp_path)


def test_somebody_who_is_gone_seems_to_come_by_and_move(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)
            await give(bo, table, 1, AT_ONCE)
            await bo.disconnect()
            while (await ada.hear("presence"))["present"] != [True, False]:
                pass
            await ada.act(table, RECOVER)
            assert (await ada.hear("presence", "update"))["present"] == [True, True], "before the move"
            assert (await ada.hear("presence", "update"))["type"] == "update"
            assert (await ada.hear("presence"))["present"] == [True, False]

    with_server(test, tmp_path, bot_pause=0.3)


def told_to(others: list[Person], giver: Person) -> list[bytes]:
    """All that came over the others' sockets, with one and the same word for each person's id."""
    raw = b"\n".join(message for other in others for message in other.received)
    for number, someone in enumerate((giver, *others)):
        raw = raw.replace(someone.id.encode(), b"person-%d" % number)
    return raw.split(b"\n")


async def asked(others: list[Person], giver: Person, table: str) -> list[bytes]:
    paths = [f"/api/tables/{table}", f"/api/tables/{table}/record", "/api/me/games", "/api/tables"]
    answers = [await other.http.get(path) for other in others for path in paths]
    raw = b"\n".join(answer.content for answer in answers)
    for number, someone in enumerate((giver, *others)):
        raw = raw.replace(someone.id.encode(), b"person-%d" % number)
    return raw.split(b"\n")


async def heard_with(data: Path, *, by_order: bool, when: str = "always") -> list[bytes]:
    """What a rival and a spectator hear and read while somebody moves, by hand or by order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "secrets", Tokens("5a" * 32, "the-invitation"))
        patch.setattr(registry, "secrets", Tokens("the-table-01"))
        async with serving(data, clock=Hands()) as host, people(host, 3) as (giver, rival, spectator):
            table = await seated([giver, rival], leader=0, is_listed=True)
            others = [rival, spectator]
            await spectator.watch(table)
            for other in others:
                await other.tell(type="follow", lobby=True, games=True)
            await host.service.flush()
            for other in (giver, *others):
                await other.tell(type="ping")
                other.received.clear()
            await giver.act(table, claim(0, 1, 2))
            if by_order:
                await give(giver, table, 0, {"when": when, "action": claim(1, 1, 3)})
            await catch_up(rival, giver.ply)
            await rival.act(table, claim(2, 1, 1))
            if by_order:
                await giver.ask("GET", orders_of(table, 0))
            before = await asked(others, giver, table) if when != "always" else []
            await catch_up(giver, rival.ply)
            if by_order and when == "always":
                await catch_up(giver, rival.ply + 1)
            else:
                await host.service.sweep()  # finds no order that fits
                await giver.act(table, claim(1, 1, 3))
            await host.service.flush()
            for other in others:
                await catch_up(other, giver.ply)
                await other.tell(type="ping")
            return before + told_to(others, giver) + await asked(others, giver, table)


@pytest.mark.parametrize("when", ["always", "pushed_off"])
def test_others_cannot_tell_an_order_from_a_move_by_hand(tmp_path: Path, when: str) -> None:
    """Whether one is carried out, or none fits: not a byte differs."""
    by_hand = run(heard_with(tmp_path / "by hand", by_order=False, when=when))
    by_order = run(heard_with(tmp_path / "by order", by_order=True, when=when))
    assert any(b'"2:1x3"' in raw or b'"effort":3' in raw for raw in by_hand)
    assert by_hand == by_order


def test_the_comparison_would_notice_an_order_that_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_hand = run(heard_with(tmp_path / "by hand", by_order=False))
    act = commands.act

    def shows(*arguments: Any, now: int, **more: Any) -> Any:
        entry = act(*arguments, now=now, **more)
        return Moved(now, entry.seat, entry.move, is_bots=True) if isinstance(entry, Moved) else entry

    monkeypatch.setattr("royalcrypt.live.standing_orders.commands.act", shows)
    assert run(heard_with(tmp_path / "by order", by_order=True)) != by_hand
