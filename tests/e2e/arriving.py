"""Short cuts to where a test begins: names, tables and games by REST, as the page would ask for them."""

import random
from typing import Any

from royalcrypt.bots.warming import WarmUp
from royalcrypt.server.bots.analysis_process import AnalysisProcess
from tests.e2e.hosting import House
from tests.e2e.visiting import Visitor
from tests.server.harness import Host, any_action, person
from tests.server.sealed import play_alone

Json = dict[str, Any]


def ask(visitor: Visitor, path: str, body: Any = None) -> Json:
    answer = visitor.context.request.post(f"/api{path}", data=body if body is not None else {})
    assert answer.ok, answer.text()
    return answer.json() if answer.body() else {}


def introduce(visitor: Visitor, name: str) -> Visitor:
    ask(visitor, "/me", {"name": name})
    return visitor


def open_table(visitor: Visitor, *, start: bool = False, **settings: Any) -> Json:
    """Whoever opens it sits at its first seat."""
    return ask(visitor, "/tables", {"settings": settings, "sit": [0], "entropy": "07" * 16, "start": start})


def bots(count: int, level: str = "random") -> Json:
    return {
        "players": count + 1,
        "leader": 0,
        "bots": [{"seat": seat, "level": level} for seat in range(1, count + 1)],
    }


def play_bots(visitor: Visitor, count: int = 3, **settings: Any) -> str:
    """Into a running game against simple bots."""
    table = open_table(visitor, start=True, **(bots(count) | settings))["info"]["table"]
    visitor.go(f"/table/{table}")
    return table


def table_of(house: House, name: str = "Bo", **settings: Any) -> Json:
    """Somebody else's table, who sits there and waits."""

    async def invite(host: Host) -> Json:
        async with person(host, name, is_connected=False) as someone:
            return await someone.open_table(**settings)

    return house.ask(invite)


def waiting_for(visitor: Visitor, *, is_mine: bool = False, **settings: Any) -> str:
    """A running game of two in which somebody else, who is not there, is to decide; or the visitor is."""
    opened = open_table(visitor, players=2, leader=0 if is_mine else 1, **settings)
    table, link = opened["info"]["table"], {"X-Table-Invite": opened["you"]["invite"]}

    async def sit(host: Host) -> None:
        async with person(host, "Bo", is_connected=False) as bo:
            await bo.post(f"/api/tables/{table}/seats/1", {}, headers=link)

    visitor.house.ask(sit)
    ask(visitor, f"/tables/{table}/start")
    return table


def finished_game(visitor: Visitor, **settings: Any) -> str:
    """The visitor becomes somebody whose game is over; tells the table."""

    async def play(host: Host) -> tuple[str, dict[str, str]]:
        async with person(host, "Ada") as ada:
            table = (await ada.open_table(start=True, **settings))["info"]["table"]
            await ada.watch(table)
            chance = random.Random(1)
            while ada.view["phase"] != "over":
                if ada.view["actor"] == 0:
                    await ada.act(table, any_action(ada.view, chance))
                else:
                    await ada.hear("update")
            return table, dict(ada.http.cookies)

    table, cookies = visitor.house.ask(play)
    become(visitor, cookies)
    return table


def daily_tried(visitor: Visitor) -> None:
    """The visitor becomes somebody whose try at the day's crypt is over."""

    async def play(host: Host) -> dict[str, str]:
        async with person(host, "Ada") as ada:
            day = host.service.operations.daily.today
            await play_alone(ada, (await ada.post(f"/api/daily/{day}"))["info"]["table"], 1)
            return dict(ada.http.cookies)

    become(visitor, visitor.house.ask(play))


def duplicate_played(visitor: Visitor) -> str:
    """The visitor set one up, and both tables are done; tells its id."""

    async def play(host: Host) -> tuple[str, dict[str, str]]:
        async with person(host, "Ada") as ada, person(host, "Bo") as bo:
            made = await ada.post("/api/duplicates", {"tables": 2, "settings": {"players": 1}})
            for seed, (one, table) in enumerate(zip((ada, bo), made["tables"], strict=True)):
                path, link = f"/api/tables/{table['table']}", {"X-Table-Invite": table["invite"]}
                await one.post(f"{path}/seats/0", {}, headers=link)
                await one.post(f"{path}/start")
                await play_alone(one, table["table"], seed)
            return made["duplicate"], dict(ada.http.cookies)

    duplicate, cookies = visitor.house.ask(play)
    become(visitor, cookies)
    return duplicate


def become(visitor: Visitor, cookies: dict[str, str]) -> None:
    visitor.context.add_cookies(
        [{"name": name, "value": value, "url": visitor.house.url} for name, value in cookies.items()]
    )


def analysed(house: House) -> None:
    """Games are analysed here: what that needs was compiled before the tests began."""

    async def employ(host: Host) -> None:
        host.service.operations.analyses.analyser = AnalysisProcess(WarmUp(()), host.service.limits)

    house.ask(employ)


def link_of(answer: Json) -> str:
    """The part of a table's link after the #."""
    return f"/table/{answer['info']['table']}/{answer['you']['invite']}"


def two_at_a_table(ada: Visitor, bo: Visitor) -> None:
    """Started, and open before both."""
    introduce(ada, "Ada")
    introduce(bo, "Bo")
    show_table(started_table(ada, bo), ada, bo)


def started_table(ada: Visitor, bo: Visitor) -> str:
    opened = open_table(ada, players=2, leader=0)
    table = opened["info"]["table"]
    sit = bo.context.request.post(
        f"/api/tables/{table}/seats/1", data={}, headers={"X-Table-Invite": opened["you"]["invite"]}
    )
    assert sit.ok
    ask(ada, f"/tables/{table}/start")
    return table


def show_table(table: str, *visitors: Visitor) -> None:
    for visitor in visitors:
        visitor.go(f"/table/{table}")
