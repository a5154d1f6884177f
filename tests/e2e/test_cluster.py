"""Two people in two browsers, each at another server of a cluster, while the servers die under them."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import expect

from royalcrypt.tables.table import Table
from tests.cluster.cluster import Cluster, Member
from tests.cluster.kept import lines_at
from tests.e2e.arriving import introduce, show_table, started_table, two_at_a_table
from tests.e2e.hosting import House
from tests.e2e.player import Player, name_of, who_decides
from tests.e2e.visiting import Visitor
from tests.server.harness import Json

MOVES = 6
TRIES = 40


class Town(House):
    """Many servers, to be visited like one; what is true is in their database."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(cluster.folder)
        self.cluster = cluster
        self.url = cluster.proxy.url
        self._pool = ThreadPoolExecutor(1)  # where no browser's event loop runs

    def truth(self, table: str) -> Json | None:
        lines = self._pool.submit(lines_at, self.cluster.database, table).result()
        game = Table.from_journal(table, lines).game
        return json.loads(game.record().to_json()) if game else None


@pytest.fixture(params=["in turn"])
def town(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Town]:
    """Asked for before visitors, it outlives them."""
    with ThreadPoolExecutor(1) as pool:
        cluster = pool.submit(Cluster(tmp_path, 2, gathers=request.param == "near").__enter__).result()
        yield Town(cluster)
        cluster.__exit__()


def play_on(players: list[Player]) -> None:
    names = {name_of(player): player for player in players}
    looker = players[0]
    for _ in range(MOVES):
        looker = who_decides(looker, names)
        looker.await_turn()
        looker.move()


def talk(speaker: Player, listener: Player, text: str) -> None:
    for player in (speaker, listener):
        player.page.get_by_role("tab", name=player.words.say("page.table.tab.chat")).click()
    speaker.page.get_by_role("textbox", name=speaker.words.say("page.chat.write")).fill(text)
    speaker.button("page.chat.send").click()
    for player in (speaker, listener):
        log = player.page.get_by_role("log", name=player.words.say("page.chat.lines"))
        expect(log.get_by_text(text)).to_have_count(1)


def await_sockets(town: Town, visitor: Visitor, *wanted: int, reload: bool = False) -> None:
    """Until each server that runs has so many."""
    for attempt in range(TRIES):
        running = [member for member in town.cluster.members if member.is_running]
        found = [member.sockets() for member in running]
        if found == list(wanted):
            return
        if reload and 2 in found:
            if attempt % 2:  # With an even number of requests a page would always come to the same one.
                visitor.context.request.get("/health")
            visitor.page.reload()
        visitor.page.wait_for_timeout(500)
    raise AssertionError(f"not so many sockets: {wanted}")


@pytest.mark.slow
@pytest.mark.parametrize("town", ["near"], indirect=True)
def test_two_people_who_came_in_apart_are_brought_together_and_play_on(
    town: Town, visit: Callable[..., Visitor]
) -> None:
    ada, bo = visit(house=town), visit(house=town)
    introduce(ada, "Ada").go()
    introduce(bo, "Bo").go()
    await_sockets(town, ada, 1, 1, reload=True)
    show_table(started_table(ada, bo), ada, bo)
    players = [Player(ada, seed=3), Player(bo, seed=4)]
    for player in players:
        expect(player.crypt).to_be_visible()
    together = await_meeting(town, ada)
    play_on(players)
    talk(players[0], players[1], "There you are!")

    together.kill()
    await_sockets(town, ada, 2)
    play_on(players)
    together.start()


def await_meeting(town: Town, visitor: Visitor) -> Member:
    """Until all have come to one server; tells which."""
    for _ in range(TRIES):
        for member in town.cluster.members:
            if [one.sockets() for one in town.cluster.members if one is not member] == [0]:
                return member
        visitor.page.wait_for_timeout(500)
    raise AssertionError("they never met")


@pytest.mark.slow
def test_two_people_at_two_servers_play_and_talk_on_while_servers_are_killed(
    town: Town, visit: Callable[..., Visitor]
) -> None:
    ada, bo = visit(house=town), visit(house=town)
    two_at_a_table(ada, bo)
    players = [Player(ada, seed=1), Player(bo, seed=2)]
    first, second = town.cluster.members
    await_sockets(town, ada, 1, 1, reload=True)
    for player in players:
        expect(player.crypt).to_be_visible()
    play_on(players)
    talk(players[0], players[1], "Good luck!")

    first.kill()
    await_sockets(town, ada, 2)
    play_on(players)
    talk(players[1], players[0], "Did the torch flicker?")

    first.start()
    second.kill()
    await_sockets(town, ada, 2)
    play_on(players)
    second.start()
