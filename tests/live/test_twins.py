"""Twin games: what differs only in what a viewer cannot know gives them the same messages, to the byte.

Unlike ``tests/server/wire`` this needs no server, so that many more games are played.
"""

import asyncio
import os
import random
from typing import Any

import msgspec
import pytest

from royalcrypt.tables import commands
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.settings import TableSettings
from tests.faults import wire_leaks
from tests.faults.planting import Plant
from tests.live.rooms import PROTOCOLS, Client, Room, wire_actions
from tests.server.wire.scenes import SCENES, Played, Scene, any_scene, play
from tests.server.wire.worlds import (
    TABLE,
    Knowledge,
    World,
    cards_known,
    differing,
    other_world,
    planted,
    true_world,
)
from tests.tables.leading import NOON

CHUNKS = 4
MANY = int(20 * float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1")))
SPECTATOR = "Eve"
Viewer = tuple[str, int | None]
"""A person, and the seat whose view they see; None for spectators."""
Told = dict[tuple[Viewer, int], list[bytes]]
"""All messages, by viewer and protocol."""


def viewers_of(scene: Scene) -> list[Viewer]:
    found: list[Viewer] = [(name, seat) for name in scene.people for seat in scene.seats_of(name)]
    return [*found, (SPECTATOR, None)] if scene.spectators else found


def knowledge_of(scene: Scene, played: Played, viewer: Viewer) -> Knowledge:
    name, seat = viewer
    has_link = name != SPECTATOR or not scene.is_listed
    return Knowledge(cards_known(played.game, () if seat is None else (seat,)), invite=has_link)


class Performance:
    """A scene's moves at a table in one world, followed by every viewer in both protocols."""

    def __init__(self, scene: Scene, played: Played, world: World) -> None:
        self._scene = scene
        self._played = played
        self._world = world
        self._chance = random.Random(scene.seed)
        self._now = NOON
        self._room = Room(lambda: self._now)
        self._clients: dict[tuple[Viewer, int], Client] = {}

    async def run(self) -> Told:
        with planted(self._world):
            await self._open()
            for turn in self._played.turns:
                self._now += 1000
                await self._comings_and_goings(turn.away)
                await self._extras()
                if turn.is_bots(self._scene):
                    await self._change(commands.act_for, turn.seat, turn.move)
                else:
                    await self._act(turn.seat, wire_actions(turn.move))
        return {key: client.messages for key, client in self._clients.items()}

    async def _open(self) -> None:
        scene, room = self._scene, self._room
        settings = msgspec.convert(scene.settings, TableSettings, strict=False)
        opened = await room.tables.open(commands.open_table(settings, scene.people[0], now=self._now))
        assert opened.id == TABLE
        for viewer in viewers_of(scene):
            for protocol in PROTOCOLS:
                self._clients[viewer, protocol] = room.enter(viewer[0], protocol)
        for name in scene.people:
            for seat in scene.seats_of(name):
                await self._change(commands.sit, Sitter(name, name), seat, name)
        for viewer in viewers_of(scene):
            await self._watch(viewer)
        await self._change(commands.start, scene.people[0])

    async def _watch(self, viewer: Viewer, since: int = 0) -> None:
        name, seat = viewer
        link = {"invite": self._world.invite} if name == SPECTATOR and not self._scene.is_listed else {}
        for protocol in PROTOCOLS:
            client = self._clients[viewer, protocol]
            answer = await self._room.watch(client, TABLE, seat=seat, since=since, **link)
            assert answer["type"] == "shown", answer

    async def _change(self, command: Any, *arguments: Any) -> None:
        await self._room.change(TABLE, lambda table, now: command(table, *arguments, now=now))

    async def _comings_and_goings(self, away: frozenset[str]) -> None:
        table = await self._room.tables.table(TABLE)
        gone = {place.person for place in table.seats if place.taken_over is not None}
        for name in self._scene.people:
            if name in away and name not in gone:
                await self._change(commands.leave, name)
            elif name in gone and name not in away:
                await self._change(commands.return_to, name)

    async def _extras(self) -> None:
        """Somebody looks again, or is refused; presence and lists are sent now and then."""
        viewer = self._chance.choice(viewers_of(self._scene))
        match self._chance.random():
            case toss if toss < 0.1:
                await self._watch(viewer, since=self._chance.randrange(40))
            case toss if toss < 0.2:
                for protocol in PROTOCOLS:
                    client = self._clients[viewer, protocol]
                    await self._room.tell(client, type="act", table=TABLE, ply=0, actions=[{"do": "recover"}])
            case toss if toss < 0.3:
                self._room.flush()
            case _:
                pass

    async def _act(self, seat: int, actions: list[Any]) -> None:
        client = self._clients[(self._scene.holders[seat], seat), self._chance.choice(PROTOCOLS)]
        table = await self._room.tables.table(TABLE)
        answer = await self._room.tell(client, type="act", table=TABLE, ply=table.ply, actions=actions)
        assert answer["type"] == "update", answer


def told_in(scene: Scene, played: Played, world: World) -> Told:
    return asyncio.run(Performance(scene, played, world).run())


def compare(scene: Scene) -> tuple[list[str], int]:
    """Differences that viewers could notice, and how many hidden cards were others."""
    played = play(scene)
    true = told_in(scene, played, true_world(scene))
    differences: list[str] = []
    hidden = 0
    for viewer in viewers_of(scene):
        world = other_world(scene, played, knowledge_of(scene, played, viewer))
        other = told_in(scene, played, world)
        hidden += differing(played, world.outcomes)
        for protocol in PROTOCOLS:
            one, two = true[viewer, protocol], other[viewer, protocol]
            if len(one) != len(two):
                differences.append(f"{viewer}, protocol {protocol}: {len(one)} and {len(two)} messages")
            differences += [
                f"{viewer}, protocol {protocol}:\n  {mine!r}\n  {theirs!r}"
                for mine, theirs in zip(one, two, strict=False)
                if mine != theirs
            ][:1]
    return differences, hidden


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_twin_games_give_a_viewer_the_same_bytes_and_as_many_messages(chunk: int) -> None:
    hidden = 0
    for seed in range(chunk * MANY, (chunk + 1) * MANY):
        differences, others = compare(any_scene(seed))
        assert not differences, f"scene {seed}\n" + "\n".join(differences)
        hidden += others
    assert hidden > 5 * MANY, "these games hid next to nothing, so they prove nothing"


@pytest.mark.parametrize(
    ("plant", "scene"),
    [
        (wire_leaks.next_seats_view, "two"),
        (wire_leaks.telling_discards, "four"),
        (wire_leaks.next_seats_changes, "three"),
        (wire_leaks.changes_of_state, "two"),
        (wire_leaks.changes_from_another_view, "three"),
        (wire_leaks.telling_field, "two"),
        (wire_leaks.telling_number_of_changes, "two"),
        (wire_leaks.telling_silence, "two"),
        (wire_leaks.movers_news, "three"),
        (wire_leaks.telling_message, "two"),
    ],
)
def test_a_planted_leak_tells_twins_apart(plant: Plant, scene: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(SCENES[scene])[0] == []
    plant(monkeypatch)
    assert compare(SCENES[scene])[0]
