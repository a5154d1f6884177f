"""Replays of finished tables and of uploaded records."""

from typing import Any

import msgspec

from royalcrypt.live.access import seat_shown
from royalcrypt.live.heavy_work import HeavyWork, Requester, WorkSlots
from royalcrypt.live.operations.records import GameRecords
from royalcrypt.live.updates import you_at
from royalcrypt.live.wire.finished_games import RecordedSeat, Replay, recorded_frame
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.playback import Playback, Viewer

VIEWERS_BY_NAME: dict[str, Viewer] = {"spectator": "spectator", "all": "all", "0": 0, "1": 1, "2": 2, "3": 3}


class Replays:
    """Computes replays, as encoded ``Replay`` structs."""

    def __init__(self, records: GameRecords, work: HeavyWork, slots: WorkSlots) -> None:
        self._records = records
        self._work = work
        self._slots = slots

    async def of_table(
        self,
        person: str,
        table_id: str,
        viewer: str | None = None,
        invite: str | None = None,
        *,
        requester: Requester,
    ) -> bytes:
        """Return the replay of a finished game, from the person's own seat unless a viewer is named."""
        table, record = await self._records.finished(person, table_id, invite)
        own = seat_shown(table, person, None)
        eyes = "spectator" if own is None else own
        link = None if table.settings.is_listed else you_at(table, person, own).invite
        chosen = eyes if viewer is None else VIEWERS_BY_NAME[viewer]
        async with self._slots.slot(requester):
            return await self._work.run(replay_json, record, chosen, link)

    async def of_record(
        self, found: dict[str, Any], viewer: str | None = None, *, requester: Requester
    ) -> bytes:
        async with self._slots.slot(requester):
            record = await self._records.uploaded(found)
            return await self._work.run(replay_json, record, VIEWERS_BY_NAME[viewer or "all"])


def replay_json(record: Record, viewer: Viewer, invite: str | None = None) -> bytes:
    try:
        film = Playback(record)
    except RecursionError:  # The JSON is nested too deeply.
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON") from None
    return msgspec.json.encode(
        Replay(
            viewer=viewer,
            players=record.players,
            collectors=record.collectors,
            seats=[RecordedSeat(seat.name, seat.kind) for seat in record.seats],
            frames=[recorded_frame(frame) for frame in film.frames(viewer)],
            result=film.result,
            created=record.created,
            invite=invite,
        )
    )
