"""Delivery of e-mails over SMTP, with a result for each."""

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

STEP_SECONDS = 15.0
"""Time-out of one SMTP step, in seconds."""
PERMANENT = 500
WIRE_POLICY = USUAL.clone(max_line_length=500)
"""Format policy with long lines, because some mail programs find no link in a folded header."""
log = structlog.get_logger()


class Delivery(Enum):
    DELIVERED = auto()
    UNKNOWN = auto()
    """The connection failed before the answer; the server may have accepted the e-mail."""
    REFUSED = auto()
    """The mail server rejected the e-mail permanently."""
    FAILED = auto()
    """The mail server did not accept the e-mail; a retry may succeed."""


class MailServerUnreachable(Exception):  # noqa: N818 (an expected condition)
    """The connection, its encryption or the sign-in failed."""


class MailSender:
    """Opens SMTP sessions with the configured mail server."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings

    @contextlib.asynccontextmanager
    async def connect(self) -> AsyncGenerator["SmtpSession"]:
        """Open a session for several e-mails; raises MailServerUnreachable."""
        chosen = self._settings
        client = SMTP(
            hostname=chosen.smtp_host,
            port=chosen.smtp_port,
            username=chosen.smtp_user,
            password=chosen.smtp_password,
            use_tls=chosen.smtp_security == "tls",
            start_tls=chosen.smtp_security == "starttls",
            timeout=STEP_SECONDS,
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
        """Whether the session can send another e-mail."""
        return self._client.is_connected

    async def send(self, message: EmailMessage) -> Delivery:
        """Send one e-mail; returns errors instead of raising. After a lost connection, later calls fail."""
        try:
            await self._client.mail(self._sender)
            await self._client.rcpt(str(message["To"]))
        except SMTPRecipientRefused as problem:
            log.warning("e-mail rejected", why=describe_failure(problem))
            await self._reset()
            return Delivery.REFUSED if problem.code >= PERMANENT else Delivery.FAILED
        except (SMTPException, OSError, ValueError) as problem:
            log.warning("e-mail not sent", why=describe_failure(problem))
            self._client.close()
            return Delivery.FAILED
        try:
            await self._client.data(message.as_bytes(policy=WIRE_POLICY))
        except SMTPDataError as problem:
            log.warning("e-mail not sent", why=describe_failure(problem))
            return Delivery.REFUSED if problem.code >= PERMANENT else Delivery.FAILED
        except (SMTPException, OSError, asyncio.CancelledError) as problem:
            log.warning("e-mail perhaps sent", why=describe_failure(problem))
            if isinstance(problem, asyncio.CancelledError):
                raise
            return Delivery.UNKNOWN
        return Delivery.DELIVERED

    async def _reset(self) -> None:
        with contextlib.suppress(SMTPException, OSError):
            await self._client.rset()


def describe_failure(problem: BaseException) -> str:
    """Return the type and code of an error without its text, which may contain the address."""
    code = getattr(problem, "code", None)
    return f"{type(problem).__name__} {code}" if code else type(problem).__name__
