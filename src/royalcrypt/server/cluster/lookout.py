"""Once a second, whatever hints came or were lost: what has changed in the database and was not told here."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import structlog

from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.cluster.feed import Feed
from royalcrypt.server.cluster.following import Follower
from royalcrypt.server.cluster.herald import Herald
from royalcrypt.server.cluster.lists import Lists
from royalcrypt.server.house import House
from royalcrypt.server.teller import Teller
from royalcrypt.server.telling import chat_line
from royalcrypt.server.wire.messages import Said, encode_message
from royalcrypt.storage.server_state import Notices, ProcessNotice
from royalcrypt.storage.table_data import Chat
from royalcrypt.tables.texts import Audience

UNSURE_LOOKS = 5
"""So long before it is known that the channel is down, hints may have been lost."""
log = structlog.get_logger()


class Lookout:
    def __init__(
        self,
        house: House,
        teller: Teller,
        herald: Herald,
        follower: Follower,
        lists: Lists,
        chat: Chat,
        notices: Notices,
    ) -> None:
        self._house = house
        self._teller = teller
        self._herald = herald
        self._follower = follower
        self._lists = lists
        self._chat = chat
        self._notices = notices
        self._lines = Feed(0)
        self._noticed = Feed(0)
        self._reading_lines = Once(self._read_lines)
        self._reading_notices = Once(self._read_notices)
        self._recent: deque[list[str]] = deque(maxlen=UNSURE_LOOKS)
        self.take_note: Callable[[ProcessNotice], Awaitable[None]] | None = None

    async def begin(self) -> None:
        """What was before is nobody's news."""
        found = (await self._follower.poll()).changed
        self._lines, self._noticed = Feed(found.newest_line), Feed(found.newest_notice)

    async def look(self) -> None:
        changed, missed = await self._follower.poll()
        self._herald.remind(missed)
        self._recent.append(list(changed.plies))
        if not self._herald.hears:
            for tables in self._recent:
                self._lists.note(*tables)
            self._recent.clear()
        if self._lines.may_have_more(changed.newest_line):
            await self._read_lines()
        if self._noticed.may_have_more(changed.newest_notice):
            await self._read_notices()

    # What somebody said, here or in another process.

    def note_line(self, number: int) -> bool:
        """Whether a line that was said here has not been told yet."""
        return self._lines.is_new(number)

    def look_for_lines(self) -> None:
        self._reading_lines.begin()

    async def _read_lines(self) -> None:
        for line in await self._chat.since(self._lines.since):
            table = self._house.in_use(line.table)
            if self._lines.is_new(line.id) and table is not None:
                message = encode_message(Said(table=line.table, line=chat_line(line)))
                self._teller.talk(table, line.audience, message)

    def hear_reaction(self, table: str, audience: Audience, message: bytes) -> None:
        found = self._house.in_use(table)
        if found is not None:
            self._teller.talk(found, audience, message)

    # What all processes must know.

    def look_for_notices(self) -> None:
        self._reading_notices.begin()

    async def _read_notices(self) -> None:
        for notice in await self._notices.since(self._noticed.since):
            if self._noticed.is_new(notice.id) and self.take_note is not None:
                await self.take_note(notice)

    async def close(self) -> None:
        await self._reading_lines.close()
        await self._reading_notices.close()


class Once:
    """Something that is done in the background, however often it is asked for meanwhile only once more."""

    def __init__(self, work: Callable[[], Awaitable[None]]) -> None:
        self._work = work
        self._is_wanted = False
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._is_wanted = True
        if self._task is None:
            self._task = asyncio.create_task(self._do())

    async def _do(self) -> None:
        try:
            while self._is_wanted:
                self._is_wanted = False
                await self._work()
        except Refusal as refusal:  # the next look comes soon
            log.warning("could not look", reason=refusal.reason)
        finally:
            self._task = None

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
