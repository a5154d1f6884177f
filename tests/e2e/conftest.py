"""A server for each file of tests, a browser for most of them, and visitors for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.e2e.browsers import launch, windowless_chromium
from tests.e2e.hosting import House
from tests.e2e.visiting import Visitor

expect.set_options(timeout=20_000)  # a busy machine draws slowly


# Until these tests are done, and no longer: others have event loops of their own.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playing:
        yield playing


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with launch(playwright, windowless_chromium()) as running:
        yield running


@pytest.fixture(scope="package")
def browser_with_windows(playwright: Playwright) -> Iterator[Browser]:
    """For what depends on windows, as notifications do."""
    with launch(playwright) as running:
        yield running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    opened = House(tmp_path_factory.mktemp("house")).open()
    yield opened
    opened.close()


@pytest.fixture
def visit(browser: Browser, house: House) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors. When the test is over, nothing that was hidden has reached any of them (R11)."""
    visitors: list[Visitor] = []

    def arrive(**options: Any) -> Visitor:
        visitors.append(Visitor(browser, options.pop("house", house), **options))
        return visitors[-1]

    yield arrive
    leaks = [leak for visitor in visitors for leak in visitor.leaks()]
    troubles = [trouble for visitor in visitors for trouble in visitor.troubles]
    for visitor in visitors:
        visitor.close()
    assert leaks == []
    assert troubles == []


@pytest.fixture
def visitor(visit: Callable[..., Visitor]) -> Visitor:
    return visit()


@pytest.fixture(scope="session")
def repository() -> Path:
    return Path(__file__).parents[2]


@pytest.fixture
def fragile(tmp_path: Path) -> Iterator[House]:
    """A server that a test may stop, and open again; asked for before visitors, it outlives them."""
    opened = House(tmp_path / "fragile").open()
    yield opened
    opened.close()
