"""E-mail notifications: address confirmation and turn reminders.

A process claims each reminder in the database (table ``letters``) before sending, so it is sent once. If the
mail server certainly did not accept it, the claim is released for a retry. If the result is unknown, because
the connection or this process failed, the reminder counts as sent: a missing reminder is better than two.
"""

import secrets
from collections.abc import AsyncIterator, Callable, Collection
from datetime import UTC, datetime

import structlog

from royalcrypt.live.hub import Hub
from royalcrypt.locales import LANGUAGES
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import ServerKeys
from royalcrypt.server.backoff import Backoff
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import ADDRESSES, ALL_ADDRESSES, MAILBOXES, NEW_ADDRESSES
from royalcrypt.server.mail import texts
from royalcrypt.server.mail.sender import Delivery, MailSender, MailServerUnreachable, SmtpSession
from royalcrypt.server.mail.texts import KEY_BYTES, Links
from royalcrypt.server.settings import ADDRESS, ServerSettings
from royalcrypt.storage.addresses import Address, Addresses, Reminder
from royalcrypt.storage.people import Person
from royalcrypt.tables.listings import TableInfo, decode_info
from royalcrypt.tables.settings import DAY, SECOND

MAX_ADDRESS_LENGTH = 254
MAX_REMINDERS = 20
"""Maximum number of reminders per run; the rest follows in the next run."""
MAX_UNCONFIRMED = 3
"""Maximum number of people with the same unconfirmed address."""
MIN_PAUSE, MAX_PAUSE = 60 * SECOND, 30 * 60 * SECOND
"""Bounds of the pause between attempts to reach the mail server, in ms."""
MINUTE = 60 * SECOND
log = structlog.get_logger()


class MailNotifications:
    def __init__(
        self,
        settings: ServerSettings,
        keys: ServerKeys,
        addresses: Addresses,
        hub: Hub,
        now: Callable[[], int],
        *,
        on_limit: Callable[[str], object],
    ) -> None:
        self._settings = settings
        self._addresses = addresses
        self._hub = hub
        self._elsewhere: Collection[str] = ()
        """Ids of people connected to other processes."""
        self._now = now
        self._sender = MailSender(settings)
        self.links = Links(keys, settings.public_url or "")
        self._limits = Limiter(on_limit)
        """Active even if the settings disable rate limits, because it protects other people's mailboxes."""
        self._backoff = Backoff(MIN_PAUSE, MAX_PAUSE)
        self._retry_at = 0.0

    @property
    def is_on(self) -> bool:
        return self._settings.smtp_host is not None

    async def address_of(self, person: str) -> Address | None:
        found = await self._addresses.of(person)
        return None if found is None or self._has_expired(found) else found

    async def give(self, person: Person, address: str, language: str, source: str) -> Address:
        """Store an address and send its confirmation; for a confirmed address, change only the language."""
        if not self.is_on:
            raise Refusal(Reason.NO_MAIL)
        given = read_address(address)
        before = await self._addresses.of(person.id)
        if before and before.confirmed and before.address == given:
            await self._addresses.set_language(person.id, language)
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
        if await self._addresses.count_asked(address, self._now() - DAY) >= MAX_UNCONFIRMED:
            raise Refusal(Reason.TOO_FAST, seconds=DAY // SECOND)

    async def _ask(self, to: Address, name: str) -> None:
        made = texts.confirmation(to, name, self.links, self._settings.smtp_from or "")
        try:
            async with self._sender.connect() as session:
                result = await session.send(made)
        except MailServerUnreachable as problem:
            log.warning("mail server not reached", why=str(problem))
            result = Delivery.FAILED
        if result is Delivery.REFUSED:
            raise Refusal(Reason.WRONG_ADDRESS)
        if result is Delivery.FAILED:
            raise Refusal(Reason.MAIL_FAILED)

    async def find_unconfirmed(self, token: str) -> Address | None:
        """Return the address of a confirmation link's token; None if it is wrong or expired."""
        key = self.links.key_in("confirm", token)
        found = await self._addresses.by_key(key) if key else None
        return None if found is None or self._has_expired(found) else found

    async def confirm(self, token: str) -> Address | None:
        found = await self.find_unconfirmed(token)
        if found and await self._addresses.confirm(found.key, self._now()):
            return found
        return None

    async def find_subscribed(self, token: str) -> Address | None:
        """Return the address of an unsubscribe link's token; None if it is wrong or was used."""
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

    async def send_reminders(self, elsewhere: Collection[str] = ()) -> None:
        """Send reminders to unconnected people who have been due to move for a while."""
        now = self._now()
        self._elsewhere = elsewhere
        await self._addresses.purge(now - DAY)
        if now < self._retry_at:
            return
        found = [waiting async for waiting in self._waiting(now)]
        if not found:
            return
        try:
            async with self._sender.connect() as session:
                self._backoff.reset()
                results: list[Delivery] = []
                for waiting in found:
                    results.append(await self._write(waiting, session))
                    if results[-1] is Delivery.FAILED and not session.is_open:
                        break  # With an open session, only this e-mail failed.
                if Delivery.FAILED in results:
                    self._retry_at = self._now() + self._backoff.next()
        except MailServerUnreachable as problem:
            self._retry_at = self._now() + self._backoff.next()
            log.warning("mail server not reached", why=str(problem), reminders=len(found))

    async def _waiting(self, now: int) -> AsyncIterator[Reminder]:
        since, day = now - self._settings.mail_after_minutes * MINUTE, day_of(now)
        after, count = (0, ""), 0
        while page := await self._addresses.waiting(since, day, after=after):
            for waiting in page:
                if self._is_wanted(waiting):
                    yield waiting
                    count += 1
                    if count == MAX_REMINDERS:
                        return
            after = page[-1].updated, page[-1].table

    def _is_wanted(self, waiting: Reminder) -> bool:
        """Whether to send it: not to connected people, for taken-over seats or without other people."""
        if self._is_connected(waiting.to.person):
            return False
        info = decode_info(waiting.info)
        return info.seats[waiting.seat].taken_over is None and bool(others_at(info, waiting.to.person))

    def _is_connected(self, person: str) -> bool:
        return person in self._hub.of_person or person in self._elsewhere

    async def _write(self, waiting: Reminder, session: SmtpSession) -> Delivery:
        now = self._now()
        day = day_of(now)
        if self._is_connected(waiting.to.person) or not await self._addresses.take(waiting, day, now):
            return Delivery.DELIVERED  # Another process has sent it, or it is no longer needed.
        info = decode_info(waiting.info)
        name = info.seats[waiting.seat].name or ""
        others = others_at(info, waiting.to.person)
        sender = self._settings.smtp_from or ""
        made = texts.reminder(waiting.to, name, others, waiting.table, self.links, sender)
        result = await session.send(made)
        if result is Delivery.FAILED:
            await self._addresses.release(waiting, day)
        elif result is Delivery.DELIVERED:
            log.info("reminder sent", table=waiting.table)
        return result


def others_at(info: TableInfo, person: str) -> list[str]:
    """Return the names of the other people at the table, without deleted people."""
    return [seat.name for seat in info.seats if seat.kind == "person" and seat.person != person and seat.name]


def read_address(text: str) -> str:
    """Normalise an e-mail address; raises Refusal if it is invalid."""
    plain = text.strip()
    local, _, domain = plain.rpartition("@")
    try:
        ascii_domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        raise Refusal(Reason.WRONG_ADDRESS) from None
    found = f"{local}@{ascii_domain.lower()}"
    is_good = len(found) <= MAX_ADDRESS_LENGTH and ADDRESS.fullmatch(found) and "." in ascii_domain
    if not is_good or ".." in local or local.startswith(".") or local.endswith("."):
        raise Refusal(Reason.WRONG_ADDRESS)
    return found


def mailbox_of(address: str) -> str:
    """Return an address without its "+tag", which many mail servers ignore."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def day_of(now: int) -> str:
    return datetime.fromtimestamp(now / SECOND, UTC).date().isoformat()
