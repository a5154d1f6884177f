"""Who somebody is: a signed cookie on each of their devices, and codes and phrases to sign in on another."""

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from itsdangerous import BadData, URLSafeSerializer

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.keys import ServerKeys
from royalcrypt.server.phrases import WORDS, new_secret, phrase_of, secret_in
from royalcrypt.storage.people import People, Person
from royalcrypt.tables.texts import clean_name

PERSON_BYTES, DEVICE_BYTES = 9, 18
CODE_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without I, L, O and U, which are misread."""
CODE_LENGTH = 8
CODE_LASTS = 10 * 60 * 1000
COOKIE_LASTS = 400 * 24 * 60 * 60
"""Seconds; no browser keeps a cookie longer."""
MOST_KNOWN = 20_000
SHUT_OUT = 60.0
"""Seconds for which nobody may come in as somebody whom another process deletes."""


class Known(NamedTuple):
    """Somebody on one of their devices; or a program, and who keeps it."""

    person: Person
    device: str
    keeper: Person | None = None

    @property
    def is_banned(self) -> bool:
        """A program goes with its keeper."""
        return self.person.is_banned or (self.keeper is not None and self.keeper.is_banned)


class Identities:
    def __init__(self, people: People, keys: ServerKeys, *, is_secure: bool, now: Callable[[], int]) -> None:
        self._people = people
        self._now = now
        self._codes_key = keys.derived("codes")
        self._phrases_key = keys.derived("phrases")
        self._signer = URLSafeSerializer(
            keys.signing_key(), salt="identity", signer_kwargs={"digest_method": hashlib.sha256}
        )
        self._known: dict[tuple[str, str], Person] = {}
        self._changes = 0
        self.leaving: set[str] = set()
        """People who are being deleted: they are nobody already."""
        mark = hashlib.sha256(keys.derived("cookie name")).hexdigest()[:8]
        self.cookie_name = f"{'__Host-' if is_secure else ''}royalcrypt-{mark}"
        """One for each server: cookies do not tell ports apart."""

    def cookie_for(self, known: Known) -> str:
        return str(self._signer.dumps([known.person.id, known.device]))

    async def identify(self, cookie: str | None) -> Known | None:
        """Whose cookie it is; None for one that is not ours, or no longer good."""
        if not cookie:
            return None
        try:
            person_id, device = msgspec.convert(self._signer.loads(cookie), tuple[str, str])
        except (BadData, msgspec.ValidationError):
            return None
        if person_id in self.leaving:
            return None
        person = self._known.get((person_id, device))
        if person is None:
            changes = self._changes
            if not await self._people.is_device_valid(person_id, device):
                return None
            person = await self._people.find(person_id)
            if person is None:
                return None
            if changes == self._changes:  # else what was read may be what they were before
                self._remember(person, device)
        return Known(person, device)

    def _remember(self, person: Person, device: str) -> None:
        if len(self._known) >= MOST_KNOWN:
            self._known.pop(next(iter(self._known)))
        self._known[person.id, device] = person

    def forget(self, person: str) -> None:
        """Something about them has changed: look them up again."""
        self._changes += 1
        for key in [key for key in self._known if key[0] == person]:
            del self._known[key]

    def shut_out(self, person: str) -> None:
        """Another process deletes them: nobody comes in as them here, or only later, should that fail."""
        self.forget(person)
        self.leaving.add(person)
        asyncio.get_running_loop().call_later(SHUT_OUT, self.leaving.discard, person)

    async def create(self, name: str) -> Known:
        person = Person(secrets.token_urlsafe(PERSON_BYTES), clean_name(name), self._now())
        device = secrets.token_urlsafe(DEVICE_BYTES)
        await self._people.add(person, device)
        return Known(person, device)

    async def rename(self, known: Known, name: str) -> Known:
        cleaned = clean_name(name)
        await self._people.update(known.person.id, name=cleaned)
        self.forget(known.person.id)
        return known._replace(person=msgspec.structs.replace(known.person, name=cleaned))

    async def sign_out(self, known: Known) -> None:
        await self._people.revoke_device(known.person.id, known.device, self._now())
        self.forget(known.person.id)

    async def make_code(self, known: Known) -> tuple[str, int]:
        """A code that signs in one other device within ten minutes, and when it expires."""
        code = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
        expires = self._now() + CODE_LASTS
        await self._people.keep_code(self._digest(code), known.person.id, expires)
        return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}", expires

    async def sign_in(self, code: str) -> Known:
        """A new device of whoever asked for the code; always a new cookie."""
        person_id = await self._people.redeem_code(self._digest(code), self._now())
        return await self._on_new_device(person_id, Refusal(Reason.WRONG_CODE))

    async def make_phrase(self, known: Known) -> str:
        """The phrase that brings somebody back on any device; from now on only this one does."""
        secret = new_secret()
        await self._people.keep_phrase(known.person.id, self._digest_of_phrase(secret), self._now())
        return phrase_of(secret)

    async def phrase_made(self, known: Known) -> int | None:
        return await self._people.phrase_made(known.person.id)

    async def recover(self, phrase: str) -> Known:
        """A new device of whoever has the phrase, which stays good."""
        person_id = await self._people.whose_phrase(self._digest_of_phrase(secret_in(phrase)))
        return await self._on_new_device(person_id, Refusal(Reason.WRONG_PHRASE, why="unknown", words=WORDS))

    async def _on_new_device(self, person_id: str | None, otherwise: Refusal) -> Known:
        person = await self._people.find(person_id) if person_id else None
        if person is None or person.id in self.leaving:
            raise otherwise
        if person.is_banned:
            raise Refusal(Reason.BANNED)
        device = secrets.token_urlsafe(DEVICE_BYTES)
        await self._people.add_device(person.id, device, self._now())
        return Known(person, device)

    def _digest_of_phrase(self, secret: bytes) -> bytes:
        return hmac.digest(self._phrases_key, secret, "sha256")

    def _digest(self, code: str) -> bytes:
        """Read as people write it: in small letters, with or without the dash, O for 0 and I or L for 1."""
        plain = code.upper().translate(str.maketrans("OIL", "011", " -"))
        return hmac.digest(self._codes_key, plain.encode("utf-8", "surrogatepass"), "sha256")
