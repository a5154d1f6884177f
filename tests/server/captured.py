"""What is logged during a test, by structlog and by the plain loggers of packages that do without it."""

import logging
from collections.abc import Generator
from contextlib import contextmanager

from structlog.testing import capture_logs
from structlog.typing import EventDict

USUAL = vars(logging.makeLogRecord({})).keys() | {"asctime", "message"}


class Collector(logging.Handler):
    def __init__(self, entries: list[EventDict]) -> None:
        super().__init__()
        self._entries = entries

    def emit(self, record: logging.LogRecord) -> None:
        extra = {name: value for name, value in vars(record).items() if name not in USUAL}
        level = record.levelname.lower()
        self._entries.append({"event": record.getMessage(), "log_level": level} | extra)


@contextmanager
def captured_logs() -> Generator[list[EventDict]]:
    """Every entry of this package, in order, as structlog captures its own."""
    logger = logging.getLogger("royalcrypt")
    with capture_logs() as entries:
        handler = Collector(entries)
        logger.addHandler(handler)
        try:
            yield entries
        finally:
            logger.removeHandler(handler)
