"""A review of dependencies says what it learned, and that it learned nothing where it did."""

import json
from typing import Any

import pytest

from scripts.audit import FINE, NOT_REVIEWED, WEAK, judged

GOOD: dict[str, Any] = {"name": "good", "version": "1.0", "vulns": []}
BAD: dict[str, Any] = {
    "name": "bad",
    "version": "2.0",
    "vulns": [{"id": "X-1", "fix_versions": ["2.1"]}, {"id": "X-2"}],
}
SKIPPED: dict[str, Any] = {"name": "skipped", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "status", "words"),
    [
        ([GOOD], FINE, "Reviewed 1 packages: no known weaknesses."),
        ([GOOD, BAD], WEAK, "bad 2.0: X-1 (mended in 2.1)\nbad 2.0: X-2 (not mended yet)"),
        ([GOOD, SKIPPED], NOT_REVIEWED, "Not reviewed, 1 of 2: skipped"),
        ([BAD, SKIPPED], WEAK, "Not reviewed, 1 of 2: skipped"),
        ([], NOT_REVIEWED, "Reviewed 0 packages"),
    ],
)
def test_no_answer_is_not_a_good_answer(packages: list[Any], status: int, words: str) -> None:
    found = judged(json.dumps({"dependencies": packages}))
    assert found[0] == status
    assert words in found[1]


@pytest.mark.parametrize("report", ["", "no route to it", "{}"])
def test_who_cannot_ask_says_so_and_fails(report: str) -> None:
    status, words = judged(report)
    assert status == NOT_REVIEWED
    assert words.startswith("Nothing was reviewed")
