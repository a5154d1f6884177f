"""Every route with its largest allowed input."""

import json
import random
from typing import Any

from benchmarks.blocking.state import WIDE
from benchmarks.blocking.visit import CASES, Ask, Case, Json, Visit, case, of
from royalcrypt.live.wire.finished_games import MAX_EVENTS, MAX_MOVES
from royalcrypt.server.http.analyses import MAX_LINE_BYTES
from royalcrypt.server.http.replays import MAX_RECORD_SIZE
from tests.server.harness import any_action

LONG_NAME = WIDE + "\u0301" * 3


def plain(route: str, what: str, path: str = "", *, is_host: bool = False) -> None:
    """Register a request without a body; braces in its path are replaced by what a rich person has."""
    method, _, pattern = route.partition(" ")

    async def prepare(visit: Visit, number: int) -> Ask:
        one = visit.rich(number)
        found = (path or pattern).format(
            table_id=one.over[number], seat=0, duplicate_id=one.duplicate, day=visit.world.today
        )
        return Ask(method, found, headers=visit.host if is_host else of(one))

    CASES.append(Case(route, what, prepare))


plain("GET /", "")
plain("GET /{file_path}", "the largest file", "/{{largest_file}}")
plain("GET /health", "")
plain("GET /metrics", "")
plain("GET /api/schema/openapi.json", "")
plain("GET /api/schema/socket.json", "")
plain("GET /api/bots", "")
plain("GET /api/tables", "10,000 tables listed")
plain("GET /api/lobby", "10,000 tables listed")
plain("GET /api/tables/{table_id}", "finished game, not in memory")
plain("GET /api/tables/{table_id}/record", "finished game, not in memory")
plain(
    "GET /api/tables/{table_id}/replay",
    "finished game, all cards open",
    "/api/tables/{table_id}/replay?viewer=all",
)
plain("GET /api/tables/{table_id}/memo", "finished game, not in memory")
plain("GET /api/me", "")
plain("GET /api/me/data", "10,000 chat lines of 300 characters, 1,000 games")
plain("GET /api/me/history", "1,000 games")
plain("GET /api/me/statistics", "1,000 games")
plain("GET /api/me/games", "45 running and 200 finished tables")
plain("GET /api/me/records", "1,000 games")
plain("GET /api/me/recovery", "")
plain("GET /api/me/address", "")
plain("GET /api/me/programs", "")
plain("GET /api/daily", "100 days")
plain("GET /api/daily/{day}", "5,000 people have played")
plain("GET /api/duplicates", "50 duplicates")
plain("GET /api/duplicates/{duplicate_id}", "16 finished tables, not in memory")
plain("GET /mail/confirm", "", "/mail/confirm?key=" + "x" * 32)
plain("POST /mail/confirm", "", "/mail/confirm?key=" + "x" * 32)
plain("GET /mail/stop", "", "/mail/stop?key=" + "x" * 32)
plain("POST /mail/stop", "", "/mail/stop?key=" + "x" * 32)
plain("GET /api/host", "10,000 tables", is_host=True)
plain("GET /api/host/people", "10,000 people", is_host=True)
plain("GET /api/host/tables", "10,000 tables", is_host=True)
plain("GET /api/host/export", "10,000 people and tables, 3,000 records, 30,000 chat lines", is_host=True)


# People


@case("POST /api/me", "longest name")
async def begin(_: Visit, __: int) -> Ask:
    return Ask("POST", "/api/me", {"name": LONG_NAME * 6})


@case("PATCH /api/me", "longest name, 45 tables")
async def rename(visit: Visit, number: int) -> Ask:
    one = visit.rich(number)
    return Ask("PATCH", "/api/me", {"name": one.name}, of(one))


@case("DELETE /api/me", "45 running and 1,000 finished tables, 10,000 chat lines", repeats=3, is_last=True)
async def leave_for_good(visit: Visit, number: int) -> Ask:
    one = visit.rich(-1 - number)
    return Ask("DELETE", "/api/me", {"name": one.name}, of(one))


@case("DELETE /api/me/device", "")
async def sign_out(visit: Visit, number: int) -> Ask:
    return Ask("DELETE", "/api/me/device", headers=visit.other(50 + number))


@case("POST /api/me/codes", "")
async def make_code(visit: Visit, number: int) -> Ask:
    return Ask("POST", "/api/me/codes", headers=of(visit.rich(number)))


@case("POST /api/sign-in", "longest code")
async def sign_in(visit: Visit, number: int) -> Ask:
    made = await visit.ask(await make_code(visit, number))
    return Ask("POST", "/api/sign-in", {"code": made["code"] + " " * 20})


@case("POST /api/me/recovery", "")
async def make_phrase(visit: Visit, number: int) -> Ask:
    return Ask("POST", "/api/me/recovery", headers=of(visit.rich(number)))


@case("POST /api/sign-in/phrase", "longest phrase")
async def recover(visit: Visit, number: int) -> Ask:
    made = await visit.ask(await make_phrase(visit, number))
    return Ask("POST", "/api/sign-in/phrase", {"phrase": made["phrase"].ljust(200)})


@case("PUT /api/me/address", "longest address")
async def give_address(visit: Visit, number: int) -> Ask:
    body = {"address": "x" * 64 + "@" + "x." * 90 + "example"}
    return Ask("PUT", "/api/me/address", body, visit.other(number))


@case("DELETE /api/me/address", "")
async def forget_address(visit: Visit, number: int) -> Ask:
    return Ask("DELETE", "/api/me/address", headers=visit.other(number))


# Programs


@case("POST /api/me/programs", "longest name")
async def make_program(visit: Visit, number: int) -> Ask:
    return Ask("POST", "/api/me/programs", {"name": WIDE * 24}, visit.other(number))


@case("POST /api/me/programs/{program_id}/token", "")
async def renew(visit: Visit, number: int) -> Ask:
    program = await visit.program(number)
    return Ask("POST", f"/api/me/programs/{program}/token", headers=visit.other(number))


@case("DELETE /api/me/programs/{program_id}", "")
async def remove_program(visit: Visit, number: int) -> Ask:
    program = await visit.program(number)
    return Ask("DELETE", f"/api/me/programs/{program}", headers=visit.other(number))


@case("PUT /api/tables/{table_id}/seats/{seat}/program", "")
async def seat_program(visit: Visit, number: int) -> Ask:
    table, owner = await visit.open(number)
    program = await visit.program(number)
    return Ask(
        "PUT", f"/api/tables/{table}/seats/1/program", {"program": program, "entropy": "x" * 64}, owner
    )


# Tables


@case("POST /api/tables", "four seats on one screen, longest names, started")
async def open_table(visit: Visit, number: int) -> Ask:
    settings = {"players": 4, "collectors": "??????", "clock": {"kind": "live"}, "is_listed": True}
    body = {"settings": settings, "sit": [0, 1, 2, 3], "names": [LONG_NAME * 6] * 4, "entropy": "x" * 64}
    return Ask("POST", "/api/tables", body | {"start": True}, visit.other(number))


@case("POST /api/tables/{table_id}/seats/{seat}", "longest name; one of 16 tables of a duplicate")
async def sit(visit: Visit, number: int) -> Ask:
    body = {"tables": 16, "settings": {"players": 4}}
    made = await visit.ask(Ask("POST", "/api/duplicates", body, visit.other(number)))
    line = made["tables"][-1]
    body = {"name": LONG_NAME * 6, "entropy": "x" * 64}
    invite = {"X-Table-Invite": line["invite"]}
    return Ask("POST", f"/api/tables/{line['table']}/seats/0", body, visit.other(number + 20) | invite)


@case("DELETE /api/tables/{table_id}/seats/{seat}", "")
async def free(visit: Visit, number: int) -> Ask:
    table, owner = await visit.open(number)
    return Ask("DELETE", f"/api/tables/{table}/seats/2", headers=owner)


@case("PUT /api/tables/{table_id}/seats/{seat}/bot", "")
async def seat_bot(visit: Visit, number: int) -> Ask:
    table, owner = await visit.open(number)
    return Ask("PUT", f"/api/tables/{table}/seats/1/bot", {"level": "random"}, owner)


async def started(visit: Visit, number: int, **settings: Any) -> tuple[str, dict[str, str]]:
    """A running table of two people, each alone on a screen."""
    table, owner = await visit.open(number, settings={"players": 2, "bots": []} | settings)
    invite = {"X-Table-Invite": owner["X-Table-Invite"]}
    await visit.ask(Ask("POST", f"/api/tables/{table}/seats/1", {}, visit.other(number + 20) | invite))
    await visit.ask(Ask("POST", f"/api/tables/{table}/start", headers=owner))
    return table, owner


@case("POST /api/tables/{table_id}/seats/{seat}/hand-over", "")
async def hand_over(visit: Visit, number: int) -> Ask:
    table, owner = await started(visit, number, clock=None)
    return Ask("POST", f"/api/tables/{table}/seats/1/hand-over", headers=owner)


@case("POST /api/tables/{table_id}/start", "")
async def start(visit: Visit, number: int) -> Ask:
    table, owner = await visit.open(number)
    await visit.ask(Ask("PUT", f"/api/tables/{table}/seats/1/bot", {"level": "random"}, owner))
    return Ask("POST", f"/api/tables/{table}/start", headers=owner)


@case("POST /api/tables/{table_id}/leave", "running game, not in memory")
async def leave(visit: Visit, number: int) -> Ask:
    one = visit.rich(number)
    return Ask("POST", f"/api/tables/{one.running[-1 - number]}/leave", headers=of(one))


@case("POST /api/tables/{table_id}/return", "running game")
async def come_back(visit: Visit, number: int) -> Ask:
    one = visit.rich(number)
    table = one.running[-7 - number]
    await visit.ask(Ask("POST", f"/api/tables/{table}/leave", headers=of(one)))
    return Ask("POST", f"/api/tables/{table}/return", headers=of(one))


@case("POST /api/tables/{table_id}/close", "")
async def close(visit: Visit, number: int) -> Ask:
    table, owner = await visit.open(number)
    return Ask("POST", f"/api/tables/{table}/close", headers=owner)


@case("POST /api/tables/{table_id}/rematch", "finished game of four, not in memory", repeats=3)
async def rematch(visit: Visit, number: int) -> Ask:
    one = visit.rich(number)
    return Ask("POST", f"/api/tables/{one.over[20 + number]}/rematch", {"entropy": "x" * 64}, of(one))


# Records


def padded(record: Json, size: int) -> bytes:
    """A record with as many small objects beside it as fit."""
    whole = json.dumps({"x": []} | record, ensure_ascii=False).encode()
    room = (size - len(whole) - 10) // len(b'{"":{}},')
    return whole.replace(b'"x": []', b'"x": [' + b",".join([b'{"":{}}'] * room) + b"]", 1)


@case("POST /api/replay", "512 KiB beside a finished game")
async def replay(visit: Visit, _: int) -> Ask:
    return Ask("POST", "/api/replay?viewer=all", padded(visit.world.record, MAX_RECORD_SIZE))


@case("POST /api/replay", "500 events, the last ones of no game")
async def replay_of_many(visit: Visit, _: int) -> Ask:
    events = (visit.world.record["events"] * 5)[:MAX_EVENTS]
    numbered = [event | {"n": number} for number, event in enumerate(events)]
    found = padded(visit.world.record | {"events": numbered}, MAX_RECORD_SIZE)
    return Ask("POST", "/api/replay?viewer=all", found)


@case("POST /api/analysis", "512 KiB beside a finished game", repeats=4)
async def analysis(visit: Visit, _: int) -> Ask:
    return Ask("POST", "/api/analysis", padded(visit.world.record, MAX_RECORD_SIZE))


@case("GET /api/tables/{table_id}/analysis", "finished game, not in memory", repeats=4)
async def analysis_of_table(visit: Visit, number: int) -> Ask:
    one = visit.rich(number)
    return Ask("GET", f"/api/tables/{one.over[40 + number]}/analysis", headers=of(one))


async def longest_line(visit: Visit) -> Json:
    """A line from the first move to the last."""
    if visit.line is None:
        one, chance = visit.rich(0), random.Random(1)
        asked: Json = {"move": 0, "seat": 0, "level": "random"}
        while True:
            path = f"/api/tables/{one.over[0]}/line"
            played = await visit.ask(Ask("POST", path, asked, of(one)))
            if played["result"] is not None:
                break
            action = any_action(played["view"], chance)
            visit.line = asked = asked | {"line": played["line"], "actions": [action]}
    return visit.line


@case("POST /api/tables/{table_id}/line", "a whole game")
async def line(visit: Visit, _: int) -> Ask:
    one = visit.rich(0)
    return Ask("POST", f"/api/tables/{one.over[0]}/line", await longest_line(visit), of(one))


@case("POST /api/line", "a whole game and 512 KiB beside it")
async def line_of_record(visit: Visit, _: int) -> Ask:
    found = await longest_line(visit)
    record = padded(visit.world.record, MAX_RECORD_SIZE).decode()
    return Ask("POST", "/api/line", (json.dumps(found)[:-1] + f', "record": {record}}}').encode())


@case("POST /api/line", "200 moves of 100 characters")
async def longest_refused_line(visit: Visit, _: int) -> Ask:
    moves = [{"seat": 0, "move": "1:2x3 4:1x5 " * 8}] * MAX_MOVES
    body = {"move": 0, "seat": 0, "level": "random", "line": moves, "record": visit.world.record}
    found = json.dumps(body).encode()
    return Ask("POST", "/api/line", found[: MAX_LINE_BYTES + MAX_RECORD_SIZE])


# The daily crypt and duplicates


@case("POST /api/daily/{day}", "5,000 people have played")
async def daily(visit: Visit, number: int) -> Ask:
    return Ask("POST", f"/api/daily/{visit.world.today}", headers=visit.other(number))


@case("POST /api/duplicates", "16 tables")
async def open_duplicate(visit: Visit, number: int) -> Ask:
    settings = {"players": 4, "collectors": "??????", "clock": {"kind": "days"}}
    return Ask("POST", "/api/duplicates", {"tables": 16, "settings": settings}, visit.other(40 + number))


@case("POST /api/duplicates/{duplicate_id}/end", "16 tables")
async def end_duplicate(visit: Visit, number: int) -> Ask:
    made = await visit.ask(await open_duplicate(visit, number))
    return Ask("POST", f"/api/duplicates/{made['duplicate']}/end", headers=visit.other(40 + number))


# Notes and standing orders


@case("PUT /api/tables/{table_id}/memo", "8,000 characters, cut to 2,000")
async def write_memo(visit: Visit, number: int) -> Ask:
    one = visit.rich(number)
    path = f"/api/tables/{one.over[60 + number]}/memo"
    return Ask("PUT", path, {"text": "\x01" * 1000 + WIDE * 2000}, of(one))


async def orders(visit: Visit, number: int) -> tuple[str, dict[str, str], Json]:
    """The longest list of orders, of a seat that is not to move."""
    one = visit.rich(number)
    table = one.running[number]
    info = (await visit.ask(Ask("GET", f"/api/tables/{table}", headers=of(one))))["info"]
    seat = 1 if info["actor"] == 0 else 0
    cookie = {"Cookie": one.friends[0]} if seat else of(one)
    whens = ("pushed_off", "not_pushed_off", "always")
    orders = [{"when": whens[each % 3], "action": {"do": "recover"}} for each in range(8)]
    body = {"round": info["round"], "orders": orders}
    return f"/api/tables/{table}/seats/{seat}/orders", cookie, body


@case("GET /api/tables/{table_id}/seats/{seat}/orders", "8 orders")
async def find_orders(visit: Visit, number: int) -> Ask:
    path, who, body = await orders(visit, number)
    await visit.ask(Ask("PUT", path, body, who))
    return Ask("GET", path, headers=who)


@case("PUT /api/tables/{table_id}/seats/{seat}/orders", "8 orders")
async def give_orders(visit: Visit, number: int) -> Ask:
    path, who, body = await orders(visit, number)
    return Ask("PUT", path, body, who)


@case("DELETE /api/tables/{table_id}/seats/{seat}/orders", "8 orders")
async def withdraw_orders(visit: Visit, number: int) -> Ask:
    path, who, body = await orders(visit, number)
    await visit.ask(Ask("PUT", path, body, who))
    return Ask("DELETE", path, headers=who)


@case("POST /api/tables/{table_id}/seats/{seat}/orders/check", "8 orders")
async def check_orders(visit: Visit, number: int) -> Ask:
    path, who, body = await orders(visit, number)
    return Ask("POST", f"{path}/check", body, who)


# The host


@case("PUT /api/host/people/{person_id}/mute", "")
async def mute(visit: Visit, number: int) -> Ask:
    return Ask("PUT", f"/api/host/people/person{number:06}/mute", {"on": True}, visit.host)


@case("PUT /api/host/people/{person_id}/kick", "45 running tables, not in memory", repeats=3, is_last=True)
async def kick(visit: Visit, number: int) -> Ask:
    person = visit.rich(number).friend_ids[0]
    return Ask("PUT", f"/api/host/people/{person}/kick", {"on": True}, visit.host)


@case("POST /api/host/tables/{table_id}/close", "running game, not in memory")
async def close_by_host(visit: Visit, number: int) -> Ask:
    one = visit.rich(number)
    return Ask("POST", f"/api/host/tables/{one.running[-14 - number]}/close", headers=visit.host)


@case("PUT /api/host/rules", "")
async def set_rules(visit: Visit, _: int) -> Ask:
    return Ask("PUT", "/api/host/rules", {"is_invite_only": False}, visit.host)


@case("POST /api/host/invitation", "")
async def renew_invitation(visit: Visit, _: int) -> Ask:
    return Ask("POST", "/api/host/invitation", None, visit.host)


@case("PUT /api/host/notice", "500 characters to everybody")
async def set_notice(visit: Visit, number: int) -> Ask:
    return Ask("PUT", "/api/host/notice", {"text": WIDE * 499 + str(number)}, visit.host)
