"""One Redis for all tests that do nothing bad to it."""

from collections.abc import Generator

import pytest

from tests.services.redis import Redis


@pytest.fixture(scope="package")
def redis() -> Generator[Redis]:
    with Redis() as running:
        yield running


@pytest.fixture
def own_redis() -> Generator[Redis]:
    with Redis() as running:
        yield running
