"""Who I am: a name, a cookie, codes and a phrase for my other devices, and the end of all that."""

from typing import Annotated

import msgspec
from litestar import Controller, Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.connections import Close
from royalcrypt.server.farewell import say_farewell
from royalcrypt.server.identities import COOKIE_LASTS, Known
from royalcrypt.server.limits import ALL_SIGN_INS, CODES, NEW_PEOPLE, SIGN_INS
from royalcrypt.server.rest.common import (
    AnyRequest,
    GivenKnown,
    GivenService,
    download,
    is_same,
    known_of,
    source_of,
    token_in,
)
from royalcrypt.server.rest.opening import Name
from royalcrypt.server.service import Service
from royalcrypt.storage.server_state import NoticeKind
from royalcrypt.tables.texts import clean_name


class NewPerson(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    invitation: Annotated[str, Meta(max_length=64)] | None = None
    """Needed by newcomers where the server is for invited people only."""


class NewName(msgspec.Struct, forbid_unknown_fields=True):
    name: Name


class Code(msgspec.Struct):
    code: str
    expires: int


class GivenCode(msgspec.Struct, forbid_unknown_fields=True):
    code: Annotated[str, Meta(min_length=1, max_length=32)]


class Phrase(msgspec.Struct):
    phrase: str
    """Seven made-up words, told this once."""


class PhraseMade(msgspec.Struct):
    made: int | None
    """When; None without one."""


class GivenPhrase(msgspec.Struct, forbid_unknown_fields=True):
    phrase: Annotated[str, Meta(min_length=1, max_length=200)]


class Me(msgspec.Struct):
    person: str
    name: str
    is_muted: bool = False
    keeper: str | msgspec.UnsetType = msgspec.UNSET
    """To a program: the name of the person who keeps it."""


class PeopleController(Controller):
    path = "/api"
    tags = ("people",)

    @get("/me", operation_id="people_me", summary="Who I am; null for a device that is not known")
    async def me(self, request: AnyRequest) -> Me | None:
        known = await known_of(request)
        return None if known is None else about(known)

    @post(
        "/me",
        operation_id="people_begin",
        summary="Begin with a name: sets the cookie by which this device is known",
    )
    async def begin(
        self, data: JSONBody[NewPerson], request: AnyRequest, service: GivenService
    ) -> Response[Me]:
        service.limits.take(NEW_PEOPLE, source_of(request))
        if await known_of(request) is not None:
            raise Refusal(Reason.ALREADY_SIGNED_IN)
        if service.house_rules.is_invite_only and not is_same(service.invitation(), data.invitation):
            raise Refusal(Reason.INVITE_ONLY)
        return with_cookie(service, await service.identities.create(data.name), 201)

    @patch("/me", operation_id="people_rename", summary="Change my name")
    async def rename(self, data: JSONBody[NewName], known: GivenKnown, service: GivenService) -> Me:
        renamed = await service.identities.rename(known, data.name)
        for connection in service.hub.of_person.get(known.person.id, ()):
            connection.name = renamed.person.name
        await service.proclaim(NoticeKind.PERSON, known.person.id)
        return about(renamed)

    @delete("/me/device", operation_id="people_sign_out", summary="Sign this device out")
    async def sign_out(self, known: GivenKnown, service: GivenService) -> Response[None]:
        await service.identities.sign_out(known)
        for connection in list(service.hub.of_person.get(known.person.id, ())):
            if connection.device == known.device:
                connection.close(Close.POLICY)
        await service.proclaim(NoticeKind.PERSON, known.person.id)
        return Response(None, status_code=204, cookies=[cookie_of(service, "", lasts=0)])

    @post(
        "/me/codes", operation_id="people_make_code", summary="A one-time code that signs in another device"
    )
    async def make_code(self, known: GivenKnown, service: GivenService) -> Code:
        service.limits.take(CODES, known.person.id)
        return Code(*await service.identities.make_code(known))

    @post(
        "/sign-in", operation_id="people_sign_in", summary="Sign this device in with a code", status_code=200
    )
    async def sign_in(
        self, data: JSONBody[GivenCode], request: AnyRequest, service: GivenService
    ) -> Response[Me]:
        check_sign_in(service, request)
        return with_cookie(service, await service.identities.sign_in(data.code), 200)

    @get("/me/recovery", operation_id="people_phrase_made", summary="Whether I have a recovery phrase")
    async def phrase_made(self, known: GivenKnown, service: GivenService) -> PhraseMade:
        return PhraseMade(await service.identities.phrase_made(known))

    @post(
        "/me/recovery",
        operation_id="people_make_phrase",
        summary="A new recovery phrase, which replaces the one before",
    )
    async def make_phrase(self, known: GivenKnown, service: GivenService) -> Phrase:
        service.limits.take(CODES, known.person.id)
        return Phrase(await service.identities.make_phrase(known))

    @post(
        "/sign-in/phrase",
        operation_id="people_recover",
        summary="Sign this device in with a recovery phrase",
        status_code=200,
    )
    async def recover(
        self, data: JSONBody[GivenPhrase], request: AnyRequest, service: GivenService
    ) -> Response[Me]:
        check_sign_in(service, request)
        return with_cookie(service, await service.identities.recover(data.phrase), 200)

    @get(
        "/me/data",
        operation_id="people_data",
        summary="All that is kept about me",
        media_type="application/json",
    )
    async def data(self, known: GivenKnown, service: GivenService) -> Response[bytes]:
        found = await service.personal.export(known.person.id)
        return download(msgspec.json.format(msgspec.json.encode(found), indent=1), "royalcrypt-data.json")

    @delete(
        "/me",
        operation_id="people_leave_for_good",
        summary="Delete me and all that is personal about me; my name confirms it",
    )
    async def leave_for_good(
        self, data: JSONBody[NewName], known: GivenKnown, service: GivenService
    ) -> Response[None]:
        if clean_name(data.name).casefold() != known.person.name.casefold():
            raise Refusal(Reason.OTHER_NAME, name=known.person.name)
        await say_farewell(service, known.person.id)
        return Response(None, status_code=204, cookies=[cookie_of(service, "", lasts=0)])


def check_sign_in(service: Service, request: AnyRequest) -> None:
    """Slows down who guesses codes and phrases, from one address and from many; programs have their token."""
    service.limits.take(SIGN_INS, source_of(request))
    service.limits.take(ALL_SIGN_INS, "everybody")
    if token_in(request) is not None:
        raise Refusal(Reason.NOT_FOR_PROGRAMS)


def about(known: Known) -> Me:
    keeper = msgspec.UNSET if known.keeper is None else known.keeper.name
    return Me(known.person.id, known.person.name, is_muted=known.person.is_muted, keeper=keeper)


def with_cookie(service: Service, known: Known, status: int) -> Response[Me]:
    cookie = cookie_of(service, service.identities.cookie_for(known), lasts=COOKIE_LASTS)
    return Response(about(known), status_code=status, cookies=[cookie])


def cookie_of(service: Service, value: str, *, lasts: int) -> Cookie:
    """Whoever takes it away must describe it alike, or browsers keep it."""
    return Cookie(
        key=service.identities.cookie_name,
        value=value,
        path="/",
        max_age=lasts,
        httponly=True,
        samesite="lax",
        secure=service.settings.is_secure,
    )
