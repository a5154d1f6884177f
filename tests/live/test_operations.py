"""What people ask for besides moves, played without any server: as in a browser, for one person."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from royalcrypt import Record
from royalcrypt.bots.registry import is_plain
from royalcrypt.live.heavy_work import DirectWork, Requester, SharedWork
from royalcrypt.live.operations.notes import NewMemo
from royalcrypt.live.operations.operations import Operations, Stores
from royalcrypt.live.operations.orders import NewOrders, WireOrder
from royalcrypt.live.standing_orders import StandingOrders
from royalcrypt.live.wire.finished_games import LinePlayed, LineSoFar, Replay
from royalcrypt.live.wire.tables import BotSitting, Entering, NewTable, Sitting, TableAnswer
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.fairness import Finding, verify
from royalcrypt.tables.journal import Status
from royalcrypt.tables.orders import When
from royalcrypt.tables.seals import day_at
from royalcrypt.tables.settings import DAY, BotChoice, TableSettings
from tests.live.memory import (
    DirectChooser,
    EventCounter,
    MemoryDailies,
    MemoryMemos,
    MemoryOrders,
    MemoryPersonalData,
    MemoryResults,
    NoDuplicates,
    NoRatings,
)
from tests.live.rooms import Client, Room, wire_actions
from tests.tables.leading import ADA, BO, NOON

ADAS = Requester("device", ADA.person)
WITH_BOT = NewTable(
    TableSettings(players=2, leader=0, bots=(BotChoice(1, "random"),)), sit=(0,), entropy="Ada", start=True
)
SHARED = NewTable(TableSettings(players=2), sit=(0, 1), names=(None, "Bo"), start=True)


class World(Room):
    """Live tables of one process with bots, a clock that runs, and all operations."""

    def __init__(self) -> None:
        self.time = NOON
        super().__init__(self._tick, chooser=DirectChooser())
        memos = MemoryMemos()
        stores = Stores(
            journal=self.journal,
            memos=memos,
            dailies=MemoryDailies(self.journal),
            duplicates=NoDuplicates(),
            results=MemoryResults(self.journal),
            ratings=NoRatings(),
            personal=MemoryPersonalData(memos),
        )
        self.ask = Operations(
            stores,
            self.tables,
            self.hub,
            StandingOrders(self.tables, MemoryOrders(), self.hub),
            chooser=DirectChooser(),
            analyser=EventCounter(),
            shared=SharedWork(DirectWork()),
            is_bot_available=is_plain,
        )

    def _tick(self) -> int:
        self.time += 1
        return self.time


def in_world(test: Callable[[World, Client], Awaitable[None]]) -> None:
    async def run() -> None:
        world = World()
        client = world.enter(ADA.person, protocol=2)
        try:
            await test(world, client)
        finally:
            world.leave(client)
            await world.close()

    asyncio.run(run())


async def play_out(world: World, client: Client, table_id: str) -> None:
    """Play Ada's seats with commands of her client, and wait for bots, until the game is over."""
    await world.watch(client, table_id)
    while (table := await world.tables.table(table_id)).status is Status.RUNNING:
        client.arrived.clear()
        assert table.actor is not None
        assert table.game is not None
        if table.seats[table.actor].is_played_by_bot:
            await asyncio.wait_for(client.arrived.wait(), 20)
            continue
        actions = wire_actions(next(table.game.view(table.actor).moves()))
        answer = await world.tell(
            client, type="act", table=table_id, seat=table.actor, ply=table.ply, actions=actions
        )
        assert answer["type"] != "refused", answer


async def refused(work: Awaitable[object]) -> Reason:
    with pytest.raises(Refusal) as found:
        await work
    return found.value.reason


def table_of(answer: TableAnswer) -> str:
    return answer.info.table


def test_a_game_with_a_bot_leaves_a_record_a_replay_and_a_line_in_the_history() -> None:
    async def test(world: World, client: Client) -> None:
        table = table_of(await world.ask.new_tables.open(ADA, WITH_BOT))
        (line,) = await world.lists.games_of(ADA.person)
        assert (line.info.table, line.is_your_turn) == (table, True)
        partial = Record.parse(json.loads(await world.ask.records.of_table(ADA.person, table)))
        assert partial.result is None
        assert await refused(world.ask.replays.of_table(ADA.person, table, requester=ADAS)) is Reason.NOT_OVER

        await play_out(world, client, table)
        record = Record.parse(json.loads(await world.ask.records.of_table(ADA.person, table)))
        assert verify(record).finding is Finding.FAIR
        found = json.loads(record.to_json())
        replays = [
            await world.ask.replays.of_table(ADA.person, table, "all", requester=ADAS),
            await world.ask.replays.of_record(found, requester=ADAS),
        ]
        of_table, of_record = (msgspec.json.decode(one, type=Replay) for one in replays)
        assert of_table.frames == of_record.frames
        assert of_table.result == record.result
        count = str(len(record.events)).encode()
        assert await world.ask.analyses.of_table(ADA.person, table, requester=ADAS) == count
        assert await world.ask.analyses.of_record(found, requester=ADAS) == count
        assert await world.ask.downloads.records(ADA.person) == record.to_json().encode() + b"\n"

        page = await world.ask.history.page(ADA.person)
        assert [(game.table, game.players) for game in page.games] == [(table, 2)]
        assert (await world.ask.history.statistics(ADA.person)).games == 1
        assert await world.lists.games_of(ADA.person) == []
        assert [one.info.status for one in await world.lists.all_games_of(ADA.person)] == [Status.OVER]

    in_world(test)


def test_another_line_of_a_finished_game_is_played_against_the_bots_of_this_process() -> None:
    async def test(world: World, client: Client) -> None:
        table = table_of(await world.ask.new_tables.open(ADA, WITH_BOT))
        await play_out(world, client, table)
        asked = LineSoFar(move=1, seat=0, level="random", seed=7)
        played = msgspec.json.decode(
            await world.ask.lines.of_table(ADA.person, table, asked, requester=ADAS), type=LinePlayed
        )
        assert played.line
        assert {move.seat for move in played.line} == {1}
        assert played.view["actor"] == 0 if isinstance(played.view, dict) else played.view.actor == 0

    in_world(test)


def test_two_people_share_a_screen_and_play_again() -> None:
    async def test(world: World, client: Client) -> None:
        opened = await world.ask.new_tables.open(ADA, SHARED)
        assert [seat.name for seat in opened.info.seats] == ["Ada", "Bo"]
        assert opened.you.seats == (0, 1)
        table = table_of(opened)
        await play_out(world, client, table)
        again = await world.ask.new_tables.rematch(ADA, table, Entering())
        assert [seat.name for seat in again.info.seats] == ["Ada", "Bo"]
        assert again.info.follows == table
        assert again == await world.ask.new_tables.rematch(ADA, table, Entering())
        assert (await world.ask.history.statistics(ADA.person)).shared == 1

    in_world(test)


def test_seats_are_taken_freed_and_given_to_bots_before_the_start_and_left_and_taken_back_after_it() -> None:
    async def test(world: World, client: Client) -> None:
        ask, ada = world.ask.tables, ADA.person
        assert ask.bots() == ["random", "novice", "greedy"]
        table = table_of(await world.ask.new_tables.open(ADA, NewTable(TableSettings(players=3))))
        await ask.sit(ADA, table, 0, Sitting())
        shared = await ask.sit(ADA, table, 1, Sitting(name=" Bo "))
        assert [seat.name for seat in shared.info.seats] == ["Ada", "Bo", None]
        freed = await ask.free(ada, table, 1)
        assert [seat.kind for seat in freed.info.seats] == ["person", "free", "free"]
        for seat in (1, 2):
            await ask.seat_bot(ada, table, seat, BotSitting("novice"))
        assert (await ask.start(ada, table)).info.status is Status.RUNNING
        assert (await ask.leave(ada, table)).info.seats[0].taken_over == "left"
        recap = await ask.come_back(ada, table)
        assert recap.table.info.seats[0].taken_over is None
        assert await ask.look(ada, table) == recap.table

        other = table_of(await world.ask.new_tables.open(ADA, NewTable(TableSettings(players=1))))
        assert await refused(ask.look(BO.person, other)) is Reason.NO_SUCH_TABLE
        assert await refused(ask.close(BO.person, other)) is Reason.NO_SUCH_TABLE
        assert (await ask.close(ada, other)).info.status is Status.CLOSED

    in_world(test)


def test_limits_of_a_server_are_asked_before_a_seat_is_taken_and_before_a_rematch_is_opened() -> None:
    async def test(world: World, client: Client) -> None:
        async def check(*, is_listed: bool = False) -> None:
            assert not is_listed
            raise Refusal(Reason.TOO_MANY, most=0)

        ask = world.ask.tables
        opened = await world.ask.new_tables.open(ADA, NewTable())
        table, invite = table_of(opened), opened.you.invite
        assert await refused(ask.sit(BO, table, 0, Sitting(), invite, check=check)) is Reason.TOO_MANY
        await ask.sit(ADA, table, 0, Sitting(), check=check)  # It is already her table.
        over = table_of(await world.ask.new_tables.open(ADA, WITH_BOT))
        await play_out(world, client, over)
        rematch = world.ask.new_tables.rematch
        assert await refused(rematch(ADA, over, Entering(), check=check)) is Reason.TOO_MANY
        await rematch(ADA, over, Entering())
        await rematch(ADA, over, Entering(), check=check)  # It has been opened.

    in_world(test)


def test_each_day_has_one_attempt_and_past_days_have_many() -> None:
    async def test(world: World, client: Client) -> None:
        daily, today = world.ask.daily, day_at(world.time)
        table = table_of(await daily.play(ADA, today))
        assert table_of(await daily.play(ADA, today)) == table
        await play_out(world, client, table)
        told = await daily.day(ADA.person, today)
        assert told.mine is not None
        assert (told.mine.table, told.mine.place, told.mine.counts) == (table, 1, True)
        assert told.secret is None
        sealed = json.loads(await world.ask.records.of_table(ADA.person, table))
        assert "seed" not in sealed["fairness"]

        world.time += DAY
        assert (await daily.day(None, today)).secret is not None
        days = await daily.days(ADA.person)
        assert [(one.day, one.score) for one in days.days] == [
            (days.today, None),
            (today, told.mine.score),
        ]
        practised = {table_of(await daily.play(ADA, today)) for _ in range(2)}
        assert len(practised | {table}) == 3
        assert await refused(daily.day(None, "2001-01-01")) is Reason.NO_SUCH_DAY

    in_world(test)


def test_notes_and_standing_orders_are_kept_for_their_person() -> None:
    async def test(world: World, client: Client) -> None:
        table = table_of(await world.ask.new_tables.open(ADA, SHARED))
        notes = world.ask.notes
        kept = await notes.write(ADA.person, table, NewMemo("Bo collects idols"))
        assert await notes.find(ADA.person, table) == kept
        assert await refused(notes.write(ADA.person, table, NewMemo("late"))) is Reason.MEMO_CHANGED
        assert b"Bo collects idols" in await world.ask.downloads.everything(ADA.person)

        found = await world.tables.table(table)
        assert found.actor is not None
        waiting = 1 - found.actor
        recover = msgspec.convert({"when": "always", "action": {"do": "recover"}}, WireOrder)
        given = await world.ask.orders.give(ADA.person, table, waiting, NewOrders(1, (recover,)))
        assert [(order.when, order.is_so) for order in given.orders] == [(When.ALWAYS, True)]
        assert await world.ask.orders.find(ADA.person, table, waiting) == given
        assert (await world.ask.orders.withdraw(ADA.person, table, waiting)).orders == []
        assert await refused(world.ask.orders.find(BO.person, table, waiting)) is Reason.NO_SUCH_TABLE

    in_world(test)
