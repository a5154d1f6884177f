"""REST routes for the caller's account: name, sign-in, codes, recovery phrase, data export and deletion."""

from typing import Annotated

import msgspec
from litestar import Controller, Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.live.connection import Close
from royalcrypt.live.wire.tables import Name
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import COOKIE_SECONDS, Caller, Identities
from royalcrypt.server.http.callers import source_of, token_in
from royalcrypt.server.http.common import AnyRequest, download
from royalcrypt.server.http.dependencies import (
    GivenCaller,
    GivenCallers,
    GivenDownloads,
    GivenHostRules,
    GivenHub,
    GivenIdentities,
    GivenLimits,
    GivenPublisher,
    GivenRemoval,
)
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import CODES, NEW_PEOPLE, SIGN_INS
from royalcrypt.storage.server_state import NoticeKind
from royalcrypt.tables.texts import clean_name


class NewPerson(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    invitation: Annotated[str, Meta(max_length=64)] | None = None
    """Invitation key; required on an invite-only server."""


class NewName(msgspec.Struct, forbid_unknown_fields=True):
    name: Name


class Code(msgspec.Struct):
    code: str
    expires: int


class GivenCode(msgspec.Struct, forbid_unknown_fields=True):
    code: Annotated[str, Meta(min_length=1, max_length=64)]


class Phrase(msgspec.Struct):
    phrase: str
    """Recovery phrase of seven invented words, shown only once."""


class PhraseMade(msgspec.Struct):
    made: int | None
    """When the phrase was created, in ms since 1970; None without a phrase."""


class GivenPhrase(msgspec.Struct, forbid_unknown_fields=True):
    phrase: Annotated[str, Meta(min_length=1, max_length=200)]


class Me(msgspec.Struct):
    person: str
    name: str
    is_muted: bool = False
    keeper: str | msgspec.UnsetType = msgspec.UNSET
    """Name of the program's keeper (owner); absent for people."""


class PeopleController(Controller):
    path = "/api"
    tags = ("people",)

    @get("/me", operation_id="people_me")
    async def me(self, request: AnyRequest, callers: GivenCallers) -> Me | None:
        """Return the caller's account; null for an unknown device."""
        caller = await callers.of(request)
        return None if caller is None else about(caller)

    @post("/me", operation_id="people_begin")
    async def begin(
        self,
        data: JSONBody[NewPerson],
        request: AnyRequest,
        limits: GivenLimits,
        callers: GivenCallers,
        host_rules: GivenHostRules,
        identities: GivenIdentities,
    ) -> Response[Me]:
        """Create an account with a name, and set the identity cookie for this device."""
        limits.take(NEW_PEOPLE, source_of(request))
        if await callers.of(request) is not None:
            raise Refusal(Reason.ALREADY_SIGNED_IN)
        await host_rules.check_newcomer(data.invitation)
        return with_cookie(identities, await identities.create(data.name), 201)

    @patch("/me", operation_id="people_rename")
    async def rename(
        self,
        data: JSONBody[NewName],
        caller: GivenCaller,
        identities: GivenIdentities,
        hub: GivenHub,
        publisher: GivenPublisher,
    ) -> Me:
        """Change the caller's name."""
        renamed = await identities.rename(caller, data.name)
        for connection in hub.of_person.get(caller.person.id, ()):
            connection.name = renamed.person.name
        await publisher.publish(NoticeKind.PERSON, caller.person.id)
        return about(renamed)

    @delete("/me/device", operation_id="people_sign_out")
    async def sign_out(
        self, caller: GivenCaller, identities: GivenIdentities, hub: GivenHub, publisher: GivenPublisher
    ) -> Response[None]:
        """Sign out this device."""
        await identities.sign_out(caller)
        for connection in list(hub.of_person.get(caller.person.id, ())):
            if connection.device == caller.device:
                connection.close(Close.POLICY)
        await publisher.publish(NoticeKind.PERSON, caller.person.id)
        return Response(None, status_code=204, cookies=[cookie_of(identities, "", max_age=0)])

    @post("/me/codes", operation_id="people_make_code")
    async def make_code(self, caller: GivenCaller, limits: GivenLimits, identities: GivenIdentities) -> Code:
        """Create a one-time code that signs in another device."""
        limits.take(CODES, caller.person.id)
        return Code(*await identities.make_code(caller))

    @post("/sign-in", operation_id="people_sign_in", status_code=200)
    async def sign_in(
        self, data: JSONBody[GivenCode], request: AnyRequest, limits: GivenLimits, identities: GivenIdentities
    ) -> Response[Me]:
        """Sign in this device with a code."""
        check_sign_in(limits, request)
        return with_cookie(identities, await identities.sign_in(data.code), 200)

    @get("/me/recovery", operation_id="people_phrase_made")
    async def phrase_made(self, caller: GivenCaller, identities: GivenIdentities) -> PhraseMade:
        """Return when the caller's recovery phrase was created, if there is one."""
        return PhraseMade(await identities.phrase_made(caller))

    @post("/me/recovery", operation_id="people_make_phrase")
    async def make_phrase(
        self, caller: GivenCaller, limits: GivenLimits, identities: GivenIdentities
    ) -> Phrase:
        """Create a recovery phrase; it replaces the previous one."""
        limits.take(CODES, caller.person.id)
        return Phrase(await identities.make_phrase(caller))

    @post("/sign-in/phrase", operation_id="people_recover", status_code=200)
    async def recover(
        self,
        data: JSONBody[GivenPhrase],
        request: AnyRequest,
        limits: GivenLimits,
        identities: GivenIdentities,
    ) -> Response[Me]:
        """Sign in this device with a recovery phrase."""
        check_sign_in(limits, request)
        return with_cookie(identities, await identities.recover(data.phrase), 200)

    @get("/me/data", operation_id="people_data", media_type="application/json")
    async def data(self, caller: GivenCaller, downloads: GivenDownloads) -> Response[bytes]:
        """Download all stored data about the caller."""
        return download(await downloads.everything(caller.person.id), "royalcrypt-data.json")

    @delete("/me", operation_id="people_leave_for_good")
    async def leave_for_good(
        self, data: JSONBody[NewName], caller: GivenCaller, removal: GivenRemoval, identities: GivenIdentities
    ) -> Response[None]:
        """Delete the caller's account and all personal data; the body repeats the name as confirmation."""
        if clean_name(data.name).casefold() != caller.person.name.casefold():
            raise Refusal(Reason.OTHER_NAME, name=caller.person.name)
        await removal.delete(caller.person.id)
        return Response(None, status_code=204, cookies=[cookie_of(identities, "", max_age=0)])


def check_sign_in(limits: Limiter, request: AnyRequest) -> None:
    """Rate-limit sign-in attempts per address; refuses programs, which sign in by token."""
    limits.take(SIGN_INS, source_of(request))
    if token_in(request) is not None:
        raise Refusal(Reason.NOT_FOR_PROGRAMS)


def about(caller: Caller) -> Me:
    keeper = msgspec.UNSET if caller.keeper is None else caller.keeper.name
    return Me(caller.person.id, caller.person.name, is_muted=caller.person.is_muted, keeper=keeper)


def with_cookie(identities: Identities, caller: Caller, status: int) -> Response[Me]:
    cookie = cookie_of(identities, identities.cookie_for(caller), max_age=COOKIE_SECONDS)
    return Response(about(caller), status_code=status, cookies=[cookie])


def cookie_of(identities: Identities, value: str, *, max_age: int) -> Cookie:
    """Build the identity cookie; setting and deleting it require the same attributes."""
    return Cookie(
        key=identities.cookie_name,
        value=value,
        path="/",
        max_age=max_age,
        httponly=True,
        samesite="lax",
        secure=identities.is_secure,
    )
