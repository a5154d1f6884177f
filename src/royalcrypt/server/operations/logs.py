"""Logging to the console or as JSON lines, with secrets masked."""

import logging
import re
import sys
from asyncio import CancelledError
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import structlog

if TYPE_CHECKING:
    from structlog.typing import EventDict, Processor

    from royalcrypt.server.settings import ServerSettings

HIDDEN = "[hidden]"
WORDS = (
    "authorization|code|cookie|entropy|invite|key|passphrase|password"
    "|query|query_string|royalcrypt-[0-9a-f]{8}|secret|seed|session|token"
)
"""Words that mark a value's name as secret; ``royalcrypt-…`` are cookie names."""
NOT_SECRET = {"status_code", "close_code", "exit_code"}
SECRET_NAME = re.compile(rf"(?:^|[_\W])(?:{WORDS})s?$")
SECRET_LINE = re.compile(r"(?i)\b((?:set-)?cookie|authorization)(\W{0,2}[:=]\W{0,2})[^\r\n]*")
SECRET_VALUE = re.compile(rf"(?i)(?<![^\W_])({WORDS})([\"']?\s*[:=]\s*[\"']?)[^\s\"',;&)}}\]]+")
QUERY = re.compile(r"(/[^\s?\"'#]*)[?#][^\s\"']+")
MAX_DEPTH = 6
EXTRA = structlog.stdlib.ExtraAdder()
IGNORED_MESSAGES = (
    "Application startup failed. Exiting.",
    "Cancel %s running task(s), timeout graceful shutdown exceeded",
    "Invalid HTTP request received.",
    "Invalid UTF-8 sequence received from client.",
    "Unsupported upgrade request.",
)


def configure_logs(settings: "ServerSettings", stream: Any = None) -> None:
    """Make all loggers, including those of libraries, write masked lines to standard error."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        mask,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )
    out = stream or sys.stderr
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[add_details, *shared, add_logger_name],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _renderer(settings, is_colourful=out.isatty()),
            ],
        )
    )
    handler.addFilter(is_relevant)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(max(level, logging.WARNING))  # Libraries log only warnings and errors.
    logging.getLogger("royalcrypt").setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate, logger.disabled = [], True, False
    if settings.access_log:
        logging.getLogger("uvicorn.access").setLevel(logging.INFO)


def _renderer(settings: "ServerSettings", *, is_colourful: bool) -> "Processor":
    if settings.log_format == "json":
        return structlog.processors.JSONRenderer(ensure_ascii=False)
    # structlog's default tracebacks show local variables, which may contain secrets.
    return structlog.dev.ConsoleRenderer(
        colors=is_colourful, exception_formatter=structlog.dev.plain_traceback, pad_event_to=0
    )


def is_relevant(record: logging.LogRecord) -> bool:
    """Log filter: drops requests cancelled at shutdown, and messages that clients can trigger at will."""
    is_cut_off = record.exc_info and isinstance(record.exc_info[1], CancelledError)
    return not is_cut_off and record.msg not in IGNORED_MESSAGES


def add_details(logger: Any, name: str, event: "EventDict") -> "EventDict":
    """Add what was logged as ``extra`` by packages of Royal Crypt that do without structlog."""
    if event["_record"].name.startswith("royalcrypt."):
        return EXTRA(logger, name, event)
    return event


def add_logger_name(_: Any, __: str, event: "EventDict") -> "EventDict":
    """Add the logger's name to log entries of libraries."""
    event["logger"] = event["_record"].name
    return event


def mask(_: Any, __: str, event: "EventDict") -> "EventDict":
    """Mask values whose name is secret or that look like a secret."""
    for name, value in event.items():
        if name == "event":
            event[name] = in_one_line(scrub(str(value)))
        elif not name.startswith("_"):
            event[name] = HIDDEN if is_secret(name) else _masked(value)
    return event


def is_secret(name: str) -> bool:
    lowered = name.lower()
    return lowered not in NOT_SECRET and SECRET_NAME.search(lowered) is not None


def scrub(text: str) -> str:
    """Mask secrets in a text, and the queries and fragments of URLs."""
    text = SECRET_LINE.sub(rf"\1\2{HIDDEN}", text)
    text = SECRET_VALUE.sub(rf"\1\2{HIDDEN}", text)
    return QUERY.sub(rf"\1?{HIDDEN}", text)


def in_one_line(text: str) -> str:
    """Escape control characters, so that input cannot forge log lines or control a terminal."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def _masked(value: Any, depth: int = 0) -> Any:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Mapping) and depth < MAX_DEPTH:
        found = cast("Mapping[Any, Any]", value)
        return {_text(name): _named(_text(name), inner, depth) for name, inner in found.items()}
    if isinstance(value, (list, tuple, set, frozenset)) and depth < MAX_DEPTH:
        return [_item(inner, depth) for inner in cast("Sequence[Any]", value)]
    return scrub(_text(value)) if depth < MAX_DEPTH else HIDDEN


def _named(name: str, value: Any, depth: int) -> Any:
    return HIDDEN if is_secret(name) else _masked(value, depth + 1)


def _item(value: Any, depth: int) -> Any:
    """Mask a list item; in pairs such as headers, the name decides."""
    pair = cast("Sequence[Any]", value)
    if isinstance(value, (list, tuple)) and len(pair) == 2 and isinstance(pair[0], (str, bytes)):
        return [_text(pair[0]), _named(_text(pair[0]), pair[1], depth)]
    return _masked(value, depth + 1)


def _text(name: Any) -> str:
    return name.decode("utf-8", "backslashreplace") if isinstance(name, bytes) else str(name)
