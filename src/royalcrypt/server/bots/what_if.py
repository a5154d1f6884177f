"""What-if lines: a person replays a finished game from a chosen moment against bots.

Nothing is stored: each request contains the whole line so far, and bots append their moves.
"""

import asyncio

import msgspec

from royalcrypt.live.wire.finished_games import LineMove, LinePlayed, LineSoFar, recorded_frame
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.playback import Variation
from royalcrypt.server.bots.pool import BotRunner
from royalcrypt.tables.settings import check_bot

MAX_LINES = 2
"""Maximum number of lines computed at the same time."""


class WhatIfPlayer:
    """Continues what-if lines on a separate bot runner with a shorter time per move than live tables."""

    def __init__(self, bot_runner: BotRunner) -> None:
        self._bot_runner = bot_runner
        self._turns = asyncio.Semaphore(MAX_LINES)

    async def play_on(self, record: Record, asked: LineSoFar) -> bytes:
        check_bot(asked.level)
        async with self._turns:
            exploration = await asyncio.to_thread(exploration_of, record, asked)
            game = exploration.game
            while game.actor not in (None, asked.seat):
                move = await self._bot_runner.choose(asked.level, game.view(game.actor))
                game.play(move)
            return await asyncio.to_thread(line_json, exploration, asked)


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
