"""Limits of one socket: rates of messages, ``watch`` and chat."""

from collections.abc import Callable

from royalcrypt.live.connection import Close, Connection
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.limiter import Bucket, Limiter
from royalcrypt.server.limits import MESSAGES, PROGRAM_MESSAGES, SPECTATORS, STRIKES, TALK, WATCH
from royalcrypt.storage.people import People


class SocketPolicy:
    """Implements ``CommandPolicy`` for one connection."""

    __slots__ = ("_bucket", "_connection", "_count_refusal", "_limits", "_people", "_strikes")

    def __init__(
        self,
        connection: Connection,
        limits: Limiter,
        people: People,
        count_refusal: Callable[[Reason], object],
    ) -> None:
        self._connection = connection
        self._limits = limits
        self._people = people
        self._bucket: Bucket | None = None
        self._count_refusal = count_refusal
        self._strikes = 0

    def check_message(self) -> None:
        try:
            if self._connection.keeper is None:
                self._bucket = self._bucket or Bucket(MESSAGES)
                self._limits.spend(self._bucket)
            else:  # All sockets of one program share one limit.
                self._limits.take(PROGRAM_MESSAGES, self._connection.person)
        except Refusal:
            self._strikes += 1
            if self._strikes > STRIKES.most:
                self._limits.count(STRIKES)
                self._connection.close(Close.POLICY)
            raise
        self._strikes = max(0, self._strikes - 1)

    def check_watch(self) -> None:
        self._limits.take(WATCH, self._connection.person)

    def check_spectators(self, watchers: int) -> None:
        if watchers >= SPECTATORS.most:
            raise self._limits.refusal(SPECTATORS)

    async def check_chat(self) -> None:
        person = await self._people.find(self._connection.person)
        if person is None or person.is_muted:
            raise Refusal(Reason.MUTED)
        self._limits.take(TALK, self._connection.person)

    def on_refused(self, reason: Reason) -> None:
        self._count_refusal(reason)
