"""Texts of e-mails and the signed links in them."""

import base64
import hmac
import html
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import Literal
from urllib.parse import urlsplit

from royalcrypt.locales import say
from royalcrypt.server.accounts.keys import ServerKeys
from royalcrypt.storage.addresses import Address

Purpose = Literal["confirm", "stop"]
KEY_BYTES, SEAL_BYTES = 12, 12
TOKEN_LENGTH = 4 * (KEY_BYTES + SEAL_BYTES) // 3
MAX_NAME_LENGTH = 60
"""Maximum length of a name in an e-mail, in characters, to prevent abuse as advertising."""


class Links:
    """Creates and verifies signed links, each valid for one address and one purpose."""

    def __init__(self, keys: ServerKeys, public_url: str) -> None:
        self._key = keys.derived("letters")
        self._url = public_url

    @property
    def site(self) -> str:
        return urlsplit(self._url).netloc

    def to_table(self, table: str) -> str:
        return f"{self._url}/#/table/{table}"

    def to_page(self, purpose: Purpose, address: Address) -> str:
        return f"{self._url}/mail/{purpose}?key={self.token(purpose, address.key)}"

    def token(self, purpose: Purpose, key: bytes) -> str:
        return base64.urlsafe_b64encode(key + self._seal(purpose, key)).decode()

    def key_in(self, purpose: Purpose, token: str) -> bytes | None:
        """Return the address key in a token; None if the signature is invalid or for another purpose."""
        if len(token) != TOKEN_LENGTH or not token.isascii():
            return None
        try:
            found = base64.b64decode(token, altchars=b"-_", validate=True)
        except ValueError:
            return None
        key, seal = found[:KEY_BYTES], found[KEY_BYTES:]
        return key if hmac.compare_digest(seal, self._seal(purpose, key)) else None

    def _seal(self, purpose: Purpose, key: bytes) -> bytes:
        return hmac.digest(self._key, purpose.encode() + key, "sha256")[:SEAL_BYTES]


def confirmation(to: Address, name: str, links: Links, sender: str) -> EmailMessage:
    language, link = to.language, links.to_page("confirm", to)
    paragraphs = [
        say("mail.hello", language, name=shortened(name)),
        say("mail.confirm.text", language, site=links.site),
        say("mail.confirm.else", language),
    ]
    button = (say("mail.confirm.button", language), link)
    return compose(to, sender, say("mail.confirm.subject", language), paragraphs, button)


def reminder(
    to: Address, name: str, others: list[str], table: str, links: Links, sender: str
) -> EmailMessage:
    language, stop = to.language, links.to_page("stop", to)
    company = ", ".join(shortened(other) for other in others)
    paragraphs = [
        say("mail.hello", language, name=shortened(name)),
        say("mail.turn.text", language, company=company, site=links.site),
    ]
    button = (say("mail.turn.button", language), links.to_table(table))
    foot = (say("mail.turn.foot", language), say("mail.turn.stop", language), stop)
    made = compose(to, sender, say("mail.turn.subject", language, company=company), paragraphs, button, foot)
    # Headers for one-click unsubscribe (RFC 8058).
    made["List-Unsubscribe"] = f"<{stop}>"
    made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return made


def compose(
    to: Address,
    sender: str,
    subject: str,
    paragraphs: list[str],
    button: tuple[str, str],
    foot: tuple[str, str, str] | None = None,
) -> EmailMessage:
    """Build an e-mail as plain text with an HTML alternative."""
    made = EmailMessage()
    made["From"] = sender
    made["To"] = to.address
    made["Subject"] = subject
    made["Date"] = formatdate()
    made["Message-ID"] = make_msgid(domain=parseaddr(sender)[1].rpartition("@")[2])
    made["Auto-Submitted"] = "auto-generated"
    made["Content-Language"] = to.language
    made.set_content(as_text(paragraphs, button, foot))
    made.add_alternative(as_page(to.language, paragraphs, button, foot), subtype="html")
    return made


def as_text(paragraphs: list[str], button: tuple[str, str], foot: tuple[str, str, str] | None) -> str:
    parts = [*paragraphs, f"{button[0]}:\n{button[1]}"]
    if foot:
        parts.append(f"-- \n{foot[0]}\n{foot[1]}: {foot[2]}")
    return "\n\n".join(parts) + "\n"


def as_page(
    language: str, paragraphs: list[str], button: tuple[str, str], foot: tuple[str, str, str] | None
) -> str:
    body = "".join(f"<p>{html.escape(text)}</p>" for text in paragraphs)
    body += f'<p><a href="{html.escape(button[1])}" style="{BUTTON}">{html.escape(button[0])}</a></p>'
    if foot:
        words, stop, link = map(html.escape, foot)
        body += f'<p style="{FOOT}">{words}<br><a href="{link}" style="color:#5d4c37">{stop}</a></p>'
    return f'<!doctype html><html lang="{language}"><body style="{BODY}">{body}</body></html>\n'


BODY = "font:16px/1.5 Georgia,serif;color:#2b2118;background:#fbf5e6;max-width:36em;margin:auto;padding:24px"
BUTTON = (
    "display:inline-block;padding:12px 20px;border-radius:10px;background:#8a4b00;color:#fff8ea;"
    "text-decoration:none;font-weight:bold"
)
FOOT = "margin-top:32px;font-size:13px;color:#5d4c37"


def shortened(name: str) -> str:
    """Shorten a name and put it on one line, because a line break would end a header."""
    plain = " ".join(name.split())
    return plain if len(plain) <= MAX_NAME_LENGTH else plain[: MAX_NAME_LENGTH - 1] + "…"
