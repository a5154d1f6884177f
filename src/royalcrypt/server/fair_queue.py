"""Fair queues for heavy work in pools that everybody shares."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from royalcrypt.live.heavy_work import Requester
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import QueueLimit

PEOPLE_PER_STRANGER = 4
"""Number of slots that signed-in people get in a row while somebody without an account waits."""


class Ticket:
    """A place in a queue, or a slot once ``turn`` is done."""

    __slots__ = ("requester", "turn")

    def __init__(self, requester: Requester) -> None:
        self.requester = requester
        self.turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class WaitingLine:
    """Waiting tickets; addresses take turns, so that one with many accounts waits no less."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, deque[Ticket]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._addresses)

    def all(self) -> list[Ticket]:
        return [ticket for tickets in self._addresses.values() for ticket in tickets]

    def add(self, ticket: Ticket) -> None:
        self._addresses.setdefault(ticket.requester.address, deque()).append(ticket)

    def next(self) -> Ticket:
        address, tickets = next(iter(self._addresses.items()))
        self._addresses.move_to_end(address)
        self.remove(ticket := tickets[0])
        return ticket

    def remove(self, ticket: Ticket) -> None:
        tickets = self._addresses.get(ticket.requester.address, deque())
        if ticket in tickets:
            tickets.remove(ticket)
            if not tickets:
                del self._addresses[ticket.requester.address]


class FairQueue:
    """Gives slots to requesters: to signed-in people first, and within each group to addresses in turn.

    After ``PEOPLE_PER_STRANGER`` slots for people, one goes to a stranger who waits. So people wait for one
    slot of each address before theirs and a quarter more; strangers for five of each.
    """

    def __init__(self, limit: QueueLimit, limiter: Limiter) -> None:
        self._limit = limit
        self._limiter = limiter
        self._free = limit.slots
        self._people, self._strangers = WaitingLine(), WaitingLine()
        self._in_a_row = 0
        """Number of slots that people got while a stranger waited."""

    def enter(self, requester: Requester) -> Ticket:
        """Take a slot or wait for one, until ``leave``; raises Refusal if too many wait."""
        ticket = Ticket(requester)
        if self._free:
            self._free -= 1
            ticket.turn.set_result(None)
        else:
            self._check(requester)
            self._line_of(requester).add(ticket)
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Give the slot to the next, or stop waiting (which may be called twice)."""
        if not ticket.turn.done() or ticket.turn.cancelled():
            self._line_of(ticket.requester).remove(ticket)
            return
        while self._people or self._strangers:
            following = self._next_line().next()
            if not following.turn.cancelled():
                following.turn.set_result(None)
                return
        self._free += 1

    @asynccontextmanager
    async def slot(self, requester: Requester) -> AsyncGenerator[None]:
        """Wait for a slot, and hold it; raises Refusal if too many wait."""
        ticket = self.enter(requester)
        try:
            await ticket.turn
            yield
        finally:
            self.leave(ticket)

    def _line_of(self, requester: Requester) -> WaitingLine:
        return self._strangers if requester.person is None else self._people

    def _next_line(self) -> WaitingLine:
        is_their_turn = not self._people or self._in_a_row >= PEOPLE_PER_STRANGER
        if self._strangers and is_their_turn:
            self._in_a_row = 0
            return self._strangers
        self._in_a_row += bool(self._strangers)
        return self._people

    def _check(self, requester: Requester) -> None:
        waiting = [ticket.requester for ticket in (*self._people.all(), *self._strangers.all())]
        of_address = sum(one.address == requester.address for one in waiting)
        limit = self._limit
        if waiting.count(requester) >= limit.of_requester:
            raise self._limiter.busy(f"{limit.name}_of_requester", limit.seconds)
        if of_address >= limit.of_address:
            raise self._limiter.busy(f"{limit.name}_of_address", limit.seconds)
        if len(waiting) >= limit.waiting:
            raise self._limiter.busy(limit.name, limit.seconds)
