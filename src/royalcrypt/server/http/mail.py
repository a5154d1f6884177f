"""REST routes for the caller's e-mail address, and the pages behind links in e-mails."""

import html
from typing import Annotated, Literal

import msgspec
from litestar import Controller, Response, delete, get, post, put
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.locales import language_in, say
from royalcrypt.server.http.callers import source_of
from royalcrypt.server.http.common import AnyRequest
from royalcrypt.server.http.dependencies import GivenCaller, GivenMailing
from royalcrypt.server.mail.notifications import MAX_ADDRESS_LENGTH
from royalcrypt.server.mail.texts import TOKEN_LENGTH
from royalcrypt.storage.addresses import Address

HTML = "text/html; charset=utf-8"
Language = Literal["en", "pl", "fr", "el"]


class MyAddress(msgspec.Struct):
    is_offered: bool
    """Whether this server can send e-mail."""
    address: str | None = None
    is_confirmed: bool = False
    """Whether the address is confirmed; an unconfirmed one gets only the confirmation e-mail."""
    language: str | None = None
    """Language code of e-mails to this address."""


class GivenAddress(msgspec.Struct, forbid_unknown_fields=True):
    address: Annotated[str, Meta(min_length=3, max_length=MAX_ADDRESS_LENGTH)]
    language: Language = "en"


class AddressController(Controller):
    path = "/api/me/address"
    tags = ("people",)

    @get(operation_id="people_address")
    async def address(self, caller: GivenCaller, mailing: GivenMailing) -> MyAddress:
        """Return the address to which the caller's turn reminders are sent."""
        if not mailing.is_on:
            return MyAddress(is_offered=False)
        return about(await mailing.address_of(caller.person.id))

    @put(operation_id="people_give_address")
    async def give_address(
        self, data: JSONBody[GivenAddress], request: AnyRequest, caller: GivenCaller, mailing: GivenMailing
    ) -> MyAddress:
        """Store an address for turn reminders, and send it an e-mail with a confirmation link."""
        given = await mailing.give(caller.person, data.address, data.language, source_of(request))
        return about(given)

    @delete(operation_id="people_forget_address")
    async def forget_address(self, caller: GivenCaller, mailing: GivenMailing) -> None:
        """Delete the caller's address and stop all e-mail."""
        await mailing.forget(caller.person.id)


def about(found: Address | None) -> MyAddress:
    if found is None:
        return MyAddress(is_offered=True)
    return MyAddress(
        is_offered=True,
        address=found.address,
        is_confirmed=found.confirmed is not None,
        language=found.language,
    )


class MailController(Controller):
    """Pages behind links in e-mails; they need no sign-in.

    GET has no effect, because mail programs prefetch links; the page's button sends POST.
    """

    path = "/mail"
    include_in_schema = False

    @get("/confirm")
    async def ask_to_confirm(self, request: AnyRequest, mailing: GivenMailing) -> Response[bytes]:
        found = await mailing.find_unconfirmed(token_in(request))
        if found is None:
            return page(language_of(request), "confirm.gone", status=404)
        return page(found.language, "confirm.ask", button="confirm.button", address=found.address)

    @post("/confirm", status_code=200)
    async def confirm(self, request: AnyRequest, mailing: GivenMailing) -> Response[bytes]:
        found = await mailing.confirm(token_in(request))
        if found is None:
            return page(language_of(request), "confirm.gone", status=404)
        return page(found.language, "confirm.done", address=found.address)

    @get("/stop")
    async def ask_to_stop(self, request: AnyRequest, mailing: GivenMailing) -> Response[bytes]:
        found = await mailing.find_subscribed(token_in(request))
        if found is None:
            return page(language_of(request), "stop.done")
        return page(found.language, "stop.ask", button="stop.button", address=found.address)

    @post("/stop", status_code=200)
    async def stop(self, request: AnyRequest, mailing: GivenMailing) -> Response[bytes]:
        """Stop e-mails to an address; idempotent. Mail programs call it, too (RFC 8058)."""
        found = await mailing.find_subscribed(token_in(request))
        await mailing.stop(token_in(request))
        return page(found.language if found else language_of(request), "stop.done")


def token_in(request: AnyRequest) -> str:
    """Return the token from the query string, which is never logged."""
    found = request.query_params.get("key", "")
    return found if len(found) == TOKEN_LENGTH else ""


def language_of(request: AnyRequest) -> str:
    return language_in(request.headers.get("accept-language", ""))


def page(
    language: str, key: str, *, button: str | None = None, status: int = 200, **details: str
) -> Response[bytes]:
    """Render a script-free HTML page with a short text and an optional confirmation button."""
    topic = key.partition(".")[0]
    title = html.escape(say(f"mail.{topic}.title", language))
    words = html.escape(say(f"mail.{key}", language, **details))
    home = html.escape(say("mail.home", language))
    form = ""
    if button is not None:
        label = html.escape(say(f"mail.{button}", language))
        form = f'<form method="post"><button class="act">{label}</button></form>'
    return Response(
        PAGE.format(language=language, title=title, words=words, form=form, home=home).encode(),
        status_code=status,
        headers={"Content-Type": HTML, "Cache-Control": "no-store"},
    )


# Without this referrer policy, browsers would send no Origin header with the form.
PAGE = """<!doctype html>
<html lang="{language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="referrer" content="same-origin">
  <meta name="robots" content="noindex">
  <title>{title} – Royal Crypt</title>
  <link rel="stylesheet" href="/house.css">
  <link rel="icon" href="/torch.svg" type="image/svg+xml">
</head>
<body>
  <main>
    <section>
      <h1>{title}</h1>
      <p>{words}</p>
      {form}
      <p><a href="/">{home}</a></p>
    </section>
  </main>
</body>
</html>
"""
