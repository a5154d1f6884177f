"""Whoever follows a table holds the view that a newcomer gets, to the byte, whatever happens there."""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Callable

import msgspec
import pytest

from royalcrypt.notation.reasons import Refusal
from royalcrypt.tables.entries import AnyEntry
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table
from tests.faults import forgetting, wire_leaks
from tests.faults.planting import Plant
from tests.live.rooms import PROTOCOLS, Client, Room, wire_actions
from tests.tables.leading import NOON, some_move
from tests.tables.test_laws import PEOPLE, an_opening, do_anything, go_on

SPECTATOR = "eve"
STEPS = 120
TABLES = 8
CHUNKS = 4
Choose = Callable[[Table, random.Random, int], AnyEntry]
FAULTS = (forgetting.unheard_changes, forgetting.stale_refusals, wire_leaks.changes_from_another_view)
encode = msgspec.json.encode


class Course:
    """A random table, with a client of each protocol for each person, and what happened there."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.time = NOON
        self.room = Room(lambda: self.time)
        self.happened = Counter[str]()
        self._clients = [
            self.room.enter(person, protocol) for person in (*PEOPLE, SPECTATOR) for protocol in PROTOCOLS
        ]
        self._seats: dict[Client, int | None] = {}
        """The seat that each client saw before the last step."""
        self._table = ""

    async def run(self) -> Counter[str]:
        await self._open()
        for _ in range(STEPS):
            self.time += self.chance.choice((10, 1000, 20_000))
            marks = [len(client.messages) for client in self._clients]
            before = await self.room.tables.table(self._table)
            await self._step(before)
            after = await self.room.tables.table(self._table)
            for client, mark in zip(self._clients, marks, strict=True):
                self._check_updates(client, client.messages[mark:], before, after)
                await self._check_view(client)
            if after.status in (Status.OVER, Status.CLOSED):
                self.happened[after.status] += 1
                break
        return self.happened

    async def _open(self) -> None:
        chance, opening = self.chance, an_opening(self.chance)
        settings = msgspec.structs.replace(
            opening.settings,
            is_listed=True,
            remembers=chance.random() < 0.6,
            spectators=chance.random() < 0.8,
        )
        opened = await self.room.tables.open(msgspec.structs.replace(opening, settings=settings))
        self._table = opened.id
        for client in self._clients:
            assert (await self.room.watch(client, opened.id))["type"] == "shown"

    async def _step(self, table: Table) -> None:
        chance, room = self.chance, self.room
        match chance.random():
            case toss if toss < 0.5:
                await self._act(table)
            case toss if toss < 0.62:
                await self._change(go_on)
            case toss if toss < 0.8:
                await self._change(do_anything)
            case toss if toss < 0.85:
                room.evict()
                await room.tables.table(self._table)
            case toss if toss < 0.9:
                await room.rewrite(self._table)
                self.happened["rewritten"] += 1
            case _:
                await self._look_again(table)

    async def _act(self, table: Table) -> None:
        """A person moves by their socket; at other moments, whatever comes next happens."""
        seat = table.actor
        if seat is None or table.seats[seat].is_played_by_bot:
            await self._change(go_on)
            return
        move = some_move(table, seat, self.chance.randrange(30))
        assert move is not None
        mine = [client for client in self._clients if client.person == table.seats[seat].person]
        answer = await self.room.tell(
            self.chance.choice(mine),
            type="act",
            table=table.id,
            ply=table.ply,
            seat=seat,
            actions=wire_actions(move),
        )
        self.happened[f"{answer['type']} to mover"] += 1

    async def _change(self, choose: Choose) -> None:
        """Sometimes as if another process had stored it. Whatever is refused has not happened."""

        def command(table: Table, now: int) -> AnyEntry:
            return choose(table, self.chance, now)

        is_elsewhere = self.chance.random() < 0.3
        with contextlib.suppress(Refusal):
            if is_elsewhere:
                await self.room.change_elsewhere(self._table, command)
            else:
                await self.room.change(self._table, command)
            self.happened["elsewhere" if is_elsewhere else "here"] += 1

    async def _look_again(self, table: Table) -> None:
        """Somebody turns to another seat of theirs, or tries in vain, which is answered with a view."""
        client = self.chance.choice(self._clients)
        if client.is_gone:
            return
        seats = table.seats_of(client.person)
        if seats and self.chance.random() < 0.7:
            await self.room.watch(client, table.id, seat=self.chance.choice(seats))
            return
        await self.room.tell(client, type="act", table=table.id, ply=0, actions=[{"do": "recover"}])
        self.happened["refused"] += 1

    def _check_updates(self, client: Client, messages: list[bytes], before: Table, after: Table) -> None:
        """Protocol 1 always has the complete view; protocol 2 only where changes would not do."""
        updates = [found for found in map(msgspec.json.decode, messages) if found["type"] == "update"]
        if before.ply == after.ply or client.is_gone:
            assert updates == []
            return
        assert [update["ply"] for update in updates] == [after.ply]
        for update in updates:
            is_new_seat = client.seat != self._seats.get(client)
            has_all = client.protocol == 1 or before.game is None or is_new_seat
            assert (update.get("view") is not None) == (has_all and after.game is not None)
            self.happened["complete" if update.get("view") else "changes"] += client.protocol == 2
            self.happened["new seat"] += is_new_seat
            assert "changes" not in update or (client.protocol == 2 and not update.get("view"))

    async def _check_view(self, client: Client) -> None:
        """Compare with somebody of the same who comes in now."""
        self._seats[client] = client.seat
        newcomer = self.room.enter(client.person, client.protocol)
        shown = await self.room.watch(newcomer, self._table, seat=client.seat)
        self.room.leave(newcomer)
        if client.is_gone:
            assert (shown["type"], shown["reason"]["code"]) == ("refused", "no_spectators")
            assert client.connection.watching == {}
            self.happened["gone"] += 1
            return
        assert not client.has_gap
        assert (client.ply, client.seat) == (shown["ply"], shown["you"]["seat"])
        table = await self.room.tables.table(self._table)
        view = table.view(client.seat)
        assert encode(client.view) == encode(shown["view"]) == (b"null" if view is None else view.to_json())


def run(seeds: range) -> Counter[str]:
    happened = Counter[str]()
    for seed in seeds:
        happened += asyncio.run(Course(seed).run())
    return happened


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_client_that_applies_updates_holds_the_view_of_a_newcomer(chunk: int) -> None:
    happened = run(range(chunk * TABLES, (chunk + 1) * TABLES))
    common = ("here", "elsewhere", "rewritten", "refused", "complete", "changes", "new seat")
    assert all(happened[what] > 0 for what in common), happened


@pytest.mark.parametrize("plant", FAULTS)
def test_a_planted_fault_of_updates_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        run(range(TABLES))
