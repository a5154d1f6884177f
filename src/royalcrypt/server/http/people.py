"""REST routes for the caller's account: name, sign-in, codes, recovery phrase, data export and deletion."""

from typing import Annotated

import msgspec
from litestar import Controller, Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.live.connection import Close
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import COOKIE_SECONDS, Caller
from royalcrypt.server.http.callers import source_of, token_in
from royalcrypt.server.http.common import (
    AnyRequest,
    GivenCaller,
    GivenService,
    caller_of,
    download,
)
from royalcrypt.server.http.rate_limits import ALL_SIGN_INS, CODES, NEW_PEOPLE, SIGN_INS
from royalcrypt.server.http.table_creation import Name
from royalcrypt.server.service import Service
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
    code: Annotated[str, Meta(min_length=1, max_length=32)]


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
    async def me(self, request: AnyRequest) -> Me | None:
        """Return the caller's account; null for an unknown device."""
        caller = await caller_of(request)
        return None if caller is None else about(caller)

    @post("/me", operation_id="people_begin")
    async def begin(
        self, data: JSONBody[NewPerson], request: AnyRequest, service: GivenService
    ) -> Response[Me]:
        """Create an account with a name, and set the identity cookie for this device."""
        service.limits.take(NEW_PEOPLE, source_of(request))
        if await caller_of(request) is not None:
            raise Refusal(Reason.ALREADY_SIGNED_IN)
        service.host_rules.check_stranger(data.invitation)
        return with_cookie(service, await service.identities.create(data.name), 201)

    @patch("/me", operation_id="people_rename")
    async def rename(self, data: JSONBody[NewName], caller: GivenCaller, service: GivenService) -> Me:
        """Change the caller's name."""
        renamed = await service.identities.rename(caller, data.name)
        for connection in service.hub.of_person.get(caller.person.id, ()):
            connection.name = renamed.person.name
        await service.publisher.publish(NoticeKind.PERSON, caller.person.id)
        return about(renamed)

    @delete("/me/device", operation_id="people_sign_out")
    async def sign_out(self, caller: GivenCaller, service: GivenService) -> Response[None]:
        """Sign out this device."""
        await service.identities.sign_out(caller)
        for connection in list(service.hub.of_person.get(caller.person.id, ())):
            if connection.device == caller.device:
                connection.close(Close.POLICY)
        await service.publisher.publish(NoticeKind.PERSON, caller.person.id)
        return Response(None, status_code=204, cookies=[cookie_of(service, "", max_age=0)])

    @post("/me/codes", operation_id="people_make_code")
    async def make_code(self, caller: GivenCaller, service: GivenService) -> Code:
        """Create a one-time code that signs in another device."""
        service.limits.take(CODES, caller.person.id)
        return Code(*await service.identities.make_code(caller))

    @post("/sign-in", operation_id="people_sign_in", status_code=200)
    async def sign_in(
        self, data: JSONBody[GivenCode], request: AnyRequest, service: GivenService
    ) -> Response[Me]:
        """Sign in this device with a code."""
        check_sign_in(service, request)
        return with_cookie(service, await service.identities.sign_in(data.code), 200)

    @get("/me/recovery", operation_id="people_phrase_made")
    async def phrase_made(self, caller: GivenCaller, service: GivenService) -> PhraseMade:
        """Return when the caller's recovery phrase was created, if there is one."""
        return PhraseMade(await service.identities.phrase_made(caller))

    @post("/me/recovery", operation_id="people_make_phrase")
    async def make_phrase(self, caller: GivenCaller, service: GivenService) -> Phrase:
        """Create a recovery phrase; it replaces the previous one."""
        service.limits.take(CODES, caller.person.id)
        return Phrase(await service.identities.make_phrase(caller))

    @post("/sign-in/phrase", operation_id="people_recover", status_code=200)
    async def recover(
        self, data: JSONBody[GivenPhrase], request: AnyRequest, service: GivenService
    ) -> Response[Me]:
        """Sign in this device with a recovery phrase."""
        check_sign_in(service, request)
        return with_cookie(service, await service.identities.recover(data.phrase), 200)

    @get("/me/data", operation_id="people_data", media_type="application/json")
    async def data(self, caller: GivenCaller, service: GivenService) -> Response[bytes]:
        """Download all stored data about the caller."""
        found = await service.personal.export(caller.person.id)
        return download(msgspec.json.format(msgspec.json.encode(found), indent=1), "royalcrypt-data.json")

    @delete("/me", operation_id="people_leave_for_good")
    async def leave_for_good(
        self, data: JSONBody[NewName], caller: GivenCaller, service: GivenService
    ) -> Response[None]:
        """Delete the caller's account and all personal data; the body repeats the name as confirmation."""
        if clean_name(data.name).casefold() != caller.person.name.casefold():
            raise Refusal(Reason.OTHER_NAME, name=caller.person.name)
        await service.removal.delete(caller.person.id)
        return Response(None, status_code=204, cookies=[cookie_of(service, "", max_age=0)])


def check_sign_in(service: Service, request: AnyRequest) -> None:
    """Rate-limit sign-in attempts per address and in total; refuses programs, which sign in by token."""
    service.limits.take(SIGN_INS, source_of(request))
    service.limits.take(ALL_SIGN_INS, "everybody")
    if token_in(request) is not None:
        raise Refusal(Reason.NOT_FOR_PROGRAMS)


def about(caller: Caller) -> Me:
    keeper = msgspec.UNSET if caller.keeper is None else caller.keeper.name
    return Me(caller.person.id, caller.person.name, is_muted=caller.person.is_muted, keeper=keeper)


def with_cookie(service: Service, caller: Caller, status: int) -> Response[Me]:
    cookie = cookie_of(service, service.identities.cookie_for(caller), max_age=COOKIE_SECONDS)
    return Response(about(caller), status_code=status, cookies=[cookie])


def cookie_of(service: Service, value: str, *, max_age: int) -> Cookie:
    """Build the identity cookie; setting and deleting it require the same attributes."""
    return Cookie(
        key=service.identities.cookie_name,
        value=value,
        path="/",
        max_age=max_age,
        httponly=True,
        samesite="lax",
        secure=service.settings.is_secure,
    )
