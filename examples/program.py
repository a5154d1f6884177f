"""Plays wherever it has a seat, and knows no rules: python program.py SERVER TOKEN [LINK OF A TABLE]"""

import asyncio
import json
import random
import sys
from contextlib import suppress
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

server, token, *links = sys.argv[1:]
greeting = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}


def choose(view):
    """Cards sorted by value, each with the fewest dice and the least effort that claim it."""
    form, place = view["form"], []
    if form is None:  # An offer, not a claim.
        return {"do": "decline"}
    risks = [exhausted / chances for exhausted, chances in form["exhaustion"]]
    for slot in sorted((slot for slot in view["row"] if slot["card"]), key=worth, reverse=True):
        least, ready = form["least"][slot["slot"]], form["ready"] - sum(put["dice"] for put in place)
        ways = [(dice, -(-least // dice)) for dice in range(1, ready + 1)] if least else []
        costs = [(dice * (0.2 + 2 * risks[effort - 1]), dice, effort) for dice, effort in ways if effort <= 6]
        if costs and min(costs)[0] < worth(slot) and not (place and form["one_card_only"]):
            place.append({"slot": slot["slot"], "dice": min(costs)[1], "effort": min(costs)[2]})
    return {"do": "claim", "place": place} if place else {"do": "recover"}


def worth(slot):
    """Coins, printed or expected; plus a little for what a Collector may pay."""
    odds = slot["card"]["odds"] or (1, 1, 1, 1)
    return 0.5 + (slot["card"]["value"] or sum(n * c for n, c in enumerate(odds, 1)) / sum(odds))


def ask(method, path, body=None, **headers):
    try:
        return json.load(urlopen(Request(f"{server}/api{path}", body, headers | greeting, method=method)))
    except HTTPError as refusal:
        print(json.load(refusal)["text"], flush=True)


def answers(told, watched):
    view, reason = told.get("view"), told.get("reason")
    for game in told.get("games", []):
        table, is_on = game["info"]["table"], game["info"]["status"] in ("open", "running")
        if is_on and any(game["info"]["seats"][seat]["taken_over"] for seat in game["seats"]):
            ask("POST", f"/tables/{table}/return")
        if is_on != (table in watched):
            watched ^= {table}
            yield {"type": "watch" if is_on else "unwatch", "table": table}
    if reason:
        print(reason["text"], flush=True)
    if view and view["actor"] == view["seat"] and (not reason or reason["code"] == "stale"):
        yield {"type": "act", "table": told["table"], "ply": told["ply"], "actions": [choose(view)]}


async def play():
    async for line in connect(server.replace("http", "ws", 1) + "/socket", additional_headers=greeting):
        watched = set()
        with suppress(ConnectionClosed):
            await line.send(json.dumps({"type": "follow", "games": True}))
            async for message in line:
                for answer in answers(json.loads(message), watched):
                    await line.send(json.dumps(answer))
        if line.close_code == 1008:
            sys.exit("The server does not want this program.")
        await asyncio.sleep(random.uniform(1, 3))


for link in links:  # SERVER/#/table/ID/INVITATION: a free seat there
    path, invite = "/tables/" + link.split("/")[-2], {"X-Table-Invite": link.split("/")[-1]}
    kinds = [seat["kind"] for seat in ask("GET", path, **invite)["info"]["seats"]]
    ask("POST", f"{path}/seats/{kinds.index('free')}", b"{}", **invite)
asyncio.run(play())
