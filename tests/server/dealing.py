"""Tables whose cards and dice are the same every time, so that tests reach what seldom comes up."""

import random
from typing import Any

import msgspec

from royalcrypt.rules import actions as codes
from royalcrypt.tables import commands
from royalcrypt.tables.settings import TableSettings
from tests.server.harness import Host, Json, Person, action_of, catch_up
from tests.tables.leading import SECRET

ANY_TIME = "AABAAA"
"""Manuscript B to peek with, Remains A to mend with: both at any time (R9.1)."""


async def dealt(host: Host, someone: list[Person], **settings: Any) -> str:
    """A running table for these people in this order, watched by all, whose secret tests know."""
    chosen = {"players": len(someone), "leader": 0} | settings
    opened = commands.open_table(
        msgspec.convert(chosen, TableSettings), someone[0].id, now=host.service.tables.now()
    )
    opened = msgspec.structs.replace(opened, secret=SECRET)
    table = (await host.service.tables.open(opened)).id
    for seat, each in enumerate(someone):
        invite = {"X-Table-Invite": opened.invite}
        await each.post(f"/api/tables/{table}/seats/{seat}", {"entropy": each.name}, headers=invite)
    await someone[0].post(f"/api/tables/{table}/start")
    for each in someone:
        await each.watch(table)
    return table


AT_ANY_TIME = (codes.PEEK, codes.MEND)


def any_time_action(view: Json) -> Json | None:
    """What a seat may do now whosever turn it is."""
    for code in AT_ANY_TIME:
        if code in view["actions"]:
            return action_of(view, code, random.Random(0))
    return None


async def until_any_time(someone: list[Person], table: str, *seats: int, seed: int = 3) -> None:
    """Play until seat 0 is to claim, and each of these seats can do something at any time."""
    chance = random.Random(seed)
    while (view := someone[0].view)["phase"] != "over":
        is_claiming = view["actor"] == 0 and view["phase"] == "claim"
        if is_claiming and all(any_time_action(someone[seat].view) for seat in seats):
            return
        mover = someone[view["actor"]]
        codes_left = [code for code in mover.view["actions"] if code not in AT_ANY_TIME]
        answer = await mover.act(table, action_of(mover.view, chance.choice(codes_left), chance))
        await all_caught_up(someone, answer["ply"])
    raise AssertionError("it never came to that")


async def all_caught_up(someone: list[Person], ply: int) -> None:
    for each in someone:
        await catch_up(each, ply)
