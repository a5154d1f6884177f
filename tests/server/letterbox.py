"""A real mail server beside the test, that keeps all it is given, and can be told to be difficult."""

import asyncio
import email
import re
import ssl
import subprocess
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.services.processes import free_port

SENDER = "Royal Crypt <crypt@crypt.example>"
SITE = "http://crypt.example"
USER, PASSWORD = "crypt", "open-sesame"


class Letterbox:
    """As aiosmtpd's handler: what is in it was acknowledged."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.attempts = 0
        self.answer_to_recipients = "250 OK"
        self.busy: set[str] = set()
        """Addresses that take nothing now."""
        self.answer_to_letters = "250 Message accepted for delivery"
        self.drops_line = False
        """Hangs up after it has taken a letter, without a word."""
        self.is_encrypted: list[bool] = []
        self.pause = 0.0
        self.port = 0
        self._controller: Controller | None = None

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, _: SMTP, __: Session, envelope: Envelope, address: str, *___: Any
    ) -> str:
        if address in self.busy:
            return "452 Mailbox full"
        if self.answer_to_recipients.startswith("2"):
            envelope.rcpt_tos.append(address)
        return self.answer_to_recipients

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.attempts += 1
        await asyncio.sleep(self.pause)
        if self.answer_to_letters.startswith("2"):
            content = cast("bytes", envelope.content)
            self.letters.append(email.message_from_bytes(content, policy=default))
            self.is_encrypted.append(session.ssl is not None)
        if self.drops_line:
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        return self.answer_to_letters

    def open(self, **options: Any) -> "Letterbox":
        """At any free port, or at the one it had before."""
        self.port = self.port or free_port()  # The controller has to know it beforehand.
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port, **options)
        self._controller.start()
        return self

    def close(self) -> None:
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    @property
    def settings(self) -> dict[str, Any]:
        """Of a server that sends its letters here."""
        return {
            "smtp_host": "127.0.0.1",
            "smtp_port": self.port,
            "smtp_security": "none",
            "smtp_from": SENDER,
            "public_url": SITE,
        }


def signing_in(_: SMTP, __: Session, ___: Envelope, ____: str, given: Any) -> AuthResult:
    """Only with our name and password."""
    assert isinstance(given, LoginPassword)
    return AuthResult(success=given == LoginPassword(USER.encode(), PASSWORD.encode()), handled=False)


def certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A certificate for this machine, and the file that has to be trusted."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            "-keyout", str(key), "-out", str(cert),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    return context, cert


def text_of(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part
    return part.get_content()


def link_in(letter: EmailMessage, purpose: str) -> str:
    """The path of the link in it."""
    found = re.search(rf"{re.escape(SITE)}(/mail/{purpose}\?key=\S+)", text_of(letter))
    assert found, text_of(letter)
    return found[1]
