"""Identities: a signed cookie per device, plus codes and recovery phrases for signing in on other devices."""

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from itsdangerous import BadData, URLSafeSerializer

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import ServerKeys
from royalcrypt.server.accounts.recovery_phrases import WORDS, new_secret, phrase_of, secret_in
from royalcrypt.storage.people import People, Person
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.texts import clean_name

PERSON_BYTES, DEVICE_BYTES = 9, 18
CODE_CHARACTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Characters of sign-in codes: digits and letters except I, L, O and U, which are easily misread."""
CODE_LENGTH = 10
"""Of 50 bits: codes are safe by their length, not by a limit of all attempts (``limits.SIGN_INS``)."""
CODE_MILLISECONDS = 10 * 60 * 1000
COOKIE_SECONDS = 400 * 24 * 60 * 60
"""Lifetime of the identity cookie: 400 days, the maximum that browsers accept."""
MAX_CACHED = 20_000
LOCKOUT_SECONDS = 60.0
"""Seconds for which sign-in is blocked after another process starts to delete the person."""


class Caller(NamedTuple):
    """The authenticated sender of a request: a person on one device, or a program with its owner (keeper)."""

    person: Person
    device: str
    keeper: Person | None = None

    @property
    def is_banned(self) -> bool:
        """Whether the caller is banned; a program is banned together with its keeper."""
        return self.person.is_banned or (self.keeper is not None and self.keeper.is_banned)

    @property
    def sitter(self) -> Sitter:
        """The caller under their own name at a table."""
        return Sitter(self.person.id, self.person.name, None if self.keeper is None else self.keeper.name)


class Identities:
    def __init__(self, people: People, keys: ServerKeys, *, is_secure: bool, now: Callable[[], int]) -> None:
        self._people = people
        self._now = now
        self.is_secure = is_secure
        self._codes_key = keys.derived("codes")
        self._phrases_key = keys.derived("phrases")
        self._signer = URLSafeSerializer(
            keys.signing_key(), salt="identity", signer_kwargs={"digest_method": hashlib.sha256}
        )
        self._known: dict[tuple[str, str], Person] = {}
        self._changes = 0
        self.deleting: set[str] = set()
        """Ids of people whose deletion is in progress; they can no longer sign in."""
        mark = hashlib.sha256(keys.derived("cookie name")).hexdigest()[:8]
        self.cookie_name = f"{'__Host-' if is_secure else ''}royalcrypt-{mark}"
        """Differs between servers, because browsers send cookies to every port of a host."""

    def cookie_for(self, known: Caller) -> str:
        return str(self._signer.dumps([known.person.id, known.device]))

    async def identify(self, cookie: str | None) -> Caller | None:
        """Return the caller for a cookie value; None if the cookie is invalid or its device was revoked."""
        if not cookie:
            return None
        try:
            person_id, device = msgspec.convert(self._signer.loads(cookie), tuple[str, str])
        except (BadData, msgspec.ValidationError):
            return None
        if person_id in self.deleting:
            return None
        person = self._known.get((person_id, device))
        if person is None:
            changes = self._changes
            if not await self._people.is_device_valid(person_id, device):
                return None
            person = await self._people.find(person_id)
            if person is None:
                return None
            if changes == self._changes:  # otherwise the result may be stale
                self._remember(person, device)
        return Caller(person, device)

    def _remember(self, person: Person, device: str) -> None:
        if len(self._known) >= MAX_CACHED:
            self._known.pop(next(iter(self._known)))
        self._known[person.id, device] = person

    def forget(self, person: str) -> None:
        """Remove a person from the cache after their data has changed."""
        self._changes += 1
        for key in [key for key in self._known if key[0] == person]:
            del self._known[key]

    def lock_out(self, person: str) -> None:
        """Block sign-in for LOCKOUT_SECONDS while another process deletes the person (which may fail)."""
        self.forget(person)
        self.deleting.add(person)
        asyncio.get_running_loop().call_later(LOCKOUT_SECONDS, self.deleting.discard, person)

    async def create(self, name: str) -> Caller:
        person = Person(secrets.token_urlsafe(PERSON_BYTES), clean_name(name), self._now())
        device = secrets.token_urlsafe(DEVICE_BYTES)
        await self._people.add(person, device)
        return Caller(person, device)

    async def rename(self, known: Caller, name: str) -> Caller:
        cleaned = clean_name(name)
        await self._people.update(known.person.id, name=cleaned)
        self.forget(known.person.id)
        return known._replace(person=msgspec.structs.replace(known.person, name=cleaned))

    async def sign_out(self, known: Caller) -> None:
        await self._people.revoke_device(known.person.id, known.device, self._now())
        self.forget(known.person.id)

    async def make_code(self, known: Caller) -> tuple[str, int]:
        """Return a code that signs in one other device, and its expiry time (ms since 1970)."""
        code = "".join(secrets.choice(CODE_CHARACTERS) for _ in range(CODE_LENGTH))
        expires = self._now() + CODE_MILLISECONDS
        await self._people.keep_code(self._digest(code), known.person.id, expires)
        return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}", expires

    async def sign_in(self, code: str) -> Caller:
        """Sign in a new device as the person who created the code; raises Refusal for an invalid code."""
        person_id = await self._people.redeem_code(self._digest(code), self._now())
        return await self._add_device(person_id, Refusal(Reason.WRONG_CODE))

    async def make_phrase(self, known: Caller) -> str:
        """Create a recovery phrase that signs in any device and replaces the previous phrase."""
        secret = new_secret()
        await self._people.keep_phrase(known.person.id, self._digest_of_phrase(secret), self._now())
        return phrase_of(secret)

    async def phrase_made(self, known: Caller) -> int | None:
        return await self._people.phrase_made(known.person.id)

    async def recover(self, phrase: str) -> Caller:
        """Sign in a new device with a recovery phrase, which stays valid."""
        person_id = await self._people.find_by_phrase(self._digest_of_phrase(secret_in(phrase)))
        return await self._add_device(person_id, Refusal(Reason.WRONG_PHRASE, why="unknown", words=WORDS))

    async def _add_device(self, person_id: str | None, otherwise: Refusal) -> Caller:
        person = await self._people.find(person_id) if person_id else None
        if person is None or person.id in self.deleting:
            raise otherwise
        if person.is_banned:
            raise Refusal(Reason.BANNED)
        device = secrets.token_urlsafe(DEVICE_BYTES)
        await self._people.add_device(person.id, device, self._now())
        return Caller(person, device)

    def _digest_of_phrase(self, secret: bytes) -> bytes:
        return hmac.digest(self._phrases_key, secret, "sha256")

    def _digest(self, code: str) -> bytes:
        """Hash a typed code, accepting any case, an optional dash, O for 0, and I or L for 1."""
        plain = code.upper().translate(str.maketrans("OIL", "011", " -"))
        return hmac.digest(self._codes_key, plain.encode("utf-8", "surrogatepass"), "sha256")
