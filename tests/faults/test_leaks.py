"""The planted leaks stay plantable; whether they are caught, ``make mutants`` tells."""

from pathlib import Path

import pytest

import royalcrypt
from tests.faults.leaks import LEAKS, Leak

PACKAGE = Path(royalcrypt.__file__).parent


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.what)
def test_a_leak_can_be_planted_in_one_place(leak: Leak) -> None:
    assert (PACKAGE / leak.path).read_text("utf-8").count(leak.old) == 1


def test_there_are_at_least_thirty() -> None:
    assert len({leak.what for leak in LEAKS}) >= 30
