"""One server for all tests of a file."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.server.wire.performing import Company
from tests.server.wire.stage import theatre


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    with asyncio.Runner() as runner:
        registry = theatre(tmp_path_factory.mktemp("theatre"))
        yield Company(runner, runner.run(registry.__aenter__()))
        runner.run(registry.__aexit__(None, None, None))
