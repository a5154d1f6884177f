"""Letters to people: one that asks whether an address is theirs, and those that tell it is their turn.

A letter about a turn is taken in hand before it is sent (``letters`` in the database), so that of several
processes one sends it. If the mail server certainly has not got it, it is put back and tried again later. If
nobody knows, because the line or this process died meanwhile, it counts as sent: rather none than two.
"""

import secrets
from collections.abc import AsyncIterator, Callable, Collection
from datetime import UTC, datetime

import structlog

from royalcrypt.locales import LANGUAGES
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server import letters
from royalcrypt.server.backoff import Backoff
from royalcrypt.server.hub import Hub
from royalcrypt.server.keys import ServerKeys
from royalcrypt.server.letters import KEY_BYTES, Links
from royalcrypt.server.limits import ADDRESSES, ALL_ADDRESSES, MAILBOXES, NEW_ADDRESSES, Limits
from royalcrypt.server.postman import Fate, Postman, Unreachable, Way
from royalcrypt.server.settings import ADDRESS, ServerSettings
from royalcrypt.storage.addresses import Address, Addresses, Reminder
from royalcrypt.storage.people import Person
from royalcrypt.tables.listings import TableInfo, decode_info
from royalcrypt.tables.settings import DAY, SECOND

LONGEST_ADDRESS = 254
MOST_LETTERS = 20
"""In one round; the rest comes in the next."""
MOST_ASKING = 3
"""People who may have the same unconfirmed address at a time."""
SHORTEST_PAUSE, LONGEST_PAUSE = 60 * SECOND, 30 * 60 * SECOND
"""Between attempts to reach a mail server that is not there."""
MINUTE = 60 * SECOND
log = structlog.get_logger()


class Mailing:
    def __init__(
        self,
        settings: ServerSettings,
        keys: ServerKeys,
        addresses: Addresses,
        hub: Hub,
        now: Callable[[], int],
    ) -> None:
        self._settings = settings
        self._addresses = addresses
        self._hub = hub
        self._elsewhere: Collection[str] = ()
        """Who is connected to another process."""
        self._now = now
        self._postman = Postman(settings)
        self.links = Links(keys, settings.public_url or "")
        self._limits = Limits()
        """Always on, whatever the host says of others: they protect strangers' mailboxes."""
        self._backoff = Backoff(SHORTEST_PAUSE, LONGEST_PAUSE)
        self._resting_until = 0.0

    @property
    def is_on(self) -> bool:
        return self._settings.smtp_host is not None

    async def address_of(self, person: str) -> Address | None:
        found = await self._addresses.of(person)
        return None if found is None or self._has_expired(found) else found

    async def give(self, person: Person, address: str, language: str, source: str) -> Address:
        """Keep an address and ask its owner to confirm it; a confirmed one is only spoken to differently."""
        if not self.is_on:
            raise Refusal(Reason.NO_MAIL)
        given = read_address(address)
        before = await self._addresses.of(person.id)
        if before and before.confirmed and before.address == given:
            await self._addresses.speak(person.id, language)
            return await self._addresses.of(person.id) or before
        await self._check_pace(person.id, given, source)
        found = Address(
            person=person.id,
            address=given,
            language=language if language in LANGUAGES else LANGUAGES[0],
            key=secrets.token_bytes(KEY_BYTES),
            asked=self._now(),
        )
        await self._addresses.keep(found)
        await self._ask(found, person.name)
        return found

    async def _check_pace(self, person: str, address: str, source: str) -> None:
        mailbox = mailbox_of(address)
        for rate, who in (
            (ADDRESSES, person),
            (MAILBOXES, mailbox),
            (NEW_ADDRESSES, source),
            (ALL_ADDRESSES, "everybody"),
        ):
            self._limits.take(rate, who)
        if await self._addresses.count_asked(address, self._now() - DAY) >= MOST_ASKING:
            raise Refusal(Reason.TOO_FAST, seconds=DAY // SECOND)

    async def _ask(self, to: Address, name: str) -> None:
        made = letters.confirmation(to, name, self.links, self._settings.smtp_from or "")
        try:
            async with self._postman.way() as way:
                fate = await way.carry(made)
        except Unreachable as problem:
            log.warning("mail server not reached", why=str(problem))
            fate = Fate.FAILED
        if fate is Fate.REFUSED:
            raise Refusal(Reason.WRONG_ADDRESS)
        if fate is Fate.FAILED:
            raise Refusal(Reason.MAIL_FAILED)

    async def asked_by(self, token: str) -> Address | None:
        """The address that a link to confirm is about, while it is good."""
        key = self.links.key_in("confirm", token)
        found = await self._addresses.by_key(key) if key else None
        return None if found is None or self._has_expired(found) else found

    async def confirm(self, token: str) -> Address | None:
        found = await self.asked_by(token)
        if found and await self._addresses.confirm(found.key, self._now()):
            return found
        return None

    async def stopped_by(self, token: str) -> Address | None:
        """The address that a link to stop is about; None for a wrong link, or once it has stopped."""
        key = self.links.key_in("stop", token)
        return await self._addresses.by_key(key) if key else None

    async def stop(self, token: str) -> None:
        key = self.links.key_in("stop", token)
        if key:
            await self._addresses.forget(key=key)

    async def forget(self, person: str) -> None:
        await self._addresses.forget(person=person)

    def _has_expired(self, found: Address) -> bool:
        return found.confirmed is None and self._now() - found.asked >= DAY

    # Letters that tell it is somebody's turn.

    async def write_letters(self, elsewhere: Collection[str] = ()) -> None:
        """To those whose turn it has been for a while, and who are not here or elsewhere; a few at a time."""
        now = self._now()
        self._elsewhere = elsewhere
        await self._addresses.purge(now - DAY)
        if now < self._resting_until:
            return
        found = [waiting async for waiting in self._waiting(now)]
        if not found:
            return
        try:
            async with self._postman.way() as way:
                self._backoff.reset()
                fates: list[Fate] = []
                for waiting in found:
                    fates.append(await self._write(waiting, way))
                    if fates[-1] is Fate.FAILED and not way.is_open:
                        break  # else it was about this letter: the others do not wait for it
                if Fate.FAILED in fates:
                    self._resting_until = self._now() + self._backoff.next()
        except Unreachable as problem:
            self._resting_until = self._now() + self._backoff.next()
            log.warning("mail server not reached", why=str(problem), letters=len(found))

    async def _waiting(self, now: int) -> AsyncIterator[Reminder]:
        since, day = now - self._settings.mail_after_minutes * MINUTE, day_of(now)
        after, count = (0, ""), 0
        while page := await self._addresses.waiting(since, day, after=after):
            for waiting in page:
                if self._is_wanted(waiting):
                    yield waiting
                    count += 1
                    if count == MOST_LETTERS:
                        return
            after = page[-1].updated, page[-1].table

    def _is_wanted(self, waiting: Reminder) -> bool:
        """Not by those who are here, nor where a bot plays for them or nobody else sits."""
        if self._is_here(waiting.to.person):
            return False
        info = decode_info(waiting.info)
        return info.seats[waiting.seat].taken_over is None and bool(others_at(info, waiting.to.person))

    def _is_here(self, person: str) -> bool:
        return person in self._hub.of_person or person in self._elsewhere

    async def _write(self, waiting: Reminder, way: Way) -> Fate:
        now = self._now()
        day = day_of(now)
        if self._is_here(waiting.to.person) or not await self._addresses.take(waiting, day, now):
            return Fate.DELIVERED  # by somebody else, or no longer needed
        info = decode_info(waiting.info)
        name = info.seats[waiting.seat].name or ""
        others = others_at(info, waiting.to.person)
        sender = self._settings.smtp_from or ""
        made = letters.reminder(waiting.to, name, others, waiting.table, self.links, sender)
        fate = await way.carry(made)
        if fate is Fate.FAILED:
            await self._addresses.put_back(waiting, day)
        elif fate is Fate.DELIVERED:
            log.info("letter sent", table=waiting.table)
        return fate


def others_at(info: TableInfo, person: str) -> list[str]:
    """The names of the other people who play there; those who are gone for good have none."""
    return [seat.name for seat in info.seats if seat.kind == "person" and seat.person != person and seat.name]


def read_address(text: str) -> str:
    """As it is written on envelopes; refused if nobody could write to it."""
    plain = text.strip()
    local, _, domain = plain.rpartition("@")
    try:
        ascii_domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        raise Refusal(Reason.WRONG_ADDRESS) from None
    found = f"{local}@{ascii_domain.lower()}"
    is_good = len(found) <= LONGEST_ADDRESS and ADDRESS.fullmatch(found) and "." in ascii_domain
    if not is_good or ".." in local or local.startswith(".") or local.endswith("."):
        raise Refusal(Reason.WRONG_ADDRESS)
    return found


def mailbox_of(address: str) -> str:
    """Where it surely arrives: what follows a plus is the reader's own affair at many mail servers."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def day_of(now: int) -> str:
    return datetime.fromtimestamp(now / SECOND, UTC).date().isoformat()
