"""Two processes that depend on hints."""

from pathlib import Path
from typing import Any

import pytest

from royalcrypt.server import startup
from tests.server.cluster.pairs import Meet, Test, hurry, run_pair
from tests.services.redis import Redis


@pytest.fixture
def meet(tmp_path: Path, url: str, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> Meet:
    """With nothing but hints between two looks, which never come."""
    hurry(monkeypatch)
    monkeypatch.setattr(startup, "POLL_SECONDS", 3600)

    def run(test: Test, **settings: Any) -> None:
        run_pair(test, tmp_path, url, redis, **settings)

    return run
