"""The tests here are tested: planted holes are noticed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import royalcrypt
from tests.server.security.holes import HOLES, Hole

PACKAGE = Path(royalcrypt.__file__).parent
LOCAL = Path(__file__).parent
FAILED = 1


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.what)
def test_a_hole_can_be_planted_in_one_place(hole: Hole) -> None:
    assert (PACKAGE / hole.path).read_text("utf-8").count(hole.old) == 1
    assert (LOCAL / hole.tests).exists()


@pytest.mark.faults
@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.what)
def test_a_planted_hole_is_noticed(hole: Hole, tmp_path: Path) -> None:
    copy = tmp_path / "src" / PACKAGE.name
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy / hole.path
    path.write_text(path.read_text("utf-8").replace(hole.old, hole.new), "utf-8")
    tests = str((LOCAL / hole.tests).resolve())
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", tests],
        env=os.environ | {"PYTHONPATH": str(copy.parent), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == FAILED, done.stdout[-2000:] + done.stderr[-2000:]
    assert "FAILED" in done.stdout, "a test failed, and not the copy"
