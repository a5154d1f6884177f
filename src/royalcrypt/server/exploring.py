"""What if? Lines from a moment of a finished game: somebody plays one seat, bots answer for all others.

Nothing of it is kept: each question holds the whole line, and bots are asked only for what is missing.
"""

import asyncio

import msgspec

from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.playback import Variation
from royalcrypt.server.thinking import Thinker
from royalcrypt.server.wire.films import LineMove, LinePlayed, LineSoFar, written_frame
from royalcrypt.server.wire.messages import written
from royalcrypt.tables.settings import check_bot

MOST_EXPLORING = 2
"""Lines that are played on at a time."""


class Explorer:
    """Plays lines on; bots think for them apart from those at tables, and more briefly."""

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._turns = asyncio.Semaphore(MOST_EXPLORING)

    async def play_on(self, record: Record, asked: LineSoFar) -> bytes:
        check_bot(asked.level)
        async with self._turns:
            exploration = await asyncio.to_thread(taken_up, record, asked)
            game = exploration.game
            while game.actor not in (None, asked.seat):
                move = await self._thinker.choose(asked.level, game.view(game.actor))
                game.play(move)
            return await asyncio.to_thread(told, exploration, asked)


def taken_up(record: Record, asked: LineSoFar) -> Variation:
    """The line as far as it has come, with the asker's own next move."""
    if asked.seat >= record.players:
        raise Refusal(Reason.WRONG_SEAT, seat=asked.seat + 1, seats=record.players)
    try:
        exploration = Variation(record, asked.move, seed=asked.seed, is_new=asked.chance == "new")
    except RecursionError:  # of what is nested deeper than any record
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON") from None
    for made in asked.line:
        exploration.game.play(Move.parse(made.move), seat=made.seat)
    if asked.actions:
        move = Move(tuple(action.action() for action in asked.actions))
        exploration.game.play(move, seat=asked.seat)
    return exploration


def told(exploration: Variation, asked: LineSoFar) -> bytes:
    return msgspec.json.encode(
        LinePlayed(
            line=[LineMove(seat, str(move)) for seat, move in exploration.line],
            frames=[written_frame(frame) for frame in exploration.frames(asked.seat, asked.since)],
            view=written(exploration.game.view_json(asked.seat)),
            result=exploration.game.result(),
        )
    )
