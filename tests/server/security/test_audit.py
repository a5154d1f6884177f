"""The check of locked dependencies finds what is wrong, and says so when it could not find out."""

import json
from typing import Any

import pytest

from scripts import audit
from scripts.audit import FINE, NOT_REVIEWED, WRONG, faults_of_locks, page_finding, python_finding

GOOD: dict[str, Any] = {"name": "good", "version": "1.0", "vulns": []}
BAD: dict[str, Any] = {
    "name": "bad",
    "version": "2.0",
    "vulns": [{"id": "X-1", "fix_versions": ["2.1"]}, {"id": "X-2"}],
}
SKIPPED: dict[str, Any] = {"name": "skipped", "skip_reason": "not found"}
PROJECT = {
    "dependencies": ["good>=1"],
    "optional-dependencies": {"more": ["other[extra]>=2; os_name != 'nt'"]},
}
LOCK = """
good==1.0 \\
    --hash=sha256:ab \\
    --hash=sha256:cd
    # via more
Other[extra]==2.1 ; a == 'b' \\
    --hash=sha256:ef
"""


@pytest.mark.parametrize(
    ("packages", "status", "words"),
    [
        ([GOOD], FINE, "1 packages, no known vulnerabilities."),
        ([GOOD, BAD], WRONG, "bad 2.0: X-1 (fixed in 2.1)\nbad 2.0: X-2 (not fixed yet)"),
        ([GOOD, SKIPPED], NOT_REVIEWED, "no answer about 1 of 2 packages: skipped"),
        ([BAD, SKIPPED], WRONG, "no answer about 1 of 2 packages: skipped"),
        ([], NOT_REVIEWED, "0 packages"),
    ],
)
def test_no_answer_about_a_python_package_is_not_a_good_answer(
    packages: list[Any], status: int, words: str
) -> None:
    found = python_finding(json.dumps({"dependencies": packages}))
    assert found.status == status
    assert words in found.words


@pytest.mark.parametrize("report", ["", "no route to it", "{}", '{"error": {"code": 405}}'])
def test_a_service_that_does_not_answer_is_reported(report: str) -> None:
    for found in (python_finding(report), page_finding(report)):
        assert found.status == NOT_REVIEWED
        assert "nothing was reviewed" in found.words


def test_a_vulnerable_package_of_the_page_is_reported() -> None:
    weak = {"bad": {"severity": "high", "range": "<2"}}
    report = {"metadata": {"dependencies": {"total": 7}}, "vulnerabilities": weak}
    assert page_finding(json.dumps(report)) == (
        WRONG,
        "bad: high, in <2\nPage: 7 packages, 1 known vulnerabilities.",
    )
    assert page_finding(json.dumps(report | {"vulnerabilities": {}})).status == FINE


def test_the_lock_files_of_this_project_are_whole_and_agree() -> None:
    assert audit.locks() == (FINE, "The lock files are whole and agree.")


@pytest.mark.parametrize(
    ("first", "second", "fault"),
    [
        (LOCK, LOCK, None),
        (LOCK, LOCK.replace("good==1.0", "good==1.1"), "good: 1.0 in a.lock, 1.1 in b.lock"),
        (LOCK.replace("good==1.0", "good==0.9"), "", "a.lock: good 0.9 is not >=1"),
        (LOCK.replace("==2.1", "==1.9"), "", "a.lock: other 1.9 is not >=2"),
        (LOCK.replace("good==1.0", "good>=1.0"), "", "a.lock: not pinned: good>=1.0"),
        ("good==1.0\n", "", "a.lock: good has no hash"),
    ],
)
def test_a_faulty_lock_file_is_reported(first: str, second: str, fault: str | None) -> None:
    assert faults_of_locks({"a.lock": first, "b.lock": second}, PROJECT) == ([fault] if fault else [])
