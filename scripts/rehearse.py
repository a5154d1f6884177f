"""Carry out what Dockerfile and compose.yaml say without containers, and play through the proxy.

python scripts/rehearse.py [--short]

The same commands, settings, health checks and proxy configuration run as processes of this machine, with the
system's PostgreSQL, Redis and nginx. --short runs the program as it is here, and does not build the image's
files first.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.deploy.rehearsal import PLACE, Rehearsal, Site
from tests.server.harness import Person, person, play_on, seated

MOVES = 12
LONGEST_BOT = 60.0
"""Seconds for a bot to move, on a machine that is busy with other things."""
RESTARTING = 1012
FAREWELL = 2.0
"""Seconds until everybody has heard that a server has gone, however busy the machine."""
SOCKETS, THOUGHTS = "royalcrypt_connections", 'royalcrypt_thoughts_total{where="elsewhere"}'


async def play(rehearsal: Rehearsal, site: Site) -> None:
    chance = random.Random(8642)
    async with AsyncExitStack() as stack:
        await look_around(rehearsal, site)
        three: list[Person] = []
        for name in ("Ada", "Bo", "Cleo"):
            someone = await stack.enter_async_context(person(site, name, is_connected=False))
            await someone.connect(ssl=site.trust)
            three.append(someone)
        rehearsal.note(f"three sockets through the proxy, by server: {await figures(rehearsal, SOCKETS)}")
        table = await seated(three)
        moves = await play_on(three, table, chance, most=MOVES)
        rehearsal.note(f"{moves} moves over wss, each heard by all three")
        await restart_one(rehearsal, site, three, table)
        moves = await play_on(three, table, chance)
        rehearsal.note(f"{moves} more moves, to the end of the game")
        await check_record(three[0], table)
        rehearsal.note("the record passes the check of its rules and its chance")
        await play_a_bot(rehearsal, three[0], chance)
        rehearsal.check_machine_code()


async def look_around(rehearsal: Rehearsal, site: Site) -> None:
    async with site.client() as http:
        home = await http.get("/")
        assert home.status_code == 200
        assert rehearsal.is_short or "/assets/" in home.text, "the page is not in the image"
        assert "Strict-Transport-Security" in home.headers
        assert (await http.get("/metrics")).status_code == 404
        sent_on = await http.get(f"http://{PLACE}:{rehearsal.proxy.http}/x?y=1")
        assert (sent_on.status_code, sent_on.headers["Location"]) == (308, f"{site.url}/x?y=1")
    rehearsal.note("home by https with its headers; http is sent on; figures are kept inside")


async def figures(rehearsal: Rehearsal, name: str) -> list[int]:
    """Of each server, as it tells those who ask from inside; 0 where nothing has been counted yet."""
    found: list[int] = []
    async with httpx.AsyncClient(verify=False) as http:
        for server in rehearsal.ours["server"]:
            if server.process is not None:
                text = (await http.get(f"http://{PLACE}:{server.port}/metrics")).text
                lines = [line.split() for line in text.splitlines() if line.startswith(f"{name} ")]
                found.append(int(float(lines[0][1])) if lines else 0)
    return found


async def restart_one(rehearsal: Rehearsal, site: Site, three: list[Person], table: str) -> None:
    """As in an upgrade: one server after another, and people go on at the others."""
    server = rehearsal.ours["server"][0]
    await asyncio.to_thread(rehearsal.tell_end, "server 1", server)
    await asyncio.sleep(FAREWELL)
    gone = [each for each in three if each.socket and each.socket.close_code is not None]
    for each in gone:
        assert each.socket
        assert each.socket.close_code == RESTARTING, each.socket.close_code
        await each.connect(ssl=site.trust)
        await each.watch(table)
    left = await figures(rehearsal, SOCKETS)
    rehearsal.note(f"{len(gone)} were sent away with {RESTARTING} and came back elsewhere: {left}")
    await asyncio.to_thread(server.start)
    rehearsal.note("server 1 is healthy again")


async def check_record(someone: Person, table: str) -> None:
    from royalcrypt.cli import main

    answer = await someone.http.get(f"/api/tables/{table}/record")
    assert answer.status_code == 200, answer.text
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.json"
        record.write_text(answer.text, "utf-8")
        for command in ("check", "verify"):
            assert await asyncio.to_thread(main, [command, str(record)]) == 0


async def play_a_bot(rehearsal: Rehearsal, someone: Person, chance: random.Random) -> None:
    level = "greedy" if rehearsal.is_short else "regent"
    opened = await someone.open_table(players=2)
    table = opened["info"]["table"]
    await someone.ask("PUT", f"/api/tables/{table}/seats/1/bot", {"level": level})
    await someone.post(f"/api/tables/{table}/start")
    await someone.watch(table)
    async with asyncio.timeout(LONGEST_BOT):
        moves = await play_on([someone], table, chance, most=3)
    elsewhere = sum(await figures(rehearsal, THOUGHTS))
    assert elsewhere, "no bot-worker has thought for a server"
    rehearsal.note(f"{moves} moves against the bot {level}; bot-workers thought of {elsewhere} answers")


def tell(words: str) -> None:
    print(words, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="do not build the image's files")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="royalcrypt-rehearsal-") as folder, ExitStack() as stack:
        rehearsal = Rehearsal(Path(folder), stack, tell, is_short=arguments.short)
        site = rehearsal.start(rehearsal.build())
        asyncio.run(play(rehearsal, site))
        rehearsal.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
