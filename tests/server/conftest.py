"""What the server's log says during a test."""

import io
import logging
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog

from royalcrypt.server.operations.logs import configure_logs
from royalcrypt.server.settings import ServerSettings

LOGGERS = ("", "royalcrypt", "uvicorn", "uvicorn.error", "uvicorn.access")


@pytest.fixture(params=["console", "json"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[io.StringIO]:
    """Everything that is logged, in both formats, as talkative as it gets."""
    kept = [(logger, logger.handlers, logger.level) for logger in map(logging.getLogger, LOGGERS)]
    stream = io.StringIO()
    configure_logs(
        ServerSettings(data=tmp_path, log_level="debug", log_format=request.param, access_log=True), stream
    )
    yield stream
    structlog.reset_defaults()
    for logger, handlers, level in kept:
        logger.handlers = handlers
        logger.setLevel(level)
