"""Carries letters to the mail server, and knows what became of each."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from email.message import EmailMessage
from email.policy import SMTP as USUAL
from email.utils import parseaddr
from enum import Enum, auto

import structlog
from aiosmtplib import SMTP, SMTPDataError, SMTPException, SMTPRecipientRefused

from royalcrypt.server.settings import ServerSettings

PATIENCE = 15.0
"""Seconds for one step of the conversation with the mail server."""
PERMANENT = 500
WIRE_POLICY = USUAL.clone(max_line_length=500)
"""Some programs do not find a link that begins on a header's second line."""
log = structlog.get_logger()


class Delivery(Enum):
    DELIVERED = auto()
    UNKNOWN = auto()
    """The line was lost while the mail server made up its mind: it may have the letter."""
    REFUSED = auto()
    """For good: trying again would bring the same answer."""
    FAILED = auto()
    """The mail server certainly does not have it; it may take it another time."""


class MailServerUnreachable(Exception):  # noqa: N818 (a mail server that rests is no error of ours)
    """Nothing could be handed over: no connection, no encryption, or not signed in."""


class MailSender:
    """Takes one way for several letters; one at a time."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings

    @contextlib.asynccontextmanager
    async def way(self) -> AsyncGenerator["SmtpSession"]:
        """Raises MailServerUnreachable."""
        chosen = self._settings
        client = SMTP(
            hostname=chosen.smtp_host,
            port=chosen.smtp_port,
            username=chosen.smtp_user,
            password=chosen.smtp_password,
            use_tls=chosen.smtp_security == "tls",
            start_tls=chosen.smtp_security == "starttls",
            timeout=PATIENCE,
        )
        try:
            await client.connect()
        except (SMTPException, OSError, ValueError) as problem:
            client.close()
            raise MailServerUnreachable(describe_failure(problem)) from None
        try:
            yield SmtpSession(client, parseaddr(chosen.smtp_from or "")[1])
        finally:
            with contextlib.suppress(SMTPException, OSError):
                await client.quit()
            client.close()


class SmtpSession:
    def __init__(self, client: SMTP, sender: str) -> None:
        self._client = client
        self._sender = sender

    @property
    def is_open(self) -> bool:
        """Whether it is worth trying another letter."""
        return self._client.is_connected

    async def carry(self, letter: EmailMessage) -> Delivery:
        """Never raises what is the mail server's fault; then the next letter fails as well, and quickly."""
        try:
            await self._client.mail(self._sender)
            await self._client.rcpt(str(letter["To"]))
        except SMTPRecipientRefused as problem:
            log.warning("letter refused", why=describe_failure(problem))
            await self._reset()
            return Delivery.REFUSED if problem.code >= PERMANENT else Delivery.FAILED
        except (SMTPException, OSError, ValueError) as problem:
            log.warning("letter not sent", why=describe_failure(problem))
            self._client.close()
            return Delivery.FAILED
        try:
            await self._client.data(letter.as_bytes(policy=WIRE_POLICY))
        except SMTPDataError as problem:
            log.warning("letter not sent", why=describe_failure(problem))
            return Delivery.REFUSED if problem.code >= PERMANENT else Delivery.FAILED
        except (SMTPException, OSError, asyncio.CancelledError) as problem:
            log.warning("letter sent, perhaps", why=describe_failure(problem))
            if isinstance(problem, asyncio.CancelledError):
                raise
            return Delivery.UNKNOWN
        return Delivery.DELIVERED

    async def _reset(self) -> None:
        with contextlib.suppress(SMTPException, OSError):
            await self._client.rset()


def describe_failure(problem: BaseException) -> str:
    """In one line, without the address: mail servers like to repeat what they were told."""
    code = getattr(problem, "code", None)
    return f"{type(problem).__name__} {code}" if code else type(problem).__name__
