"""What-if lines: a person replays a finished game from a chosen moment against bots.

Nothing is stored: each request contains the whole line so far, and bots append their moves.
"""

import msgspec

from royalcrypt.live.bot_scheduler import MoveChooser
from royalcrypt.live.heavy_work import HeavyWork, Requester, WorkSlots
from royalcrypt.live.operations.records import GameRecords
from royalcrypt.live.wire.finished_games import LineMove, LineOfRecord, LinePlayed, LineSoFar, recorded_frame
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.playback import Variation
from royalcrypt.tables.settings import check_bot


class WhatIfLines:
    """Continues what-if lines; each answer is an encoded ``LinePlayed``."""

    def __init__(self, records: GameRecords, chooser: MoveChooser, work: HeavyWork, slots: WorkSlots) -> None:
        self._records = records
        self._chooser = chooser
        self._work = work
        self._slots = slots

    async def of_table(
        self,
        person: str,
        table_id: str,
        data: LineSoFar,
        invite: str | None = None,
        *,
        requester: Requester,
    ) -> bytes:
        _, record = await self._records.finished(person, table_id, invite)
        async with self._slots.slot(requester):
            return await self._play_on(record, data)

    async def of_record(self, data: LineOfRecord, *, requester: Requester) -> bytes:
        async with self._slots.slot(requester):
            return await self._play_on(await self._records.uploaded(data.record), data)

    async def _play_on(self, record: Record, asked: LineSoFar) -> bytes:
        check_bot(asked.level)
        exploration = await self._work.run(exploration_of, record, asked)
        game = exploration.game
        while game.actor not in (None, asked.seat):
            move = await self._chooser.choose(asked.level, game.view(game.actor))
            game.play(move)
        return await self._work.run(line_json, exploration, asked)


def exploration_of(record: Record, asked: LineSoFar) -> Variation:
    """Replay the line so far and apply the person's next move; raises Refusal if a move is illegal."""
    if asked.seat >= record.players:
        raise Refusal(Reason.WRONG_SEAT, seat=asked.seat + 1, seats=record.players)
    try:
        exploration = Variation(record, asked.move, seed=asked.seed, is_new=asked.chance == "new")
    except RecursionError:  # nested more deeply than any record
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON") from None
    for made in asked.line:
        exploration.game.play(Move.parse(made.move), seat=made.seat)
    if asked.actions:
        move = Move(tuple(action.action() for action in asked.actions))
        exploration.game.play(move, seat=asked.seat)
    return exploration


def line_json(exploration: Variation, asked: LineSoFar) -> bytes:
    return msgspec.json.encode(
        LinePlayed(
            line=[LineMove(seat, str(move)) for seat, move in exploration.line],
            frames=[recorded_frame(frame) for frame in exploration.frames(asked.seat, asked.since)],
            view=exploration.game.view(asked.seat),
            result=exploration.game.result(),
        )
    )
